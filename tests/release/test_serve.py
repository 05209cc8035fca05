"""The preview: pages with the headers of their family, and never a file from outside the site."""

import socket
import threading
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import NamedTuple

import pytest

from foregone.release.manifest import Release
from foregone.release.publish import publish
from foregone.release.root import headers_for
from foregone.release.serve import make_server
from tiny_corpus import unseen


class Answered(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes


class Preview(NamedTuple):
    """A running preview."""

    dist: Path
    port: int
    release: str

    def ask(self, path: str, method: str = "GET") -> Answered:
        """The response to one request, its path sent as it is."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.putrequest(method, path, skip_host=True)
            connection.putheader("Host", "127.0.0.1")
            connection.endheaders()
            response = connection.getresponse()
            headers = {name.title(): value for name, value in response.getheaders()}
            return Answered(response.status, headers, response.read())
        finally:
            connection.close()

    def ask_raw(self, request: bytes) -> bytes:
        """All that comes back for these bytes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: connection.recv(65536), b""))


@pytest.fixture(scope="module")
def preview(release: Release, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Preview]:
    """The site in a folder beside a file that nobody may see, with a hidden folder in it."""
    root = tmp_path_factory.mktemp("served")
    (root / "secret").write_text("secret", encoding="utf-8")
    publish(release, root / "dist", 1, unseen)
    (root / "dist/v/.staging").mkdir()
    (root / "dist/v/.staging/index.html").write_text("secret", encoding="utf-8")
    server = make_server(root / "dist", "127.0.0.1", 0, unseen)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield Preview(root / "dist", server.server_address[1], release.id)
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize(
    ("path", "file"),
    [
        ("/", "index.html"),
        ("/index.html", "index.html"),
        ("/q/lid/", "q/lid/index.html"),
        ("/q/lid/?from=mail", "q/lid/index.html"),
        ("/s/kettle/1/", "s/kettle/1/index.html"),
        ("/api/v1/answers/lid.json", "api/v1/answers/lid.json"),
        ("/current.json", "current.json"),
        ("/v/{release}/", "v/{release}/index.html"),
        ("/v/{release}/manifest.json", "v/{release}/manifest.json"),
        ("//q/lid/", "q/lid/index.html"),
        ("/q/%6cid/", "q/lid/index.html"),
        ("/current%2ejson", "current.json"),
        ("/site%2ejson", "site.json"),
        ("/%76/{release}/manifest.json", "v/{release}/manifest.json"),
    ],
)
def test_a_file_of_the_site_is_served_as_it_is(path: str, file: str, preview: Preview) -> None:
    answered = preview.ask(path.format(release=preview.release))

    content = (preview.dist / file.format(release=preview.release)).read_bytes()
    assert (answered.status, answered.body) == (200, content)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "text/html; charset=utf-8"),
        ("/current.json", "application/json"),
        ("/assets/{style}", "text/css; charset=utf-8"),
    ],
)
def test_text_says_that_it_is_utf8(path: str, kind: str, preview: Preview) -> None:
    style = next((preview.dist / "assets").iterdir()).name

    assert preview.ask(path.format(style=style)).headers["Content-Type"] == kind


@pytest.mark.parametrize("path", ["/", "/q/lid/", "/api/v1/questions.json", "/current.json", "/site.json", "/404.html"])
def test_a_path_has_the_headers_of_its_family(path: str, preview: Preview) -> None:
    headers = preview.ask(path).headers

    assert {name: headers[name] for name, _ in headers_for(path)} == dict(headers_for(path))


@pytest.mark.parametrize(
    "path", ["/q/lid", "/s/kettle/1", "/v/{release}", "/v/{release}/q/lid", "/v/{release}/s/teapot/1.1"]
)
def test_a_page_without_its_slash_is_moved_for_good(path: str, preview: Preview) -> None:
    path = path.format(release=preview.release)
    answered = preview.ask(path)

    assert (answered.status, answered.headers["Location"], answered.body) == (308, f"{path}/", b"")


@pytest.mark.parametrize("path", ["/nothing", "/q/nobody/", "/q/nobody", "/q/", "/api/v1/", "/v/", "/index.html/x"])
def test_what_is_not_there_is_the_sites_own_404(path: str, preview: Preview) -> None:
    answered = preview.ask(path)

    assert (answered.status, answered.body) == (404, (preview.dist / "404.html").read_bytes())
    assert answered.headers["Content-Type"] == "text/html; charset=utf-8"


@pytest.mark.parametrize(
    "path",
    [
        "/../secret",
        "/q/../../secret",
        "/%2e%2e/secret",
        "/%2E./secret",
        "/..%2fsecret",
        "/q/%2e%2e%2f%2e%2e%2fsecret",
        "/..\\secret",
        "//etc/passwd",
        "///etc/passwd",
        "/%2fetc/passwd",
        "/%00",
        "/index.html%00.txt",
        "/v/.staging/",
        "/v/%2estaging/index.html",
        "http://[",
        "http://example.org/../secret",
        "..",
        "*",
        "/" + "x" * 5000,
    ],
)
def test_no_path_leaves_the_site_or_shows_what_is_hidden(path: str, preview: Preview) -> None:
    answered = preview.ask(path)

    assert (answered.status, answered.body) == (404, (preview.dist / "404.html").read_bytes())


@pytest.mark.parametrize(
    "path", ["/manifest.json", "/manifest%2ejson", "/%6danifest.json", "/%2fmanifest.json", "//manifest.json?a=b"]
)
def test_the_manifest_is_not_at_the_root_however_its_path_is_written(path: str, preview: Preview) -> None:
    assert preview.ask(path).status == 404


def test_head_has_the_headers_of_get_and_no_body(preview: Preview) -> None:
    for path in ("/", "/q/lid/", "/q/lid", "/nothing", "/api/v1/questions.json"):
        got, head = preview.ask(path), preview.ask(path, "HEAD")
        dated = ("Date",)
        assert head.body == b""
        assert (head.status, {k: v for k, v in head.headers.items() if k not in dated}) == (
            got.status,
            {k: v for k, v in got.headers.items() if k not in dated},
        )


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "NONSENSE"])
def test_another_method_is_not_implemented_and_ends_the_connection(method: str, preview: Preview) -> None:
    answered = preview.ask("/", method)

    assert (answered.status, answered.headers["Connection"], answered.body) == (501, "close", b"")


@pytest.mark.parametrize(
    ("request_line", "answer"),
    [
        (b"nonsense\r\n\r\n", b""),  # without a version it is HTTP/0.9, which has no status line
        (b"GET / HTTP/9\r\n\r\n", b""),
        (b"GET / HTTP/3.0\r\n\r\n", b""),
        (b"GET /" + b"x" * 70000 + b" HTTP/1.1\r\n\r\n", b"HTTP/1.1 414 Request-URI Too Long"),
        (b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 200 + b"\r\n", b"HTTP/1.1 431 Request Header Fields Too Large"),
    ],
)
def test_a_request_that_cannot_be_read_ends_the_connection_and_nothing_else(
    request_line: bytes, answer: bytes, preview: Preview, capfd: pytest.CaptureFixture[str]
) -> None:
    answered = preview.ask_raw(request_line).partition(b"\r\n")[0]

    assert (answered, "Traceback" in capfd.readouterr().err) == (answer, False)
