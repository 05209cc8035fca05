"""What became of the answers: states against what was expected, and claims withdrawn by rule."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from foregone.decide.answer import Answer
from foregone.decide.state import state_by_check_alone

ANSWERABLE = "answerable"
"""What is expected of a question that the corpus answers; the others expect a state."""


@dataclass(frozen=True, slots=True)
class AnswerFigures:
    """Counts over all answers."""

    states: dict[str, dict[str, int]]
    """Expected (`answerable`, `partial`, `unsupported`) -> state -> answers."""
    by_check_alone: dict[str, dict[str, int]]
    """The same, had every draft declared `answered`; abandoned and `no_context` stay what they are."""
    claims: int
    withdrawn: int
    by_rule: dict[str, int]
    """Rule -> claims that it withdrew; a claim counts for every rule that it broke."""


def measure_answers(answers: Iterable[Answer]) -> AnswerFigures:
    """The figures of these answers."""
    states: dict[str, Counter[str]] = {}
    alone: dict[str, Counter[str]] = {}
    by_rule: Counter[str] = Counter()
    claims = withdrawn = 0
    for answer in answers:
        expected = ANSWERABLE if answer.question.answerable else str(answer.question.state)
        grounded = answer.grounded.claims if answer.grounded else ()
        state = answer.state or "abandoned"
        states.setdefault(expected, Counter())[state] += 1
        unchecked = state in ("abandoned", "no_context")
        by_check = state if unchecked else state_by_check_alone([claim.verdict for claim in grounded])
        alone.setdefault(expected, Counter())[by_check] += 1
        claims += len(grounded)
        withdrawn += sum(claim.verdict == "withdrawn" for claim in grounded)
        by_rule.update(rule.rule for claim in grounded for rule in claim.rules if rule.outcome == "fail")
    return AnswerFigures(_plain(states), _plain(alone), claims, withdrawn, dict(sorted(by_rule.items())))


def _plain(counts: dict[str, Counter[str]]) -> dict[str, dict[str, int]]:
    return {expected: dict(sorted(row.items())) for expected, row in sorted(counts.items())}
