"""Whatever a verdict holds, people read it as lines of printable text."""

import pytest

from foregone.gate.report.shown import Shown, in_words, printable, show, worst_first
from tiny_verdicts import MIXED, RANK, RECALL, STALE, SUNK, UNKNOWN, UNRANKED


def test_a_verdict_is_shown_in_words() -> None:
    assert show(SUNK) == Shown(
        name="rank/whistle",
        mark="FAILED",
        measured="4",
        limit="2",
        where="eval/questions.yaml:3",
        why=("the expected section kettle#2 is at rank 4, 2 allowed", "outranked by teapot#1, cups#1.2 and 1 more"),
        mend="see what moved it with `foregone compare`",
    )


def test_what_failed_comes_first_then_what_was_not_measured() -> None:
    assert worst_first(MIXED) == [SUNK, STALE, UNKNOWN, RECALL, RANK, UNRANKED]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "-"),
        (0, "0"),
        (1234567, "1234567"),
        (0.0, "0"),
        (0.8194444, "0.819444"),
        (1e-7, "1e-07"),
        ("a\nb", "a\\nb"),
    ],
)
def test_a_value_reads_as_a_person_would_write_it(value: float | str | None, words: str) -> None:
    assert in_words(value) == words


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Zoë's 茶 \U0001f375, 100 %", "Zoë's 茶 \U0001f375, 100 %"),
        ("a\r\nb\tc", "a\\r\\nb\\tc"),
        ("\x00\x1b[31m\x7f\x9b", "\\x00\\x1b[31m\\x7f\\x9b"),
        ("\ufffe\uffff\ud800\udfff", "\\ufffe\\uffff\\ud800\\udfff"),
        ("\x85\u2028\u2029", "\\x85\\u2028\\u2029"),
    ],
)
def test_what_reports_cannot_hold_stands_as_its_escape(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_every_character_is_one_line_of_xml_text_and_of_utf8() -> None:
    shown = "".join(printable(chr(code)) for code in range(0x11000))

    assert (len(shown.splitlines()), shown.encode().decode()) == (1, shown)
