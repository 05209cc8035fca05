"""The tiny site, byte for byte: a change of any published byte is seen in review."""

from pathlib import Path

import pytest

from golden.refresh import COMMAND, GOLDEN, golden_files

PINNED = sorted(path.relative_to(GOLDEN).as_posix() for path in GOLDEN.rglob("*") if path.is_file())


@pytest.fixture(scope="module")
def files(written: Path) -> dict[str, bytes]:
    return golden_files(written)


@pytest.mark.parametrize("path", PINNED)
def test_a_file_of_the_tiny_site_is_the_pinned_one(path: str, files: dict[str, bytes]) -> None:
    pinned = (GOLDEN / path).read_text("utf-8")

    assert files.get(path, b"").decode() == pinned, f"{GOLDEN / path} differs; review it and refresh: {COMMAND}"


def test_every_file_of_the_tiny_site_is_pinned(files: dict[str, bytes]) -> None:
    assert sorted(files) == PINNED, f"files came or went; review them and refresh: {COMMAND}"
