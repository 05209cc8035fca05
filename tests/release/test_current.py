"""The preview moves from one whole release to the next between requests, never within one."""

import http.client
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from foregone.release.current import CurrentSite, Served
from foregone.release.publish import read_current
from foregone.release.serve import make_server
from tiny_corpus import edit, run, write_project


@dataclass
class Preview:
    """A running preview and what it reported."""

    root: Path
    port: int = 0
    reported: list[str] = field(default_factory=list)

    def get(self, path: str) -> tuple[int, str]:
        """Status and body of a GET."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", path)
        response = connection.getresponse()
        body = response.read().decode()
        connection.close()
        return response.status, body

    def build(self) -> str:
        """Build and give the release that is current then."""
        run("build", "--project", str(self.root))
        return read_current(self.root / "dist")[0].release


@pytest.fixture
def preview(tmp_path: Path) -> Iterator[Preview]:
    running = Preview(write_project(tmp_path))
    server = make_server(tmp_path / "dist", "127.0.0.1", 0, running.reported.append)
    running.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield running
    server.shutdown()
    server.server_close()


def change(root: Path) -> None:
    edit(root / "eval/questions.yaml", "Which colour should a teapot be?", "Which colour has a good teapot?")


def test_it_starts_without_a_site_and_serves_one_when_it_comes(preview: Preview) -> None:
    before = preview.get("/")
    release = preview.build()

    assert before == (
        503,
        "<!doctype html><title>No site to serve</title><p>nothing is published yet: run foregone build.\n",
    )
    assert release in preview.get("/")[1]
    assert preview.get("/current.json")[1] == (preview.root / "dist/current.json").read_text("utf-8")


def test_it_moves_to_a_new_release(preview: Preview) -> None:
    preview.build()
    preview.get("/")
    change(preview.root)
    release = preview.build()

    assert "Which colour has a good teapot?" in preview.get("/q/colour/")[1]
    assert preview.reported == [f"serving release {release} from now on"]


def test_it_keeps_the_last_release_where_the_new_one_is_not_whole(preview: Preview) -> None:
    preview.build()
    old = preview.get("/q/colour/")
    change(preview.root)
    release = preview.build()
    (preview.root / f"dist/v/{release}/q/lid/index.html").unlink()

    assert preview.get("/q/colour/") == old
    assert preview.reported == [
        f"release {release} is not whole and is passed over: missing v/{release}/q/lid/index.html"
    ]
    assert release not in preview.get("/current.json")[1]


@pytest.mark.parametrize("pointer", ["", "{", '{"release": "../.."}', "[]"])
def test_it_keeps_the_last_release_where_the_pointer_is_broken(preview: Preview, pointer: str) -> None:
    preview.build()
    old = preview.get("/q/colour/")
    (preview.root / "dist/current.json").write_text(pointer, encoding="utf-8")

    assert preview.get("/q/colour/") == old
    assert [line.partition(":")[0] for line in preview.reported] == [
        "the new release cannot be read and is passed over"
    ]


def test_it_serves_the_mended_release_after_a_broken_one(preview: Preview) -> None:
    preview.build()
    preview.get("/")
    change(preview.root)
    release = preview.build()
    (preview.root / f"dist/v/{release}/q/lid/index.html").unlink()
    preview.get("/")
    (preview.root / "dist/current.json").unlink()
    preview.build()

    assert "Which colour has a good teapot?" in preview.get("/q/colour/")[1]


def test_it_serves_a_release_that_is_repaired_in_place(preview: Preview) -> None:
    preview.build()
    preview.get("/")
    change(preview.root)
    release = preview.build()
    (preview.root / f"dist/v/{release}/q/lid/index.html").unlink()
    old = preview.get("/q/colour/")[1]
    preview.build()

    assert "Which colour should a teapot be?" in old
    assert "Which colour has a good teapot?" in preview.get("/q/colour/")[1]


def test_a_refused_release_is_reported_once(preview: Preview) -> None:
    release = preview.build()
    (preview.root / f"dist/v/{release}/q/lid/index.html").unlink()
    for _ in range(3):
        preview.get("/")

    assert preview.reported == [
        f"release {release} is not whole and is passed over: missing v/{release}/q/lid/index.html"
    ]


def test_where_the_only_release_is_refused_the_page_says_so(preview: Preview) -> None:
    release = preview.build()
    (preview.root / f"dist/v/{release}/q/lid/index.html").unlink()

    assert preview.get("/") == (
        503,
        (
            "<!doctype html><title>No site to serve</title><p>"
            f"release {release} is not whole and is passed over: missing v/{release}/q/lid/index.html.\n"
        ),
    )


def test_a_site_that_is_deleted_is_served_no_more_and_breaks_nothing(preview: Preview) -> None:
    preview.build()
    preview.get("/")
    shutil.rmtree(preview.root / "dist")

    assert preview.get("/q/colour/")[0] == 404


def test_a_request_reads_one_release_from_its_first_byte_to_its_last(preview: Preview) -> None:
    first = preview.build()
    site = CurrentSite(preview.root / "dist", preview.reported.append)
    acquired = site.acquire()
    change(preview.root)
    second = preview.build()

    assert isinstance(acquired, Served)
    assert acquired.release == first
    assert first in (acquired.folder / "index.html").read_text("utf-8")
    assert [served.release for served in (site.acquire(),) if isinstance(served, Served)] == [second]


def test_the_manifest_is_not_mirrored(preview: Preview) -> None:
    release = preview.build()

    assert [preview.get(path)[0] for path in ("/manifest.json", f"/v/{release}/manifest.json")] == [404, 200]
