"""Figures of retrieval are counts over the answerable questions, with their denominators."""

from math import log2
from typing import Literal

import pytest

from foregone.measure.metric import Metric, rate
from foregone.measure.retrieval import (
    NOTHING,
    EvidenceFigures,
    ExpectedRanks,
    LegFigures,
    expect,
    expect_relevant,
    measure_evidence,
    measure_leg,
    measure_legs,
    rankings_of,
)
from foregone.retrieve.evidence import Retrieved
from tiny_rankings import question_of, ranking, retrieved_of

RANKS = {"a": 1, "b": 4, "c": 9}
NOT_MEASURED = Metric(None, 0, None, None, "no question of the set is answerable")


def ranks_by_leg(figures: tuple[LegFigures, ...]) -> dict[str, dict[str, int | None]]:
    """Leg -> question id -> the rank that counts."""
    return {leg.leg: leg.ranks for leg in figures}


@pytest.mark.parametrize(
    ("match", "sections", "rank", "first"),
    [
        ("any", ("b",), 4, 4),
        ("any", ("c", "b"), 4, 4),
        ("any", ("b", "absent"), 4, 4),
        ("any", ("absent",), None, None),
        ("all", ("b",), 4, 4),
        ("all", ("a", "c", "b"), 9, 1),
        ("all", ("b", "absent"), None, 4),
        ("all", ("absent",), None, None),
    ],
)
def test_any_takes_the_best_expected_section_and_all_the_worst(
    match: Literal["any", "all"], sections: tuple[str, ...], rank: int | None, first: int | None
) -> None:
    expected = expect(question_of("q", *sections, match=match), RANKS)

    assert (expected.rank, expected.first) == (rank, first)


@pytest.mark.parametrize(
    ("sections", "share", "ndcg"),
    [
        (("a",), 1.0, 1.0),
        (("b",), 1.0, 1 / log2(5)),
        (("a", "c"), 0.5, 1 / (1 + 1 / log2(3))),
        (("a", "absent"), 0.5, 1 / (1 + 1 / log2(3))),
        (("absent",), 0.0, 0.0),
    ],
)
def test_the_share_and_the_gain_count_every_expected_section(
    sections: tuple[str, ...], share: float, ndcg: float
) -> None:
    expected = expect(question_of("q", *sections), RANKS)

    assert (expected.share_within(5), expected.ndcg(5)) == (share, ndcg)


def test_a_full_top_is_the_ideal_one_however_many_sections_are_expected() -> None:
    expected = expect(question_of("q", *"abc"), {"a": 1, "b": 2, "c": 3})

    assert (expected.share_within(2), expected.ndcg(2)) == (2 / 3, 1.0)


def test_a_section_that_is_more_relevant_gains_more() -> None:
    expected = expect_relevant({"a": 1, "b": 3}, {"a": 1, "b": 2}, needs_all=False)

    assert expected.ndcg(10) == (1 + 3 / log2(3)) / (3 + 1 / log2(3))


def test_where_nothing_is_relevant_everything_counts_as_0() -> None:
    expected = ExpectedRanks({}, {}, needs_all=False)

    assert (expected.rank, expected.first, expected.share_within(10), expected.ndcg(10)) == (None, None, 0.0, 0.0)


def test_a_leg_is_measured_by_cutoffs_and_reciprocal_ranks() -> None:
    order = ranking(*"abcdefghijkl")
    figures = measure_leg("bm25", ((question_of(f"q-{section}", section), order) for section in "acjkz"))

    assert figures.ranks == {"q-a": 1, "q-c": 3, "q-j": 10, "q-k": 11, "q-z": None}
    assert [figures.recall(k) for k in (1, 3, 5, 10)] == [rate(hits, 5, nothing=NOTHING) for hits in (1, 2, 2, 3)]
    assert figures.mrr.value == pytest.approx((1 + 1 / 3 + 1 / 10 + 1 / 11) / 5)
    assert figures.misses == {"q-k": 11, "q-z": None}


def test_the_measures_of_trec_do_not_know_that_all_sections_are_needed() -> None:
    figures = measure_leg("bm25", [(question_of("both", "a", "d", match="all"), ranking(*"abcd"))])

    assert {name: metric.value for name, metric in figures.metrics().items()} == {
        "recall@1": 0.0,
        "recall@3": 0.0,
        "recall@5": 1.0,
        "recall@10": 1.0,
        "mrr": 0.25,
        "Success@1": 1.0,
        "Success@3": 1.0,
        "Success@5": 1.0,
        "Success@10": 1.0,
        "R@1": 0.5,
        "R@3": 0.5,
        "R@5": 1.0,
        "R@10": 1.0,
        "nDCG@10": (1 + 1 / log2(5)) / (1 + 1 / log2(3)),
        "RR": 1.0,
    }


QUESTIONS = (
    question_of("one", "b"),
    question_of("both", "a", "c", match="all"),
    question_of("refused"),
)
RETRIEVED: dict[str, Retrieved] = {
    "one": retrieved_of("one", bm25=ranking("a", "b"), dense=ranking("b", "c")),
    "both": retrieved_of("both", bm25=ranking("a", "b", "c"), dense=ranking("d")),
    "refused": retrieved_of("refused", bm25=(), dense=ranking("a")),
}


def test_each_leg_and_the_fusion_are_measured_over_answerable_questions() -> None:
    assert ranks_by_leg(measure_legs(QUESTIONS, RETRIEVED)) == {
        "bm25": {"one": 2, "both": 3},
        "dense": {"one": 1, "both": None},
        "fused": {"one": 1, "both": 4},
    }


def test_legs_stand_by_name_and_the_fusion_last_whatever_order_they_came_in() -> None:
    swapped = retrieved_of("one", dense=ranking("b"), bm25=ranking("a"))

    assert list(rankings_of(swapped)) == ["bm25", "dense", "fused"]


def test_evidence_holds_an_answer_where_all_that_is_needed_is_there() -> None:
    figures = measure_evidence(QUESTIONS, RETRIEVED)

    assert [RETRIEVED[question.id].evidence_ids for question in QUESTIONS] == [
        ("b", "a", "c"),
        ("a", "d", "b"),
        ("a",),
    ]
    assert figures == EvidenceFigures({"one": True, "both": False}, {"one": 3, "both": 3, "refused": 1})
    assert (figures.recall, figures.mean_size) == (rate(1, 2, nothing=NOTHING), 7 / 3)


def test_a_set_of_refusals_alone_measures_nothing() -> None:
    refused = {"refused": RETRIEVED["refused"]}
    legs, evidence = measure_legs(QUESTIONS[2:], refused), measure_evidence(QUESTIONS[2:], refused)

    assert {(leg.n, metric) for leg in legs for metric in leg.metrics().values()} == {(0, NOT_MEASURED)}
    assert evidence.recall == NOT_MEASURED
