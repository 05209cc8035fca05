"""Pages are taken out of an RFC text: no footer, form feed or header is left, and paragraphs stay whole."""

import pytest

from foregone.corpus.lines import split_lines
from foregone.corpus.pages import remove_page_breaks

BREAK = """\

Boiler                       Kitchen Standard                   [Page 1]
\f
RFC 1                        Kettle Protocol                  March 2020

"""


def kept(text: str) -> list[str]:
    return [line.text for line in remove_page_breaks(split_lines(text.encode()))]


def over_a_page(before: str, after: str) -> list[str]:
    return kept(f"{before}\n{BREAK}\n{after}\n")


def test_a_paragraph_over_a_page_break_is_one_paragraph() -> None:
    assert over_a_page("   A kettle hums while", "   the water is warm.") == [
        "   A kettle hums while",
        "   the water is warm.",
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("   The kettle hums.", "   The lid is shut."),
        ("   The lid has two states:", "   Open and shut."),
        ('   She said "it hums."', "   The lid is shut."),
        ("   A kettle hums while", "      the water is warm."),
        ("   A kettle hums while", "2.  Whistling"),
        ("1.  Humming", "   A kettle hums while"),
        ("   o  a kettle that hums", "   o  a lid that is shut"),
        ("   A kettle hums while", "   (a) the water is warm"),
        ("   A kettle hums while", "   [TEA] the water is warm"),
        ('   lid = "open"', "   states of it are two"),
        ("   | a kettle", "   | a lid"),
        ("   kettle    hums", "   lid       is shut"),
        ("   see the place", "   https://kitchen.example/lid"),
    ],
    ids=[
        "sentence ended",
        "colon",
        "quotation ended",
        "other indent",
        "heading after",
        "heading before",
        "list item",
        "lettered item",
        "reference",
        "grammar",
        "box",
        "columns",
        "address",
    ],
)
def test_what_a_page_break_parts_stays_parted(before: str, after: str) -> None:
    assert over_a_page(before, after) == [before, "", after]


@pytest.mark.parametrize(("after", "lines"), [("   Everybody waits.", 2), ("   All wait.", 3)])
def test_a_sentence_that_ends_a_full_line_is_followed_by_what_had_no_room(after: str, lines: int) -> None:
    assert len(over_a_page("   A kettle hums softly while the water in it is only lukewarm.", after)) == lines


def test_no_blank_line_is_left_at_the_end_of_the_text() -> None:
    assert kept(f"   A kettle hums.\n{BREAK}\n\n") == ["   A kettle hums."]


@pytest.mark.parametrize(
    "page_break",
    [
        BREAK,
        BREAK.replace("[Page 1]", "[Page xiv]"),
        BREAK.replace("\n\f\n", "\n\n\n\f\n"),
        BREAK.replace("\f\n", "\f"),
        BREAK.replace("[Page 1]\n\f", "[Page 1]\f"),
        BREAK.replace("\n", "\r\n"),
        "\nBoiler                  Kitchen Standard            [Page 1]\n\n",
        BREAK + BREAK,
    ],
    ids=["usual", "Roman", "blanks", "header beside feed", "feed beside footer", "CRLF", "footer alone", "empty page"],
)
def test_every_form_of_a_page_break_is_taken_out(page_break: str) -> None:
    assert kept(f"   The kettle hums.\n{page_break}   The lid is shut.\n") == [
        "   The kettle hums.",
        "",
        "   The lid is shut.",
    ]


def test_a_page_number_in_the_text_is_no_footer() -> None:
    text = ["   The picture of a kettle is on its own page, see   [Page 7]", "   of the book [Page 8] by Boiler."]

    assert kept("\n".join(text)) == text
