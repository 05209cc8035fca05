"""What a terminal would obey or not show is shown as an escape, and nothing else is."""

import json
import sys
import unicodedata

import pytest

from foregone.characters import make_visible, strip_invisible

DRAWN = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
"""Format characters that are drawn: signs around Arabic, Syriac and Kaithi numbers."""


def test_no_character_that_controls_or_cannot_be_seen_is_left() -> None:
    unseen = (
        chr(code)
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) in ("Cc", "Cf", "Zl", "Zp") and chr(code) not in DRAWN + "\t\n"
    )

    assert [letter for letter in unseen if not make_visible(letter).startswith("\\u")] == []


@pytest.mark.parametrize("text", ["", "a\tb\nc", "Zoë's pot", "हिन्दी चाय", "٣ \u0600", "茶 🍵", r"\u001b"])
def test_what_can_be_seen_stays(text: str) -> None:
    assert make_visible(text) == text


@pytest.mark.parametrize("text", ["\x1b[2J\x07", "a\u202eb\u2066c", "\x7f\x9b", "\U000e0041\ufeff", "\r\n\u2028"])
def test_a_json_document_says_the_same_as_before(text: str) -> None:
    shown = make_visible(json.dumps({text: [text]}, ensure_ascii=False))

    assert json.loads(shown) == {text: [text]}


def test_stripping_leaves_what_is_seen() -> None:
    assert strip_invisible("\ufeffte\u200ba \u2066and\u2069 mi\u00adlk\U000e0061") == "tea and milk"
