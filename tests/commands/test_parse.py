"""`foregone corpus parse` tells of every text below a folder, and goes on behind a bad one."""

import gzip
from pathlib import Path

import pytest

from foregone.cli import main
from tiny_corpus import CUPS

SUMMARY = (
    "1 texts parsed, {refused} refused\n"
    "4 sections, 3 with text, 0 that do not slice back\n"
    "0 texts with under 3 sections\n"
    "0 texts with repeated section numbers\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cups.txt.gz").write_bytes(gzip.compress(CUPS.encode()))
    return tmp_path


def test_a_folder_of_good_texts_is_fine(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["corpus", "parse", str(folder)]) == 0
    assert capsys.readouterr().out == SUMMARY.format(refused=0)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (gzip.compress(CUPS.encode())[:-20], "Compressed file ended before the end-of-stream marker was reached"),
        (b"no gzip", "Not a gzipped file (b'no')"),
    ],
    ids=["truncated", "not gzip"],
)
def test_a_file_that_cannot_be_unpacked_is_refused_and_the_others_are_parsed(
    folder: Path, content: bytes, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "tea.txt.gz").write_bytes(content)

    assert main(["corpus", "parse", str(folder)]) == 1
    assert capsys.readouterr().out == (
        f"error[bad-gzip]: {folder}/tea.txt.gz cannot be unpacked\n"
        f"  --> {folder}/tea.txt.gz\n"
        f"  {why}\n"
        "  mend: bring the file again: it is cut off or damaged\n"
    ) + SUMMARY.format(refused=1)


def test_a_text_that_is_not_utf8_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "tea.txt").write_bytes(b"1.  Tea\xff\n")

    assert main(["corpus", "parse", str(folder)]) == 1
    assert capsys.readouterr().out == (
        f"error[not-utf8]: {folder}/tea.txt is not UTF-8 text\n"
        f"  --> {folder}/tea.txt:1\n"
        "  byte 7 is 0xff: invalid start byte\n"
        "  mend: save the file as UTF-8\n"
    ) + SUMMARY.format(refused=1)
