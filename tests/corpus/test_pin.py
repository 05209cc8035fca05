"""A document is read only where its bytes are those that the manifest names."""

from pathlib import Path

import pytest

from foregone.corpus.manifest import Document, Manifest
from foregone.corpus.pin import check_pin, is_pinned, read_pinned
from foregone.digest import Digest
from foregone.errors import Refused

CONTENT = b"1. Introduction\n"
DIGEST = Digest("sha256:d56461554a5752f8a1507e08111b33d1e4dcdbc0d5d755fd1263a8b059cff215")


def one_document(digest: Digest = DIGEST) -> Document:
    return Document(
        id="rfc1",
        title="Host Software",
        parser="rfc",
        url="https://example.org/rfc1.txt",
        section_url="https://example.org/rfc1#{anchor}",
        retrieved="2026-12-01",
        length=16,
        digest=digest,
        debian=None,
        where="corpus/manifest.yaml:14",
    )


def one_manifest(folder: Path) -> Manifest:
    (folder / "sources").mkdir()
    return Manifest(folder / "manifest.yaml", "One", "One document.", (one_document(),))


def test_the_pinned_bytes_are_given_back() -> None:
    assert check_pin(CONTENT, one_document(), Path("corpus/sources/rfc1.txt")) == CONTENT


def test_a_missing_byte_is_refused_with_expected_and_found() -> None:
    with pytest.raises(Refused) as refused:
        check_pin(b"1. Introduction", one_document(), Path("corpus/sources/rfc1.txt"))

    assert str(refused.value) == (
        "error[pin-mismatch]: corpus/sources/rfc1.txt does not match its pin\n"
        "  --> corpus/manifest.yaml:14\n"
        "  expected sha256:d56461554a5752f8a1507e08111b33d1e4dcdbc0d5d755fd1263a8b059cff215  (16 bytes)\n"
        "  found    sha256:6e62ee82e3df2a7dfcaba91e18eab2a77c9c7f7b4a5dceb49528346078b636d2  (15 bytes)\n"
        "  mend: delete the file and run `foregone corpus fetch`, or review the change and pin it in the manifest"
    )


def test_any_flipped_byte_breaks_the_pin() -> None:
    flipped = [
        CONTENT[:position] + bytes([byte ^ 1]) + CONTENT[position + 1 :] for position, byte in enumerate(CONTENT)
    ]

    assert [is_pinned(content, one_document()) for content in flipped] == [False] * 16


def test_a_fetched_file_is_read(tmp_path: Path) -> None:
    manifest = one_manifest(tmp_path)
    (tmp_path / "sources/rfc1.txt").write_bytes(CONTENT)

    assert read_pinned(manifest, one_document()) == CONTENT


def test_a_file_that_was_not_fetched_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        read_pinned(one_manifest(tmp_path), one_document())

    assert str(refused.value) == (
        f"error[not-fetched]: {tmp_path}/sources/rfc1.txt is not there\n"
        "  --> corpus/manifest.yaml:14\n"
        "  mend: run `foregone corpus fetch`"
    )


def test_a_changed_file_is_refused_when_it_is_read(tmp_path: Path) -> None:
    manifest = one_manifest(tmp_path)
    (tmp_path / "sources/rfc1.txt").write_bytes(b"1. introduction\n")

    with pytest.raises(Refused, match=r"^error\[pin-mismatch\]"):
        read_pinned(manifest, one_document())


def test_a_link_out_of_the_sources_is_refused_though_its_bytes_match(tmp_path: Path) -> None:
    manifest = one_manifest(tmp_path)
    (tmp_path / "elsewhere.txt").write_bytes(CONTENT)
    (tmp_path / "sources/rfc1.txt").symlink_to("../elsewhere.txt")

    with pytest.raises(Refused) as refused:
        read_pinned(manifest, one_document())

    assert str(refused.value) == (
        f"error[outside-sources]: {tmp_path}/sources/rfc1.txt is a link that leads outside {tmp_path}/sources\n"
        "  --> corpus/manifest.yaml:14\n"
        f"  it leads to {tmp_path.resolve()}/elsewhere.txt\n"
        "  mend: delete the link and run `foregone corpus fetch`"
    )


def test_a_link_inside_the_sources_is_followed(tmp_path: Path) -> None:
    manifest = one_manifest(tmp_path)
    (tmp_path / "sources/host-software.txt").write_bytes(CONTENT)
    (tmp_path / "sources/rfc1.txt").symlink_to("host-software.txt")

    assert read_pinned(manifest, one_document()) == CONTENT


def test_a_link_to_itself_is_not_there(tmp_path: Path) -> None:
    manifest = one_manifest(tmp_path)
    (tmp_path / "sources/rfc1.txt").symlink_to("rfc1.txt")

    with pytest.raises(Refused, match=r"^error\[not-fetched\]"):
        read_pinned(manifest, one_document())


def test_a_folder_in_the_place_of_a_file_is_refused(tmp_path: Path) -> None:
    manifest = one_manifest(tmp_path)
    (tmp_path / "sources/rfc1.txt").mkdir()

    with pytest.raises(Refused) as refused:
        read_pinned(manifest, one_document())

    assert str(refused.value) == (
        f"error[unreadable]: {tmp_path}/sources/rfc1.txt cannot be read\n"
        f"  --> {tmp_path}/sources/rfc1.txt\n"
        "  Is a directory\n"
        "  mend: make it a readable file, or delete it and run `foregone corpus fetch`"
    )
