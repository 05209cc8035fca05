"""Figures of answers are counts: states by what was expected, and claims by the rule that withdrew them."""

from typing import Literal

import pytest

from foregone.decide.answer import Answer, Inputs, decide_answer, without_context
from foregone.digest import Digest
from foregone.draft.draft import Draft, Drafter, Outcome
from foregone.ground.outcome import GroundedClaim, GroundedDraft, RuleOutcome, Work
from foregone.measure.answers import measure_answers
from foregone.measure.metric import rate
from foregone.retrieve.questions import Question

DIGEST = Digest("sha256:00")
INPUTS = Inputs(DIGEST, DIGEST, DIGEST, DIGEST, DIGEST, DIGEST, DIGEST, None, DIGEST, DIGEST)


def question_of(expected: Literal["partial", "unsupported"] | None) -> Question:
    sections = () if expected else ("kettle#1",)
    return Question("lid", "What?", "tea", "how", sections, "any", expected, why="Nothing." if expected else None)


def draft_of(outcome: Outcome) -> Draft:
    drafter = Drafter("imported", "a person", None)
    return Draft("lid", outcome, drafter, "2026-12-01", "1", DIGEST, {}, 1, 1, (), DIGEST)


def claim_of(*broken: str) -> GroundedClaim:
    """A claim that breaks these rules, and warns by another."""
    rules = (
        RuleOutcome("citation_unknown", "pass", "", "", ""),
        *(RuleOutcome(rule, "fail", "", "", "") for rule in broken),
        RuleOutcome("literal", "warn", "", "", ""),
    )
    verdict: Literal["withdrawn", "supported"] = "withdrawn" if broken else "supported"
    return GroundedClaim("c1", "It shuts.", "kettle#1", verdict, "none", None, rules, ())


def answer_of(
    expected: Literal["partial", "unsupported"] | None,
    outcome: Outcome,
    *claims: GroundedClaim,
    abandoned: bool = False,
) -> Answer:
    grounded = GroundedDraft("lid", DIGEST, claims, Work(len(claims), 0, 0, 10), abandoned)
    return decide_answer(
        question_of(expected), draft_of(outcome), (), grounded, index_version="0123456789ab", inputs=INPUTS
    )


ANSWERS = (
    answer_of(None, "answered", claim_of(), claim_of()),
    answer_of(None, "answered", claim_of(), claim_of("coverage")),
    answer_of(None, "partly", claim_of()),
    answer_of(None, "not_answered"),
    answer_of("unsupported", "not_answered"),
    answer_of("unsupported", "answered", claim_of("quote_not_found", "coverage")),
    answer_of("partial", "partly", claim_of()),
    answer_of("partial", "answered", claim_of()),
)


def test_answers_are_counted_by_expectation_and_state() -> None:
    figures = measure_answers(ANSWERS)

    assert figures.states == {
        "answerable": {"grounded": 1, "partial": 2, "unsupported": 1},
        "partial": {"grounded": 1, "partial": 1},
        "unsupported": {"unsupported": 2},
    }
    assert figures.by_check_alone == {
        "answerable": {"grounded": 2, "partial": 1, "unsupported": 1},
        "partial": {"grounded": 2},
        "unsupported": {"unsupported": 2},
    }


def test_claims_are_counted_by_the_rules_that_withdrew_them() -> None:
    figures = measure_answers(ANSWERS)

    assert (figures.claims, figures.withdrawn, figures.by_rule) == (8, 2, {"coverage": 2, "quote_not_found": 1})


def test_every_rate_names_what_it_was_measured_on() -> None:
    rates = measure_answers(ANSWERS).metrics()

    assert rates == {
        "grounded_rate": rate(1, 4, nothing=""),
        "state_agreement": rate(3, 4, nothing=""),
        "over_refusal": rate(2, 4, nothing=""),
        "answered_unanswerable": rate(1, 4, nothing=""),
        "claims_withdrawn": rate(2, 8, nothing=""),
    }


@pytest.mark.parametrize(
    ("outcome", "claims", "state", "is_answered"),
    [
        ("answered", (claim_of(),), "grounded", True),
        ("answered", (claim_of(), claim_of("coverage")), "partial", True),
        ("partly", (claim_of(),), "partial", False),
        ("answered", (claim_of("coverage"),), "unsupported", False),
        ("not_answered", (), "unsupported", False),
    ],
)
def test_a_partial_answers_where_its_draft_says_so(
    outcome: Outcome, claims: tuple[GroundedClaim, ...], state: str, *, is_answered: bool
) -> None:
    (judged,) = measure_answers([answer_of(None, outcome, *claims)]).answers

    assert (judged.state, judged.is_answered) == (state, is_answered)


def test_answers_without_a_verdict_keep_their_own_count_and_agree_with_nothing() -> None:
    abandoned = answer_of(None, "answered", abandoned=True)
    contextless = without_context(question_of(None), draft_of("answered"), INPUTS)
    figures = measure_answers([abandoned, contextless])

    assert figures.states == {"answerable": {"abandoned": 1, "no_context": 1}}
    assert figures.by_check_alone == figures.states
    assert (figures.claims, figures.withdrawn, figures.by_rule) == (0, 0, {})
    assert [(one.agrees, one.is_answered) for one in figures.answers] == [(False, False), (False, False)]


def test_rates_of_nothing_say_what_there_is_none_of() -> None:
    nothing, all_ = "no question of the set is answerable", "every question of the set is answerable"

    assert {name: (metric.value, metric.reason) for name, metric in measure_answers([]).metrics().items()} == {
        "grounded_rate": (None, nothing),
        "state_agreement": (None, all_),
        "over_refusal": (None, nothing),
        "answered_unanswerable": (None, all_),
        "claims_withdrawn": (None, "no answer has a claim"),
    }
