"""What grounding says: rule outcomes, verdicts, and the work that was done."""

from dataclasses import dataclass
from typing import Literal

from foregone.corpus.section import Span
from foregone.digest import Digest

RuleResult = Literal["pass", "fail", "warn", "undecided", "not_applicable"]
Verdict = Literal["supported", "withdrawn"]
Origin = Literal["quote", "aligned", "none"]


@dataclass(frozen=True, slots=True)
class RuleOutcome:
    """What one rule found."""

    rule: str
    """Reason code, e.g. `literal`."""
    outcome: RuleResult
    found: str
    """What the passage offers, in words."""
    wanted: str
    """What the claim asks of it, in words."""
    message: str
    """One sentence for a reader."""
    value: float | None = None
    limit: float | None = None
    claim_span: Span | None = None
    """Code points of the claim's text that decided."""

    @property
    def decided(self) -> bool:
        """Whether the rule could tell."""
        return self.outcome in ("pass", "fail", "warn")


@dataclass(frozen=True, slots=True)
class GroundedClaim:
    """One claim with its verdict."""

    id: str
    """`c1`, `c2`, ... in the draft's order."""
    text: str
    """For a quoted claim: the quote on one line."""
    section: str
    verdict: Verdict
    origin: Origin
    """Where the evidence comes from: the draft's quote, or the sentence that the check found itself."""
    span: Span | None
    """Code points of the section's published text; None: no evidence."""
    rules: tuple[RuleOutcome, ...]
    """In the order of the check."""
    elsewhere: tuple[str, ...]
    """Section ids where a quote stands that is not in the cited section."""


@dataclass(frozen=True, slots=True)
class Work:
    """What grounding a draft reads, counted as if nothing were cached."""

    claims: int
    sentences: int
    """Of each claim's cited section."""
    tokens: int
    """Of each claim and its cited section."""
    limit: int
    """Tokens beyond which the answer is abandoned."""


@dataclass(frozen=True, slots=True)
class GroundedDraft:
    """All claims of a draft, or its abandonment."""

    question: str
    draft: Digest
    claims: tuple[GroundedClaim, ...]
    """Empty where abandoned."""
    work: Work
    abandoned: bool
    """Whether the work passed its limit: the answer has no claims and no state."""
