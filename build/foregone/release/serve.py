"""A preview of `dist/` on this machine, with the headers that a host would send."""

import re
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from foregone.release.root import headers_for

SLASHLESS = re.compile(r"/(?:q/[^/]+|s/[^/]+/[^/]+|v/[^/]+|v/[^/]+/q/[^/]+|v/[^/]+/s/[^/]+/[^/]+)")


class PreviewHandler(SimpleHTTPRequestHandler):
    """GET and HEAD of the site's files: folders by their index.html, 308 to the slash, 404 by 404.html."""

    protocol_version = "HTTP/1.1"
    server_version = "foregone"
    sys_version = ""

    def end_headers(self) -> None:
        """Add the headers of the path's family."""
        for name, value in headers_for(self._url_path()):
            self.send_header(name, value)
        super().end_headers()

    def send_head(self):  # type: ignore[no-untyped-def] # noqa: ANN201 - the base class declares no type
        """Redirect a page without its slash, refuse hidden paths, else serve the file."""
        path = self._url_path()
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

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """The site's own page for 404, the status alone for others."""
        del message, explain
        page = Path(self.directory) / "404.html"
        body = page.read_bytes() if code == 404 and page.is_file() else b""
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        if code != 404:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def guess_type(self, path) -> str:  # type: ignore[no-untyped-def] # noqa: ANN001 - as above
        """Text types say that they are UTF-8."""
        kind = str(super().guess_type(path))
        return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind

    def _url_path(self) -> str:
        """The path of the request; `/` where its line could not be read."""
        try:
            return urlsplit(getattr(self, "path", "/")).path
        except ValueError:
            return "/"

    def _redirect(self, target: str) -> None:
        self.send_response(308)
        self.send_header("Location", target)
        self.send_header("Content-Length", "0")
        self.end_headers()


def make_server(dist: Path, host: str, port: int) -> ThreadingHTTPServer:
    """A server of `dist` that is bound and not yet serving; port 0 takes a free one."""
    return ThreadingHTTPServer((host, port), partial(PreviewHandler, directory=str(dist)))
