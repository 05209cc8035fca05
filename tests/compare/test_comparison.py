"""Two runs are compared over the questions that both asked, whatever else they hold."""

import random
from dataclasses import replace

import pytest

from foregone.compare.comparison import Comparison, compare_runs
from foregone.compare.figures import Discordance
from foregone.compare.json_value import comparison_value
from foregone.compare.run import Run
from tiny_run import asked, claim, tiny_run


def many(seed: int, differing: int) -> Run:
    """Forty questions, `differing` of them at random places in some way another."""
    chance = random.Random(seed)
    changed = set(chance.sample(range(40), differing))
    questions = []
    for place in range(40):
        expected = "unsupported" if place % 4 == 0 else "answerable"
        state = chance.choice(["grounded", "partial", "unsupported"]) if place in changed else "partial"
        fused = chance.randint(1, 30) if place in changed else place % 7 + 1
        questions.append(
            asked(f"q{place}", claim(place), state=state, expected=expected, fused=fused, draft=int(place in changed))
        )
    return tiny_run(*questions, index=int(differing > 0))


def test_a_run_compared_with_itself_shows_no_change() -> None:
    run = many(1, 20)

    found = compare_runs(run, run)
    assert found.is_same
    assert (found.changes, found.causes, found.inputs, found.unexplained) == ((), {}, {}, ())
    assert [figure.difference for figure in found.figures] == [0] * len(found.figures)
    assert (found.agreement.p, found.answered.p, found.ranks.flip.p, found.ranks.detectable) == (None,) * 4


@pytest.mark.parametrize("differing", [5, 20, 40])
def test_exchanging_the_runs_negates_differences_and_keeps_p_values(differing: int) -> None:
    a, b = many(1, 0), many(2, differing)

    there, back = compare_runs(a, b), compare_runs(b, a)
    assert [figure.difference for figure in back.figures] == [
        -difference if (difference := figure.difference) is not None else None for figure in there.figures
    ]
    assert back.agreement == Discordance(40, there.agreement.only_b, there.agreement.only_a)
    assert p_values(back) == p_values(there)
    assert (back.causes, back.kinds, back.inputs) == (there.causes, there.kinds, there.inputs)


def p_values(found: Comparison) -> tuple[float | None, ...]:
    return found.agreement.p, found.answered.p, found.ranks.flip.p, found.ranks.detectable


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_questions_changes_nothing(seed: int) -> None:
    a, b = many(1, 0), many(2, 30)
    chance = random.Random(seed)

    assert comparison_value(compare_runs(shuffled(a, chance), shuffled(b, chance))) == comparison_value(
        compare_runs(a, b)
    )


def shuffled(run: Run, chance: random.Random) -> Run:
    ids = list(run.questions)
    chance.shuffle(ids)
    return replace(run, questions={id_: run.questions[id_] for id_ in ids})


def test_questions_of_one_run_alone_are_named_and_in_no_figure() -> None:
    a = tiny_run(asked("lid", fused=2), asked("steam", fused=None), asked("spout"))
    b = tiny_run(asked("lid", fused=2), asked("valve", state="partial", fused=50), asked("spout"))

    found = compare_runs(a, b)
    assert (found.shared, found.only_a, found.only_b) == (("lid", "spout"), ("steam",), ("valve",))
    assert (found.changes, found.is_same) == ((), False)
    assert {figure.name: (figure.a.value, figure.b.n, figure.difference) for figure in found.figures}["mrr"] == (
        0.75,
        2,
        0.0,
    )


