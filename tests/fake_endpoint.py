"""A local stand-in for an OpenAI-compatible endpoint, which answers what a test tells it to.

    with serve_fake() as api:
        api.answers = [failure(429), vectors((0, [1.0, 0.0]))]

Each answer is given once, in order, the last one again and again; what was asked and with which key is kept.
"""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-kettle"
Reply = tuple[int, dict[str, str], bytes]
"""Status, header fields, body."""
Answer = Callable[[dict[str, Any]], Reply]
"""A request's JSON -> what is sent back."""


@dataclass
class FakeApi:
    """What the endpoint is to answer, and what it was asked."""

    url: str
    answers: list[Answer] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    def answer(self, request: dict[str, Any], key: str) -> Reply:
        """The next reply."""
        self.asked.append(request)
        self.keys.append(key)
        return self.answers[min(len(self.asked), len(self.answers)) - 1](request)


@contextmanager
def serve_fake() -> Iterator[FakeApi]:
    """An endpoint at a free port of this machine, as long as the block runs."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, headers, body = api.answer(request, self.headers["Authorization"])
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        api = FakeApi(f"http://127.0.0.1:{server.server_port}/v1")
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield api
        server.shutdown()


def vectors(*rows: tuple[int, list[Any]], tokens: int = 7) -> Answer:
    """These rows, each with its index, for so many tokens."""
    data = [{"object": "embedding", "index": index, "embedding": row} for index, row in rows]
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    body = json.dumps({"object": "list", "data": data, "model": "m", "usage": usage})
    return lambda _: (200, {}, body.encode())


def failure(status: int, **headers: str) -> Answer:
    """An error that repeats the key, as some endpoints do."""
    body = json.dumps({"error": {"message": f"status {status} for {KEY}", "type": "test"}}).encode()
    return lambda _: (status, {name.replace("_", "-"): value for name, value in headers.items()}, body)
