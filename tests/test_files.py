"""A file is written whole or not at all, and read as UTF-8 or refused with line and byte."""

from pathlib import Path

import pytest

from foregone.errors import Refused
from foregone.files import decode_utf8, read_bytes, read_text, write_atomically

BOM = b"\xef\xbb\xbf"


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def names() -> list[str]:
    return sorted(str(path) for path in Path().rglob("*"))


def test_a_written_file_holds_the_bytes_and_nothing_is_left_beside_it() -> None:
    write_atomically(Path("tea.txt"), b"green\r\n")

    assert (Path("tea.txt").read_bytes(), names()) == (b"green\r\n", ["tea.txt"])


def test_the_folder_of_a_written_file_is_made() -> None:
    write_atomically(Path("pot/lid/tea.txt"), b"")

    assert names() == ["pot", "pot/lid", "pot/lid/tea.txt"]


def test_a_file_that_was_there_is_replaced_and_readable_by_all() -> None:
    Path("tea.txt").write_bytes(b"a long text of black tea")
    Path("tea.txt").chmod(0o600)
    write_atomically(Path("tea.txt"), b"green")

    assert (Path("tea.txt").read_bytes(), Path("tea.txt").stat().st_mode & 0o777) == (b"green", 0o644)


def test_a_link_is_replaced_and_what_it_led_to_is_left_alone() -> None:
    Path("old.txt").write_bytes(b"black")
    Path("tea.txt").symlink_to("old.txt")
    write_atomically(Path("tea.txt"), b"green")

    assert (Path("old.txt").read_bytes(), Path("tea.txt").is_symlink()) == (b"black", False)


def test_a_write_that_fails_leaves_nothing_behind() -> None:
    Path("tea.txt/full").mkdir(parents=True)

    with pytest.raises(IsADirectoryError):
        write_atomically(Path("tea.txt"), b"green")
    assert names() == ["tea.txt", "tea.txt/full"]


def test_a_file_that_is_absent_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        read_bytes(Path("tea.txt"), mend="brew one")

    assert str(refused.value) == (
        "error[unreadable]: tea.txt cannot be read\n  --> tea.txt\n  No such file or directory\n  mend: brew one"
    )


def test_a_folder_is_not_read_as_a_text() -> None:
    Path("tea.txt").mkdir()

    with pytest.raises(Refused) as refused:
        read_text(Path("tea.txt"), mend="brew one")
    assert str(refused.value) == (
        "error[unreadable]: tea.txt cannot be read\n  --> tea.txt\n  Is a directory\n  mend: brew one"
    )


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", ""),
        (BOM + b"tea", "tea"),
        (BOM + BOM + b"tea", "\ufefftea"),
        (b"tea" + BOM, "tea\ufeff"),
        ("Zoë\r\n".encode(), "Zoë\r\n"),
    ],
)
def test_one_byte_order_mark_is_taken_off_and_nothing_else(content: bytes, text: str) -> None:
    Path("tea.txt").write_bytes(content)

    assert read_text(Path("tea.txt"), mend="brew one") == text


@pytest.mark.parametrize(
    ("content", "line", "why"),
    [
        (b"\xff", 1, "byte 0 is 0xff: invalid start byte"),
        (b"tea\nZo\xeb\n", 2, "byte 6 is 0xeb: invalid continuation byte"),
        (b"tea\n\n\xc3", 3, "byte 5 is 0xc3: unexpected end of data"),
        (BOM + b"t\n\xff", 2, "byte 5 is 0xff: invalid start byte"),
        (b"\xed\xa0\x80", 1, "byte 0 is 0xed: invalid continuation byte"),
    ],
    ids=["first byte", "latin-1", "cut letter", "byte order mark counted", "surrogate"],
)
def test_what_is_not_utf8_is_refused_with_line_and_byte(content: bytes, line: int, why: str) -> None:
    with pytest.raises(Refused) as refused:
        decode_utf8(content, Path("tea.txt"))

    assert str(refused.value) == (
        f"error[not-utf8]: tea.txt is not UTF-8 text\n  --> tea.txt:{line}\n  {why}\n  mend: save the file as UTF-8"
    )