def test_every_figure_is_recomputed_with_its_denominator() -> None:
    a = tiny_run(
        asked("lid", claim(1), claim(2, "literal"), fused=1),
        asked("spout", fused=4, in_evidence=False),
        asked("steam", fused=None),
        asked("colour", expected="unsupported"),
    )
    b = tiny_run(
        asked("lid", claim(1), claim(2), fused=2),
        asked("spout", fused=4),
        asked("steam", fused=10, state="partial"),
        asked("colour", expected="unsupported", state="grounded"),
    )

    figures = {figure.name: (figure.a.value, figure.b.value, figure.a.n) for figure in compare_runs(a, b).figures}
    assert figures == {
        "recall@1": (1 / 3, 0.0, 3),
        "recall@3": (1 / 3, 1 / 3, 3),
        "recall@5": (2 / 3, 2 / 3, 3),
        "recall@10": (2 / 3, 1.0, 3),
        "mrr": (1.25 / 3, 0.85 / 3, 3),
        "evidence_recall": (2 / 3, 1.0, 3),
        "grounded_rate": (1.0, 2 / 3, 3),
        "state_agreement": (1.0, 0.0, 1),
        "answered_unanswerable": (0.0, 1.0, 1),
        "claims_withdrawn": (0.5, 0.0, 2),
    }


def test_what_nothing_stands_below_is_not_measured() -> None:
    run = tiny_run(asked("lid"))

    found = {figure.name: figure for figure in compare_runs(run, run).figures}
    assert (found["state_agreement"].a.reason, found["state_agreement"].difference) == (
        "no shared question is unanswerable in both runs",
        None,
    )
    assert found["claims_withdrawn"].a.reason == "no shared question has a claim"


def test_runs_without_a_question_in_common_measure_nothing() -> None:
    found = compare_runs(tiny_run(asked("lid")), tiny_run(asked("spout")))

    assert {figure.a.status for figure in found.figures} == {"not_measured"}
    assert (found.agreement, found.agreement.p, found.agreement.fewest) == (Discordance(0, 0, 0), None, None)


def test_a_question_that_is_answerable_in_one_run_alone_is_in_no_rate() -> None:
    a = tiny_run(asked("lid"), asked("colour", expected="unsupported"))
    b = tiny_run(asked("lid"), asked("colour", question=1))

    found = compare_runs(a, b)
    assert found.turned == ("colour",)
    assert {figure.name: figure.b.n for figure in found.figures if figure.b.n} == {
        "recall@1": 1,
        "recall@3": 1,
        "recall@5": 1,
        "recall@10": 1,
        "mrr": 1,
        "evidence_recall": 1,
        "grounded_rate": 1,
    }


def test_a_leg_of_one_run_alone_is_named_once_and_changes_no_question() -> None:
    a = tiny_run(asked("lid"))
    b = tiny_run(asked("lid", ranks={"fused": 1, "bm25": 9}), retrieval=1)

    found = compare_runs(a, b)
    assert (found.legs_of_one, found.changes, found.is_same) == (("bm25", "dense"), (), False)


def test_inputs_that_differ_are_counted_by_question() -> None:
    a = tiny_run(asked("lid"), asked("spout"))
    b = tiny_run(asked("lid", draft=1), asked("spout"), code=1)

    assert compare_runs(a, b).inputs == {"code": 2, "draft": 1}


def test_unexplained_changes_come_first_then_states_then_ranks() -> None:
    a = tiny_run(*(asked(id_) for id_ in ("a-rank", "b-state", "c-nothing", "d-unexplained")))
    b = tiny_run(
        asked("a-rank", fused=2),
        asked("b-state", state="partial", draft=1),
        asked("c-nothing"),
        asked("d-unexplained", outcome="partly"),
        index=1,
    )

    found = compare_runs(a, b)
    assert [change.id for change in found.changes] == ["d-unexplained", "b-state", "a-rank"]
    assert found.unexplained == ("d-unexplained",)
    assert found.causes == {"index": 1, "draft": 1, "unexplained": 1}
    assert found.kinds == {"state": 1, "outcome": 1, "by_check_alone": 1, "rank": 1}


def test_discordant_questions_are_counted_each_way() -> None:
    good, bad = {"agrees": True}, {"agrees": False}
    a = tiny_run(*(asked(f"q{place}", **(good if place < 7 else bad)) for place in range(9)))
    b = tiny_run(*(asked(f"q{place}", **(bad if place < 6 else good)) for place in range(9)))

    found = compare_runs(a, b)
    assert (found.agreement, found.agreement.p, found.agreement.fewest) == (Discordance(9, 6, 2), 0.2890625, 6)
