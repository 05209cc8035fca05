"""What changed of one question from run A to run B, and which input caused it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal

from foregone.compare.run import Asked, Claim

What = Literal["expected", "state", "by_check_alone", "outcome", "answered", "agrees", "claims", "rank", "in_evidence"]
Cause = Literal["corpus", "index", "question", "retrieval", "draft", "rules", "review", "limit", "code", "unexplained"]
Value = str | int | bool | None

OF_RETRIEVAL: tuple[Cause, ...] = ("corpus", "index", "question", "retrieval", "code")
"""Inputs of a ranking; the leftmost that differs is its cause. Of the evidence too, which is read off the ranking."""
OF_ANSWER: tuple[Cause, ...] = ("draft", "rules", "review", "limit", "code")
"""Inputs of an answer behind its evidence, which stands to the left of them all."""
OF_EXPECTATION: tuple[Cause, ...] = ("question", "code")
CAUSES: tuple[Cause, ...] = (
    "corpus", "index", "question", "retrieval", "draft", "rules", "review", "limit", "code", "unexplained"
)  # fmt: skip
ANSWER_FIELDS: tuple[What, ...] = ("state", "by_check_alone", "outcome", "answered")


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not the same in both runs."""

    what: What
    leg: str | None
    """Of a rank: whose."""
    a: Value
    """In A; None of a rank: not ranked. Of claims: how many there are."""
    b: Value
    cause: Cause


@dataclass(frozen=True, slots=True)
class ClaimChange:
    """One claim that is not the same in both runs."""

    sha256: str
    a: Claim | None
    """None: it was added."""
    b: Claim | None
    """None: it was removed."""


@dataclass(frozen=True, slots=True)
class Change:
    """Everything that changed of one question."""

    id: str
    differences: tuple[Difference, ...]
    """Those of the answer first; not empty."""
    claims: tuple[ClaimChange, ...]

    @property
    def cause(self) -> Cause:
        """The cause of the first difference: of a changed answer, else of the changed ranking."""
        return self.differences[0].cause

    @property
    def causes(self) -> tuple[Cause, ...]:
        """Every cause, that of the first difference first."""
        return tuple(dict.fromkeys(difference.cause for difference in self.differences))


def find_change(a: Asked, b: Asked, legs: Iterable[str]) -> Change | None:
    """What changed of a question that both runs asked, its ranks in `legs`; None: nothing did."""
    claims = tuple(_claim_changes(a.claims, b.claims))
    differences = (*_of_answer(a, b, changed_claims=bool(claims)), *_of_retrieval(a, b, legs))
    return Change(a.id, differences, claims) if differences else None


def _of_answer(a: Asked, b: Asked, *, changed_claims: bool) -> Iterator[Difference]:
    cause = _cause_of_answer(a, b)
    for what in ANSWER_FIELDS:
        yield from _differing(what, getattr(a, what), getattr(b, what), cause)
    if changed_claims:
        yield Difference("claims", None, len(a.claims), len(b.claims), cause)
    expectation = _leftmost(OF_EXPECTATION, a, b)
    # A state that is the same agrees no longer only where something else is expected of it.
    yield from _differing("agrees", a.agrees, b.agrees, cause if a.expected == b.expected else expectation)
    yield from _differing("expected", a.expected, b.expected, expectation)


def _of_retrieval(a: Asked, b: Asked, legs: Iterable[str]) -> Iterator[Difference]:
    """Where only one run holds it answerable, only one has ranks: what is expected differs, and that is said."""
    if a.answerable and b.answerable:
        cause = _leftmost(OF_RETRIEVAL, a, b)
        for leg in legs:
            if a.ranks.get(leg) != b.ranks.get(leg):
                yield Difference("rank", leg, a.ranks.get(leg), b.ranks.get(leg), cause)
        yield from _differing("in_evidence", a.in_evidence, b.in_evidence, cause)


def _differing(what: What, a: Value, b: Value, cause: Cause) -> Iterator[Difference]:
    if a != b:
        yield Difference(what, None, a, b, cause)


def _cause_of_answer(a: Asked, b: Asked) -> Cause:
    if a.inputs["evidence"] != b.inputs["evidence"]:
        return _leftmost(OF_RETRIEVAL, a, b)
    return _leftmost(OF_ANSWER, a, b)


def _leftmost(names: Iterable[Cause], a: Asked, b: Asked) -> Cause:
    """The first of these inputs that differs; `unexplained` where none does."""
    return next((name for name in names if a.inputs[name] != b.inputs[name]), "unexplained")


def _claim_changes(a: Iterable[Claim], b: Iterable[Claim]) -> Iterator[ClaimChange]:
    """By digest; of claims that stand twice in one answer, the first is paired with the first."""
    before, after = _by_digest(a), _by_digest(b)
    for digest in sorted({*before, *after}):
        for ours, other in zip_longest(before.get(digest, ()), after.get(digest, ())):
            if ours != other:
                yield ClaimChange(digest, ours, other)


def _by_digest(claims: Iterable[Claim]) -> dict[str, list[Claim]]:
    found: dict[str, list[Claim]] = {}
    for claim in claims:
        found.setdefault(claim.sha256, []).append(claim)
    return found
