"""Every document comes by the first way that brings the pinned bytes; when none does, each way is named."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from foregone.corpus.debian import Absent
from foregone.corpus.download import DownloadFailed
from foregone.corpus.fetch import Fetched, fetch_corpus, ways_in_words
from foregone.corpus.manifest import DebianCopy, Document, Manifest
from foregone.digest import digest_bytes
from foregone.errors import Refused

TEXTS = {"rfc1": b"one\n", "rfc2": b"two\n"}
TWO = "sha256:27dd8ed44a83ff94d557f9fd0412ed5a8cbca69ea04922d88c01184a07300a5a"


@dataclass
class World:
    """A folder with a manifest of two documents, and an outside that gives nothing.

    `World(tmp_path, urls=TEXTS).fetch()` brings both by URL; each test states what the outside gives.
    """

    folder: Path
    urls: Mapping[str, bytes] = field(default_factory=dict)
    packages: Mapping[str, bytes] = field(default_factory=dict)
    mirror: Path | None = None
    unreachable: str = ""
    asked: list[str] = field(default_factory=list)
    reported: list[str] = field(default_factory=list)

    @property
    def manifest(self) -> Manifest:
        documents = tuple(document(name, line) for name, line in (("rfc1", 12), ("rfc2", 24)))
        return Manifest(self.folder / "manifest.yaml", "Two", "Two documents.", documents)

    @property
    def sources(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in sorted((self.folder / "sources").glob("*"))}

    def put(self, name: str, content: bytes) -> None:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)

    def download(self, url: str, limit: int) -> bytes:
        name = url.rpartition("/")[2]
        self.asked.append(f"{name}, {limit} bytes")
        if name not in self.urls:
            raise DownloadFailed(f"{url} answers 404 Not Found", unreachable=self.unreachable)
        return self.urls[name]

    def unpack(self, copies: Sequence[DebianCopy]) -> Mapping[DebianCopy, bytes | Absent]:
        self.asked.append(" ".join(copy.path for copy in copies))
        return {copy: self.packages.get(copy.path, Absent("apt-get is not installed")) for copy in copies}

    def fetch(self) -> tuple[Fetched, ...]:
        return fetch_corpus(
            self.manifest,
            mirror=self.mirror,
            download=self.download,
            unpack_debian=self.unpack,
            report=self.reported.append,
        )

    def refusal(self) -> str:
        with pytest.raises(Refused) as refused:
            self.fetch()
        return str(refused.value)


def document(name: str, line: int) -> Document:
    return Document(
        id=name,
        title=name,
        parser="rfc",
        url=f"https://rfc.example/{name}",
        section_url="https://rfc.example/#{anchor}",
        retrieved="2026-12-01",
        length=len(TEXTS[name]),
        digest=digest_bytes(TEXTS[name]),
        debian=DebianCopy("doc-rfc", name),
        where=f"corpus/manifest.yaml:{line}",
    )


def on_disk(world: World) -> None:
    for name, text in TEXTS.items():
        world.put(f"sources/{name}.txt", text)


def in_the_mirror(world: World) -> None:
    world.mirror = world.folder / "mirror"
    for name, text in TEXTS.items():
        world.put(f"mirror/{name}.txt", text)


def at_the_url(world: World) -> None:
    world.urls = TEXTS


def in_the_package(world: World) -> None:
    world.packages = TEXTS


@pytest.mark.parametrize(
    ("present", "way"),
    [
        ((on_disk, in_the_mirror, at_the_url, in_the_package), "disk"),
        ((in_the_mirror, at_the_url, in_the_package), "mirror"),
        ((at_the_url, in_the_package), "url"),
        ((in_the_package,), "debian"),
    ],
)
def test_the_first_way_that_has_the_documents_is_taken(
    tmp_path: Path, present: tuple[Callable[[World], None], ...], way: str
) -> None:
    world = World(tmp_path)
    for prepare in present:
        prepare(world)

    fetched = world.fetch()

    assert [(each.document_id, each.way) for each in fetched] == [("rfc1", way), ("rfc2", way)]
    assert world.sources == {"rfc1.txt": b"one\n", "rfc2.txt": b"two\n"}


def test_nothing_is_asked_for_that_is_on_disk(tmp_path: Path) -> None:
    world = World(tmp_path)
    on_disk(world)

    world.fetch()

    assert (world.asked, world.reported) == ([], [])


def test_each_document_comes_its_own_way(tmp_path: Path) -> None:
    world = World(tmp_path, urls={"rfc1": b"one\n"}, packages={"rfc2": b"two\n"})

    assert world.fetch() == (Fetched("rfc1", "url"), Fetched("rfc2", "debian"))
    assert world.asked == ["rfc1, 4 bytes", "rfc2, 4 bytes", "rfc2"]
    assert world.reported == ["rfc1: from the source URL", "asking apt for doc-rfc", "rfc2: from a Debian package"]


def test_packages_are_asked_once_for_all_documents(tmp_path: Path) -> None:
    world = World(tmp_path, packages=TEXTS, unreachable="rfc.example")

    world.fetch()

    assert world.asked == ["rfc1, 4 bytes", "rfc1 rfc2"]


def test_when_all_ways_fail_each_is_named_with_its_reason(tmp_path: Path) -> None:
    assert World(tmp_path).refusal() == (
        "error[fetch-failed]: 2 of 2 documents could not be fetched\n"
        "  --> corpus/manifest.yaml:12\n"
        "  rfc1 (corpus/manifest.yaml:12)\n"
        "    mirror: FOREGONE_CORPUS_MIRROR is not set\n"
        "    url: https://rfc.example/rfc1 answers 404 Not Found\n"
        "    debian: apt-get is not installed\n"
        "  rfc2 (corpus/manifest.yaml:24)\n"
        "    mirror: FOREGONE_CORPUS_MIRROR is not set\n"
        "    url: https://rfc.example/rfc2 answers 404 Not Found\n"
        "    debian: apt-get is not installed\n"
        "  mend: set FOREGONE_CORPUS_MIRROR to a folder that holds the missing files as <id>.txt, "
        "or connect to the network, and run `foregone corpus fetch` again"
    )


def test_other_bytes_are_a_failed_way_and_are_not_written(tmp_path: Path) -> None:
    world = World(tmp_path, urls={"rfc1": b"one\n", "rfc2": b"two"}, packages={"rfc2": b"TWO\n"})
    world.mirror = tmp_path / "mirror"
    world.put("mirror/rfc2.txt", b"")

    assert world.refusal() == (
        "error[fetch-failed]: 1 of 2 documents could not be fetched\n"
        "  --> corpus/manifest.yaml:24\n"
        "  rfc2 (corpus/manifest.yaml:24)\n"
        f"    mirror: {tmp_path}/mirror/rfc2.txt does not match the pin: expected {TWO}  (4 bytes), "
        "found    sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  (0 bytes)\n"
        f"    url: https://rfc.example/rfc2 does not match the pin: expected {TWO}  (4 bytes), "
        "found    sha256:3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3  (3 bytes)\n"
        f"    debian: doc-rfc: rfc2 does not match the pin: expected {TWO}  (4 bytes), "
        "found    sha256:465a43c7b7b79945ec5bc4dd80b20230ea1a992bd6401fe2ed5f736d67799e0c  (4 bytes)\n"
        "  mend: set FOREGONE_CORPUS_MIRROR to a folder that holds the missing files as <id>.txt, "
        "or connect to the network, and run `foregone corpus fetch` again"
    )
    assert world.sources == {"rfc1.txt": b"one\n"}


def test_a_document_that_came_is_kept_when_a_later_one_fails(tmp_path: Path) -> None:
    world = World(tmp_path, packages={"rfc1": b"one\n"})

    world.refusal()

    assert world.sources == {"rfc1.txt": b"one\n"}


def test_a_document_that_came_is_kept_when_the_next_download_breaks_the_program(tmp_path: Path) -> None:
    def download(url: str, limit: int) -> bytes:
        if limit and url.endswith("rfc2"):
            raise KeyboardInterrupt
        return b"one\n"

    world = World(tmp_path)

    with pytest.raises(KeyboardInterrupt):
        fetch_corpus(world.manifest, mirror=None, download=download, unpack_debian=world.unpack, report=print)

    assert world.sources == {"rfc1.txt": b"one\n"}


def test_a_changed_file_on_disk_is_refused_before_anything_is_asked_for(tmp_path: Path) -> None:
    world = World(tmp_path, urls=TEXTS)
    world.put("sources/rfc2.txt", b"two")

    assert world.refusal() == (
        f"error[pin-mismatch]: {tmp_path}/sources/rfc2.txt does not match its pin\n"
        "  --> corpus/manifest.yaml:24\n"
        f"  expected {TWO}  (4 bytes)\n"
        "  found    sha256:3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3  (3 bytes)\n"
        "  mend: delete the file and run `foregone corpus fetch`, or review the change and pin it in the manifest"
    )
    assert (world.asked, world.sources) == ([], {"rfc2.txt": b"two"})


def test_a_host_that_cannot_be_connected_to_is_tried_once(tmp_path: Path) -> None:
    world = World(tmp_path, unreachable="rfc.example")

    refusal = world.refusal()

    assert world.asked == ["rfc1, 4 bytes", "rfc1 rfc2"]
    assert "    url: https://rfc.example/rfc2 is not tried: rfc.example cannot be connected to\n" in refusal


def test_a_document_without_a_package_is_told_so(tmp_path: Path) -> None:
    world = World(tmp_path)
    plain = Document(**{**{name: getattr(document("rfc1", 12), name) for name in Document.__slots__}, "debian": None})
    manifest = Manifest(tmp_path / "manifest.yaml", "One", "One document.", (plain,))

    with pytest.raises(Refused) as refused:
        fetch_corpus(manifest, mirror=None, download=world.download, unpack_debian=world.unpack, report=print)

    assert refused.value.why[-1] == "  debian: the manifest names no package"
    assert world.asked == ["rfc1, 4 bytes"]


def test_a_mirror_that_lacks_the_file_is_told_so(tmp_path: Path) -> None:
    world = World(tmp_path, mirror=tmp_path / "mirror")

    assert f"    mirror: {tmp_path}/mirror/rfc1.txt: No such file or directory\n" in world.refusal()


def test_sources_that_cannot_be_written_are_refused(tmp_path: Path) -> None:
    world = World(tmp_path, urls=TEXTS)
    world.put("sources", b"a file in the place of the folder")

    assert world.refusal() == (
        f"error[unwritable]: {tmp_path}/sources/rfc1.txt cannot be written\n"
        f"  --> {tmp_path}/sources/rfc1.txt\n"
        "  File exists\n"
        f"  mend: make {tmp_path}/sources a folder that can be written to, with room for the file"
    )


def test_the_ways_are_counted_in_words() -> None:
    fetched = (Fetched("rfc1", "debian"), Fetched("rfc2", "mirror"), Fetched("rfc3", "debian"))

    assert ways_in_words(fetched) == "3 documents: 1 from the mirror folder, 2 from a Debian package"


def test_one_document_is_counted_in_the_singular() -> None:
    assert ways_in_words((Fetched("rfc1", "disk"),)) == "1 document: 1 already on disk"
