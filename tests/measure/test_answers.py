"""Figures of answers are counts: states by what was expected, and claims by the rule that withdrew them."""

from typing import Literal

from foregone.decide.answer import Answer, Inputs, decide_answer, without_context
from foregone.digest import Digest
from foregone.draft.draft import Draft, Drafter, Outcome
from foregone.ground.outcome import GroundedClaim, GroundedDraft, RuleOutcome, Work
from foregone.measure.answers import AnswerFigures, measure_answers
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


def test_answers_are_counted_by_expectation_and_state_and_claims_by_rule() -> None:
    answers = [
        answer_of(None, "answered", claim_of(), claim_of()),
        answer_of(None, "answered", claim_of(), claim_of("coverage")),
        answer_of(None, "partly", claim_of()),
        answer_of("unsupported", "not_answered"),
        answer_of("unsupported", "answered", claim_of("quote_not_found", "coverage")),
        answer_of("partial", "partly", claim_of()),
    ]

    assert measure_answers(answers) == AnswerFigures(
        states={
            "answerable": {"grounded": 1, "partial": 2},
            "partial": {"partial": 1},
            "unsupported": {"unsupported": 2},
        },
        by_check_alone={
            "answerable": {"grounded": 2, "partial": 1},
            "partial": {"grounded": 1},
            "unsupported": {"unsupported": 2},
        },
        claims=7,
        withdrawn=2,
        by_rule={"coverage": 2, "quote_not_found": 1},
    )


def test_answers_without_a_verdict_keep_their_own_count() -> None:
    answers = [
        answer_of(None, "answered", abandoned=True),
        without_context(question_of(None), draft_of("answered"), INPUTS),
    ]

    assert measure_answers(answers) == AnswerFigures(
        states={"answerable": {"abandoned": 1, "no_context": 1}},
        by_check_alone={"answerable": {"abandoned": 1, "no_context": 1}},
        claims=0,
        withdrawn=0,
        by_rule={},
    )


def test_no_answers_give_empty_figures() -> None:
    assert measure_answers([]) == AnswerFigures({}, {}, 0, 0, {})
