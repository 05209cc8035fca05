"""A preview of `dist/` on this machine, with the headers that a host would send.

Every request acquires one release and reads nothing else: a build that publishes meanwhile is seen by the next request.
"""

import html
import re
import sys
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from foregone.release.current import CurrentSite, NotServed, Served
from foregone.release.root import headers_for

SLASHLESS = re.compile(r"/(?:q/[^/]+|s/[^/]+/[^/]+|v/[^/]+|v/[^/]+/q/[^/]+|v/[^/]+/s/[^/]+/[^/]+)")


ROOT_ONLY = ("/site.json", "/_headers")
"""Files at the root that are not the release's; `/current.json` is the pointer that the request acquired."""
NOT_SERVED = "<!doctype html><title>No site to serve</title><p>{why}.\n"


class PreviewHandler(SimpleHTTPRequestHandler):
    """GET and HEAD of the site's files: folders by their index.html, 308 to the slash, 404 by 404.html."""

    protocol_version = "HTTP/1.1"
    server_version = "foregone"
    sys_version = ""
    _served: Served | None = None

    def __init__(self, *arguments, site: CurrentSite, dist: Path) -> None:  # type: ignore[no-untyped-def] # noqa: ANN002
        self._site = site
        self._dist = dist
        super().__init__(*arguments, directory=str(dist))

    def end_headers(self) -> None:
        """Add the headers of the path's family."""
        for name, value in headers_for(_decoded(_url_path(getattr(self, "path", "/")))):
            self.send_header(name, value)
        super().end_headers()

    def send_head(self):  # type: ignore[no-untyped-def] # noqa: ANN201 - the base class declares no type
        """Redirect a page without its slash, refuse hidden paths, else serve the file."""
        path = _url_path(self.path)
        del self.headers["If-Modified-Since"]  # an earlier release can become current again, its files are older
        acquired = self._site.acquire()
        if isinstance(acquired, NotServed):
            self._served = None
            body = NOT_SERVED.format(why=html.escape(acquired.why))
            self._send(503, body.encode(errors="backslashreplace"), "text/html; charset=utf-8")
            return None
        self._served = acquired
        if _decoded(path) == "/current.json":
            self._send(200, self._served.pointer, "application/json")
            return None
        parts = unquote(path).split("/")
        if any(part.startswith(".") or "\0" in part for part in parts):
            self.send_error(404)
            return None
        if SLASHLESS.fullmatch(path) and Path(self.translate_path(path)).is_dir():
            self._redirect(f"{path}/")
            return None
        return super().send_head()

    def list_directory(self, path):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN201 - as above
        """A folder without a page is not found."""
        del path
        self.send_error(404)

    def translate_path(self, path: str) -> str:
        """The file of a URL path: under `/v/` as it stands, else in the release of this request."""
        decoded = _decoded(_url_path(path))
        whole = decoded.startswith("/v/") or decoded in ROOT_ONLY
        folder = self._dist if whole or self._served is None else self._served.folder
        self.directory = str(folder)
        return super().translate_path("/404" if decoded == "/manifest.json" else path)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """The site's own page for 404, the status alone for others."""
        del message, explain
        page = self._served.folder / "404.html" if self._served else None
        body = page.read_bytes() if code == 404 and page and page.is_file() else b""
        self._send(code, body, "text/html; charset=utf-8")

    def guess_type(self, path) -> str:  # type: ignore[no-untyped-def] # noqa: ANN001 - as above
        """Text types say that they are UTF-8."""
        kind = str(super().guess_type(path))
        return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind

    def _send(self, code: int, body: bytes, kind: str) -> None:
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if code not in (200, 404):
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _redirect(self, target: str) -> None:
        self.send_response(308)
        self.send_header("Location", target)
        self.send_header("Content-Length", "0")
        self.end_headers()


class PreviewServer(ThreadingHTTPServer):
    """Takes bursts of requests; who closes the connection early makes no error."""

    request_queue_size = 128

    def handle_error(self, request, client_address) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001 - as above
        """Only what is not the client's leaving is reported."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def make_server(dist: Path, host: str, port: int, report: Callable[[str], None]) -> ThreadingHTTPServer:
    """A server of `dist` that is bound and not yet serving; port 0 takes a free one. `dist` may come later."""
    handler = partial(PreviewHandler, site=CurrentSite(dist, report), dist=dist)
    return PreviewServer((host, port), handler)


def _url_path(target: str) -> str:
    """The path of a request target; `/` where it cannot be read."""
    try:
        return urlsplit(target).path
    except ValueError:
        return "/"


def _decoded(path: str) -> str:
    """A path as files are looked up by it: escapes decoded, slashes that stand in a row made one."""
    return re.sub("/+", "/", unquote(path))
