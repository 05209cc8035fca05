"""Lines know their bytes, and a section's lines become one text that maps back to them letter by letter."""

import pytest

from foregone.corpus.lines import Line, publish_lines, split_lines
from foregone.corpus.section import Run


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        (b"", ()),
        (b"tea\n", (Line("tea", 0),)),
        (b"tea\n\npot", (Line("tea", 0), Line("", 4), Line("pot", 5))),
        (b"tea\r\n\r\npot\r\n", (Line("tea", 0), Line("", 5), Line("pot", 7))),
        (b"\xef\xbb\xbftea\npot\n", (Line("tea", 3), Line("pot", 7))),
        ("Zoë\nthé\n".encode(), (Line("Zoë", 0), Line("thé", 5))),
        ("tea\u2028cup\x0b\x85\npot\n".encode(), (Line("tea\u2028cup\x0b\x85", 0), Line("pot", 13))),
        (b"tea\rcup\r\npot", (Line("tea\rcup", 0), Line("pot", 9))),
    ],
    ids=["empty", "one", "no end", "CRLF", "byte order mark", "letters of two bytes", "other separators", "lone CR"],
)
def test_lines_know_their_bytes(source: bytes, lines: tuple[Line, ...]) -> None:
    assert split_lines(source) == lines


def test_a_line_ends_before_its_line_end() -> None:
    assert [line.byte_end for line in split_lines("Zoë\r\n\nthé".encode())] == [4, 6, 11]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("   Green.\n     Black.\n", "Green.\n  Black."),
        ("     Green.\n   Black.\n", "  Green.\nBlack."),
        ("\n\n   Green.  \n\n\n\n   Black.\n\n\n", "Green.\n\nBlack."),
        ("   a non-\n   bitter tea\n", "a non-bitter tea"),
        ("   a non-\n      bitter tea\n", "a non-bitter tea"),
        ("   a two-\n   or three-\n   cup pot\n", "a two-or three-cup pot"),
        ("   a tea -\n   a cup\n", "a tea -\na cup"),
        ("   tea--\n   cup\n", "tea--\ncup"),
        ("   a non-\n   (bitter) tea\n", "a non-\n(bitter) tea"),
        ("   two-\n\n   cups\n", "two-\n\ncups"),
        ("   Zoë-\n   cup\n", "Zoë-\ncup"),
        ("Green.\n", "Green."),
        ("", ""),
        ("   \n \t\n", ""),
    ],
    ids=[
        "indent kept",
        "first line indented",
        "blanks",
        "hyphen",
        "hyphen and indent",
        "hyphens in a row",
        "dash",
        "double dash",
        "before a bracket",
        "over a blank line",
        "behind another letter",
        "no indent",
        "heading alone",
        "white space",
    ],
)
def test_published_text_is_without_common_indent_blank_ends_and_broken_words(body: str, text: str) -> None:
    assert publish_lines(split_lines(body.encode()), join_hyphens=True)[0] == text


@pytest.mark.parametrize(
    ("body", "runs"),
    [
        ("tea\n", (Run(0, 0, 3),)),
        ("  Zoë\n    thé\n", (Run(0, 2, 3), Run(4, 9, 5))),
        ("tea\n\n\npot\n", (Run(0, 0, 3), Run(5, 6, 3))),
        ("tea  \r\npot\t\r\n", (Run(0, 0, 3), Run(4, 7, 3))),
        ("non-\n  bitter\n", (Run(0, 0, 4), Run(4, 7, 6))),
        (" \n\n", ()),
    ],
    ids=["one", "indent and letters of two bytes", "blanks", "white space at the end", "hyphen", "nothing"],
)
def test_every_line_of_text_is_a_run(body: str, runs: tuple[Run, ...]) -> None:
    assert publish_lines(split_lines(body.encode()), join_hyphens=True)[1] == runs


def test_without_joining_a_hyphen_at_a_line_end_stays_there() -> None:
    body = split_lines(b"  - a non-\n    bitter tea\n")

    assert publish_lines(body, join_hyphens=False) == ("- a non-\n  bitter tea", (Run(0, 2, 8), Run(9, 13, 12)))
