"""Figures of retrieval are counts over the answerable questions, with their denominators."""

from fractions import Fraction
from typing import Literal

import pytest

from foregone.measure.retrieval import (
    EvidenceFigures,
    LegFigures,
    expected_rank,
    measure_evidence,
    measure_leg,
    measure_legs,
)
from foregone.retrieve.evidence import Retrieved, gather
from foregone.retrieve.questions import Question
from foregone.retrieve.ranking import Ranking, ScoredSection
from foregone.settings import Bm25Settings, RetrievalSettings

SETTINGS = RetrievalSettings(Bm25Settings("english", 40, 10), None, 10, 2)
RANKS = {"a": 1, "b": 4, "c": 9}


def question_of(name: str, *sections: str, match: Literal["any", "all"] = "any") -> Question:
    state: Literal["unsupported"] | None = None if sections else "unsupported"
    return Question(name, "What?", "tea", "how", sections, match, state, why=None if sections else "Nothing.")


def ranking(*sections: str) -> Ranking:
    return tuple(ScoredSection(section, 99.0 - place) for place, section in enumerate(sections))


@pytest.mark.parametrize(
    ("match", "sections", "rank"),
    [
        ("any", ("b",), 4),
        ("any", ("c", "b"), 4),
        ("any", ("b", "absent"), 4),
        ("any", ("absent",), None),
        ("all", ("b",), 4),
        ("all", ("a", "c", "b"), 9),
        ("all", ("b", "absent"), None),
        ("all", ("absent",), None),
    ],
)
def test_any_takes_the_best_expected_section_and_all_the_worst(
    match: Literal["any", "all"], sections: tuple[str, ...], rank: int | None
) -> None:
    assert expected_rank(question_of("q", *sections, match=match), RANKS) == rank


def test_a_leg_is_measured_by_cutoffs_and_reciprocal_ranks() -> None:
    order = ranking(*"abcdefghijkl")
    figures = measure_leg("bm25", ((question_of(f"q-{section}", section), order) for section in "acjkz"))

    ranks = {"q-a": 1, "q-c": 3, "q-j": 10, "q-k": 11, "q-z": None}
    assert figures == LegFigures("bm25", 5, {1: 1, 3: 2, 5: 2, 10: 3}, ranks)
    assert figures.mrr == float((Fraction(1) + Fraction(1, 3) + Fraction(1, 10) + Fraction(1, 11)) / 5)
    assert figures.misses == {"q-k": 11, "q-z": None}


QUESTIONS = (
    question_of("one", "b"),
    question_of("both", "a", "c", match="all"),
    question_of("refused"),
)
RETRIEVED: dict[str, Retrieved] = {
    "one": gather("one", {"bm25": ranking("a", "b"), "dense": ranking("b", "c")}, SETTINGS),
    "both": gather("both", {"bm25": ranking("a", "b", "c"), "dense": ranking("d")}, SETTINGS),
    "refused": gather("refused", {"bm25": (), "dense": ranking("a")}, SETTINGS),
}


def test_each_leg_and_the_fusion_are_measured_over_answerable_questions() -> None:
    assert measure_legs(QUESTIONS, RETRIEVED) == (
        LegFigures("bm25", 2, {1: 0, 3: 2, 5: 2, 10: 2}, {"one": 2, "both": 3}),
        LegFigures("dense", 2, {1: 1, 3: 1, 5: 1, 10: 1}, {"one": 1, "both": None}),
        LegFigures("fused", 2, {1: 1, 3: 1, 5: 2, 10: 2}, {"one": 1, "both": 4}),
    )


def test_evidence_holds_an_answer_where_all_that_is_needed_is_there() -> None:
    assert [RETRIEVED[question.id].evidence_ids for question in QUESTIONS] == [
        ("b", "a", "c"),
        ("a", "d", "b"),
        ("a",),
    ]
    assert measure_evidence(QUESTIONS, RETRIEVED) == EvidenceFigures(n=2, holding=1, sections=7, questions=3)


def test_a_set_of_refusals_alone_measures_nothing() -> None:
    bm25, *_ = measure_legs(QUESTIONS[2:], {"refused": RETRIEVED["refused"]})

    assert bm25 == LegFigures("bm25", 0, {1: 0, 3: 0, 5: 0, 10: 0}, {})
