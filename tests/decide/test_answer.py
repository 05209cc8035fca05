"""An answer has a state, or is abandoned with an error; without an index it claims nothing."""

import pytest

from foregone.decide.answer import Answer, Inputs, decide_answer, without_context
from foregone.decide.state import State
from foregone.digest import Digest
from foregone.draft.draft import Draft, Drafter, Outcome
from foregone.ground.outcome import GroundedClaim, GroundedDraft, Verdict, Work
from foregone.retrieve.evidence import Passage
from foregone.retrieve.questions import Question

DIGEST = Digest("sha256:00")
INPUTS = Inputs(DIGEST, DIGEST, DIGEST, DIGEST, DIGEST, DIGEST, DIGEST, None, DIGEST, DIGEST)
QUESTION = Question("lid", "What does a lid do?", "kettles", "how", ("kettle#1",), "any", state=None, why=None)
PASSAGES = (Passage("kettle#1", {"bm25": 1}, {"bm25": 2.0}),)


def draft_of(outcome: Outcome) -> Draft:
    drafter = Drafter("imported", "a person", None)
    return Draft("lid", outcome, drafter, "2026-12-01", "1", DIGEST, {}, 1, 1, (), DIGEST)


def grounded_of(*verdicts: Verdict, abandoned: bool = False) -> GroundedDraft:
    claims = tuple(
        GroundedClaim(f"c{number}", "It shuts.", "kettle#1", verdict, "none", None, (), ())
        for number, verdict in enumerate(verdicts, start=1)
    )
    return GroundedDraft("lid", DIGEST, claims, Work(len(claims), 6, 70, 60), abandoned)


@pytest.mark.parametrize(
    ("outcome", "verdicts", "state"),
    [
        ("answered", ("supported", "supported"), "grounded"),
        ("partly", ("supported", "supported"), "partial"),
        ("answered", ("withdrawn",), "unsupported"),
        ("not_answered", (), "unsupported"),
    ],
)
def test_an_answer_has_the_state_of_its_verdicts(outcome: Outcome, verdicts: tuple[Verdict, ...], state: State) -> None:
    draft, grounded = draft_of(outcome), grounded_of(*verdicts)

    assert decide_answer(QUESTION, draft, PASSAGES, grounded, index_version="0123456789ab", inputs=INPUTS) == Answer(
        QUESTION, draft, PASSAGES, grounded, state, 200, "0123456789ab", INPUTS
    )


@pytest.mark.parametrize(
    ("verdicts", "cited"),
    [(("supported", "withdrawn"), {"kettle#1"}), (("withdrawn",), set()), ((), set())],
)
def test_a_section_is_cited_by_kept_claims_alone(verdicts: tuple[Verdict, ...], cited: set[str]) -> None:
    grounded = grounded_of(*verdicts)
    answer = decide_answer(QUESTION, draft_of("answered"), PASSAGES, grounded, index_version="01", inputs=INPUTS)

    assert answer.cited == cited


@pytest.mark.parametrize("outcome", ["answered", "not_answered"])
def test_an_abandoned_answer_has_no_state_whatever_was_drafted(outcome: Outcome) -> None:
    draft, grounded = draft_of(outcome), grounded_of(abandoned=True)

    assert decide_answer(QUESTION, draft, PASSAGES, grounded, index_version="0123456789ab", inputs=INPUTS) == Answer(
        QUESTION, draft, PASSAGES, grounded, None, 503, "0123456789ab", INPUTS
    )


def test_without_an_index_nothing_is_retrieved_claimed_or_versioned() -> None:
    draft = draft_of("answered")

    assert without_context(QUESTION, draft, INPUTS) == Answer(
        QUESTION, draft, (), None, "no_context", 503, None, INPUTS
    )
