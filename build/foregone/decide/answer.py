"""Answers: everything about one question that is published, before it is written out."""

from dataclasses import dataclass

from foregone.decide.state import ABANDONED_STATUS, STATUS, State, decide_state
from foregone.digest import Digest, digest_text
from foregone.draft.draft import Draft, DraftClaim
from foregone.ground.outcome import GroundedClaim, GroundedDraft
from foregone.retrieve.evidence import Passage
from foregone.retrieve.questions import Question


@dataclass(frozen=True, slots=True)
class Inputs:
    """Digests of all that the answer depends on; where two releases differ, the leftmost that differs is the cause."""

    corpus: Digest
    index: Digest | None
    """Over the committed index; None: it is missing."""
    question: Digest
    retrieval: Digest
    evidence: Digest | None
    draft: Digest
    rules: Digest
    review: Digest | None
    limit: Digest
    code: Digest


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer."""

    question: Question
    draft: Draft
    passages: tuple[Passage, ...]
    """The evidence, in fused order; empty without an index."""
    grounded: GroundedDraft | None
    """None: nothing could be retrieved."""
    state: State | None
    """None: abandoned."""
    status: int
    index_version: str | None
    """None: nothing could be retrieved."""
    inputs: Inputs

    @property
    def cited(self) -> frozenset[str]:
        """Ids of the sections that a kept claim cites; a withdrawn claim cites nothing."""
        claims = self.grounded.claims if self.grounded else ()
        return frozenset(claim.section for claim in claims if claim.verdict == "supported")


def decide_answer(
    question: Question,
    draft: Draft,
    passages: tuple[Passage, ...],
    grounded: GroundedDraft,
    *,
    index_version: str,
    inputs: Inputs,
) -> Answer:
    """The answer that the verdicts give."""
    if grounded.abandoned:
        return Answer(question, draft, passages, grounded, None, ABANDONED_STATUS, index_version, inputs)
    state = decide_state(draft.outcome, [claim.verdict for claim in grounded.claims])
    return Answer(question, draft, passages, grounded, state, STATUS[state], index_version, inputs)


def without_context(question: Question, draft: Draft, inputs: Inputs) -> Answer:
    """The answer where the index is missing: nothing is retrieved, so nothing is claimed."""
    return Answer(question, draft, (), None, "no_context", STATUS["no_context"], None, inputs)


def digest_claim(claim: GroundedClaim, drafted: DraftClaim) -> Digest:
    """Names a claim by its words, the section that it cites and the digest of its quote."""
    return digest_text("\n".join((claim.text, claim.section, drafted.quote.digest if drafted.quote else "")))
