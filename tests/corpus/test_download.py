"""A download ends: with the whole body, or with the reason in words. The server is real and stands on this machine."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from foregone.corpus.download import DownloadFailed, Patience, download

HASTY = Patience(connect_s=1, read_s=0.1, pauses_s=(0, 0, 0))

Answer = Callable[[BaseHTTPRequestHandler], None]
Serve = Callable[..., str]


def answer(status: int, body: bytes = b"", length: int | None = None, **headers: str) -> Answer:
    """An answer with a body; `length` is the one it claims; `Retry_After` stands for the header Retry-After."""

    def send(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        request.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in headers.items():
            request.send_header(name.replace("_", "-"), value)
        request.end_headers()
        request.wfile.write(body)

    return send


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts a server that gives these answers in turn, the last one again and again; its URL comes back."""
    servers: list[ThreadingHTTPServer] = []

    def start(*answers: Answer) -> str:
        remaining = list(answers)

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                (remaining.pop(0) if len(remaining) > 1 else remaining[0])(self)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/rfc1.txt"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def failure(url: str, limit: int = 100, patience: Patience = HASTY) -> str:
    pauses: list[float] = []
    with pytest.raises(DownloadFailed) as failed:
        download(url, limit, patience=patience, sleep=pauses.append)
    return str(failed.value)


def test_the_body_comes_whole(serve: Serve) -> None:
    assert download(serve(answer(200, b"1. Introduction\n")), 16) == b"1. Introduction\n"


def test_a_missing_page_is_not_asked_for_again(serve: Serve) -> None:
    url = serve(answer(404), answer(200, b"too late"))

    assert failure(url) == f"{url} answers 404 Not Found"


def test_a_server_that_recovers_is_asked_again_after_growing_pauses(serve: Serve) -> None:
    pauses: list[float] = []
    url = serve(answer(500), answer(503), answer(200, b"text"))

    body = download(url, 100, sleep=pauses.append)

    assert (body, pauses) == (b"text", [0.5, 1.0])


def test_a_server_that_does_not_recover_is_asked_four_times(serve: Serve) -> None:
    url = serve(answer(500), answer(500), answer(500), answer(502), answer(200, b"too late"))

    assert failure(url) == f"{url} answers 502 Bad Gateway"


def test_a_busy_server_is_given_the_seconds_it_asks_for(serve: Serve) -> None:
    pauses: list[float] = []
    url = serve(answer(429, Retry_After="7"), answer(200, b"text"))

    body = download(url, 100, sleep=pauses.append)

    assert (body, pauses) == (b"text", [7.0])


def test_a_busy_server_that_asks_for_too_long_is_left_alone(serve: Serve) -> None:
    url = serve(answer(429, Retry_After="3600"), answer(200, b"too early"))

    assert failure(url) == f"{url} answers 429 Too Many Requests and asks to wait 3600 s"


@pytest.mark.parametrize("after", ["-1", "1e9", "soon", "Wed, 21 Oct 2026 07:28:00 GMT"])
def test_a_wait_that_is_not_in_seconds_is_passed_over(serve: Serve, after: str) -> None:
    pauses: list[float] = []
    url = serve(answer(429, Retry_After=after), answer(200, b"text"))

    download(url, 100, sleep=pauses.append)

    assert pauses == [0.5]


def test_a_silent_server_is_given_up(serve: Serve) -> None:
    released = threading.Event()

    def say_nothing(_: BaseHTTPRequestHandler) -> None:
        released.wait(5)

    url = serve(say_nothing)

    why = failure(url)
    released.set()

    assert why == f"{url} is silent for 0.1 s"


def test_a_body_without_end_is_given_up(serve: Serve) -> None:
    url = serve(answer(200, b"text"))

    assert failure(url, patience=replace(HASTY, total_s=0)) == f"{url} takes longer than 0 s"


def test_a_body_that_breaks_off_is_asked_for_again(serve: Serve) -> None:
    url = serve(answer(200, b"te", length=4), answer(200, b"text"))

    assert download(url, 100, patience=HASTY) == b"text"


def test_a_body_that_always_breaks_off_is_refused(serve: Serve) -> None:
    url = serve(answer(200, b"te", length=4))

    assert failure(url) == (
        f"{url}: peer closed connection without sending complete message body (received 2 bytes, expected 4)"
    )


def test_a_body_over_the_limit_is_cut_off(serve: Serve) -> None:
    url = serve(answer(200, b"x" * 1_001))

    assert failure(url, limit=1_000) == f"{url} is longer than 1,000 bytes"


def test_a_redirect_is_followed(serve: Serve) -> None:
    target = serve(answer(200, b"text"))

    assert download(serve(answer(301, Location=target)), 100) == b"text"


@pytest.mark.parametrize("scheme", ["file", "ftp", "data"])
def test_a_redirect_to_anything_but_http_is_refused(serve: Serve, scheme: str) -> None:
    url = serve(answer(302, Location=f"{scheme}://host/etc/passwd"))

    assert failure(url) == f"{url}: Request URL has an unsupported protocol '{scheme}://'."


def test_redirects_in_a_circle_are_left(serve: Serve) -> None:
    url = serve(answer(302, Location="/rfc1.txt"))

    assert failure(url) == f"{url}: Exceeded maximum allowed redirects."


def test_a_url_that_is_none_is_refused() -> None:
    assert failure("http://127.0.0.1:eighty/") == "http://127.0.0.1:eighty/: Invalid port: 'eighty'"


def test_a_host_that_refuses_the_connection_is_named() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]

    with pytest.raises(DownloadFailed) as failed:
        download(f"http://127.0.0.1:{port}/rfc1.txt", 100, patience=HASTY)

    assert (str(failed.value), failed.value.unreachable) == (
        f"http://127.0.0.1:{port}/rfc1.txt: 127.0.0.1:{port} cannot be connected to: [Errno 111] Connection refused",
        f"127.0.0.1:{port}",
    )


def test_a_proxy_that_cannot_be_used_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "gopher://127.0.0.1:1")

    assert failure("http://rfc1.example/") == (
        "the proxy or certificates that the environment names do not work: Unknown scheme for proxy URL "
        "URL('gopher://127.0.0.1:1')"
    )
