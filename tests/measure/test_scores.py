"""Best scores of both groups overlap; how far is said in pairs, and by what the best threshold gets wrong."""

from itertools import product

import pytest

from foregone.measure.metric import Metric
from foregone.measure.scores import ScoreCut, ScoreOverlap, ScoreSpread, measure_scores, top_scores
from tiny_rankings import question_of, ranking, retrieved_of

NOT_MEASURED = Metric(None, 0, None, None, "one of the two groups has no question with a score")


def overlap_of(answerable: tuple[float, ...], unanswerable: tuple[float, ...]) -> ScoreOverlap:
    return ScoreOverlap("bm25", ScoreSpread(answerable, 0), ScoreSpread(unanswerable, 0))


@pytest.mark.parametrize(
    ("answerable", "unanswerable", "separation", "cut"),
    [
        ((3.0, 4.0), (1.0, 2.0), 1.0, ScoreCut(3.0, 0, 0)),
        ((1.0, 3.0), (2.0, 4.0), 0.25, ScoreCut(1.0, 0, 2)),
        ((1.0, 3.0, 4.0), (2.0,), 2 / 3, ScoreCut(1.0, 0, 1)),
        ((1.0, 4.0, 5.0), (2.0, 3.0), 2 / 3, ScoreCut(4.0, 1, 0)),
        ((2.0,), (2.0,), 0.5, ScoreCut(2.0, 0, 1)),
        ((1.0,), (2.0, 3.0), 0.0, ScoreCut(None, 1, 0)),
    ],
)
def test_the_overlap_is_told_in_pairs_and_by_the_mistakes_of_the_best_threshold(
    answerable: tuple[float, ...], unanswerable: tuple[float, ...], separation: float, cut: ScoreCut
) -> None:
    overlap = overlap_of(answerable, unanswerable)

    assert overlap.separation == Metric(separation, len(answerable) + len(unanswerable), None, None, None)
    assert overlap.cut == cut


def test_no_threshold_makes_fewer_mistakes_than_the_best() -> None:
    for scores in product((1.0, 2.0, 3.0), repeat=5):
        overlap = overlap_of(tuple(sorted(scores[:3])), tuple(sorted(scores[3:])))
        mistakes = [
            sum(score < cut for score in scores[:3]) + sum(score >= cut for score in scores[3:])
            for cut in (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5)
        ]

        assert overlap.cut
        assert overlap.cut.refused_answerable + overlap.cut.answered_unanswerable == min(mistakes), scores


@pytest.mark.parametrize(("answerable", "unanswerable"), [((), (1.0,)), ((1.0,), ()), ((), ())])
def test_a_group_without_a_score_leaves_nothing_to_tell_apart(
    answerable: tuple[float, ...], unanswerable: tuple[float, ...]
) -> None:
    overlap = overlap_of(answerable, unanswerable)

    assert (overlap.separation, overlap.cut, overlap.as_json()["best_cut"]) == (NOT_MEASURED, None, None)


def test_a_question_for_which_nothing_is_ranked_has_no_score_and_is_counted_apart() -> None:
    questions = [question_of("whistle", "a"), question_of("mute", "a"), question_of("colour"), question_of("shape")]
    retrieved = {
        "whistle": retrieved_of("whistle", bm25=ranking("a", "b", best=7.0)),
        "mute": retrieved_of("mute", bm25=()),
        "colour": retrieved_of("colour", bm25=ranking("b", best=5.0)),
        "shape": retrieved_of("shape", bm25=ranking("b", best=3.0)),
    }

    assert top_scores(retrieved["mute"]) == {"bm25": None, "fused": None}
    assert measure_scores(questions, retrieved) == (
        ScoreOverlap("bm25", ScoreSpread((7.0,), 1), ScoreSpread((3.0, 5.0), 0)),
        ScoreOverlap("fused", ScoreSpread((1 / 11,), 1), ScoreSpread((1 / 11, 1 / 11), 0)),
    )


def test_a_spread_is_published_by_its_quartiles() -> None:
    assert ScoreSpread((1.0, 2.0, 3.0, 4.0), 2).as_json() == {
        "n": 4,
        "unranked": 2,
        "min": 1.0,
        "lower_quartile": 1.75,
        "median": 2.5,
        "upper_quartile": 3.25,
        "max": 4.0,
    }


@pytest.mark.parametrize(("scores", "quartiles"), [((2.0,), (2.0,) * 5), ((), ())])
def test_one_score_is_all_of_its_quartiles_and_none_has_none(
    scores: tuple[float, ...], quartiles: tuple[float, ...]
) -> None:
    assert ScoreSpread(scores, 0).quartiles() == quartiles


def test_a_spread_of_nothing_is_published_without_numbers() -> None:
    assert ScoreSpread((), 3).as_json() == {
        "n": 0,
        "unranked": 3,
        "min": None,
        "lower_quartile": None,
        "median": None,
        "upper_quartile": None,
        "max": None,
    }


def test_an_overlap_is_published_with_its_best_threshold() -> None:
    assert overlap_of((1.0,), (2.0, 3.0)).as_json() == {
        "answerable": ScoreSpread((1.0,), 0).as_json(),
        "unanswerable": ScoreSpread((2.0, 3.0), 0).as_json(),
        "separation": Metric(0.0, 3, None, None, None).as_json(),
        "best_cut": {"score": None, "refused_answerable": 1, "answered_unanswerable": 0},
    }
