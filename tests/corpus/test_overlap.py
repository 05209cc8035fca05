"""Twelve words in a row that stand in the corpus are a copy, however they are broken, cased or punctuated."""

import pytest

from foregone.corpus.overlap import copied_run, corpus_runs
from foregone.corpus.section import Section

TWELVE = "the kettle that stands on the stove hums while its water warms"


def section(text: str) -> Section:
    return Section("tea#1", "tea", "1", "Tea", (), text, (), (0, 0), has_sentences=True)


def copied(text: str, corpus: str = TWELVE) -> str | None:
    return copied_run(text, corpus_runs([section(corpus)]))


@pytest.mark.parametrize(
    "text",
    [
        TWELVE,
        f"As they say, {TWELVE} up.",
        "THE KETTLE\nthat stands\t on the stove\n\n   hums while its water warms",
        '"The kettle" (that stands on the stove) hums, while its - water -- warms!',
        "the ket\u200btle that\ufeff stands on\u2060 the st\u00adove hums while\u202e its wa\u200dter w\ufe0farms",
    ],
    ids=["alone", "inside", "other breaks", "other punctuation", "characters that cannot be seen"],
)
def test_a_run_of_twelve_words_is_found(text: str) -> None:
    assert copied(text) == TWELVE


@pytest.mark.parametrize(
    "text",
    [
        "",
        TWELVE.rpartition(" ")[0],
        TWELVE.replace("hums", "whistles"),
        TWELVE.replace("the stove", "stove"),
        TWELVE.replace("that stands", "that-stands"),
    ],
    ids=["nothing", "eleven words", "one word changed", "one word left out", "two words joined"],
)
def test_less_than_twelve_words_in_a_row_are_no_copy(text: str) -> None:
    assert copied(text) is None


def test_a_run_is_found_where_the_corpus_holds_what_cannot_be_seen() -> None:
    assert copied(TWELVE, TWELVE.replace("kettle", "ket\u00adtle")) == TWELVE


def test_the_first_of_several_copied_runs_is_named() -> None:
    assert copied(f"So {TWELVE} up slowly.", f"{TWELVE} up slowly") == TWELVE


def test_a_run_does_not_reach_from_one_section_into_another() -> None:
    halves = (TWELVE[:30], TWELVE[30:])

    assert copied_run(TWELVE, corpus_runs([section(half) for half in halves])) is None


def test_a_section_shorter_than_twelve_words_has_no_runs() -> None:
    assert corpus_runs([section(""), section("the kettle hums")]) == frozenset()
