"""What became of the answers: states against what was expected, and claims withdrawn by rule."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from foregone.decide.answer import Answer
from foregone.decide.state import state_by_check_alone
from foregone.measure.metric import Metric, rate

ANSWERABLE = "answerable"
"""What is expected of a question that the corpus answers; the others expect a state."""
EXPECTATIONS = (ANSWERABLE, "partial", "unsupported")
ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class Judged:
    """One answer against what is known of its question."""

    answer: Answer

    @property
    def state(self) -> str:
        """The state, or `abandoned`."""
        return self.answer.state or ABANDONED

    @property
    def expected(self) -> str:
        """ANSWERABLE, or the state that the question must land in."""
        question = self.answer.question
        return ANSWERABLE if question.answerable else str(question.state)

    @property
    def by_check_alone(self) -> str:
        """The state, had the draft declared `answered`; abandoned and `no_context` stay what they are."""
        if self.answer.grounded is None or self.answer.state is None:
            return self.state
        return state_by_check_alone([claim.verdict for claim in self.answer.grounded.claims])

    @property
    def is_answered(self) -> bool:
        """Whether the page offers an answer to the question.

        `grounded` does, and so does `partial` where the draft holds that it answers and claims of it were withdrawn.
        A `partial` that says itself that it stops short does not, and `unsupported` is a refusal.
        """
        return self.state == "grounded" or (self.state == "partial" and self.answer.draft.outcome == "answered")

    @property
    def agrees(self) -> bool:
        """Whether the state is the expected one; for an answerable question that is `grounded`."""
        return self.state == ("grounded" if self.answer.question.answerable else self.expected)


@dataclass(frozen=True, slots=True)
class AnswerFigures:
    """All answers, judged."""

    answers: tuple[Judged, ...]

    @property
    def states(self) -> dict[str, dict[str, int]]:
        """Expected (`answerable`, `partial`, `unsupported`) -> state -> answers."""
        return _cross((one.expected, one.state) for one in self.answers)

    @property
    def by_check_alone(self) -> dict[str, dict[str, int]]:
        """The same, had every draft declared `answered`."""
        return _cross((one.expected, one.by_check_alone) for one in self.answers)

    @property
    def claims(self) -> int:
        """Claims of all answers that were not abandoned."""
        return sum(len(one.answer.grounded.claims) for one in self.answers if one.answer.grounded)

    @property
    def withdrawn(self) -> int:
        """Of them: those that a rule withdrew."""
        grounded = [one.answer.grounded for one in self.answers if one.answer.grounded]
        return sum(claim.verdict == "withdrawn" for draft in grounded for claim in draft.claims)

    @property
    def by_rule(self) -> dict[str, int]:
        """Rule -> claims that it withdrew; a claim counts for every rule that it broke."""
        grounded = [one.answer.grounded for one in self.answers if one.answer.grounded]
        rules = (rule for draft in grounded for claim in draft.claims for rule in claim.rules)
        return dict(sorted(Counter(rule.rule for rule in rules if rule.outcome == "fail").items()))

    @property
    def answerable(self) -> tuple[Judged, ...]:
        """Those whose question the corpus answers."""
        return tuple(one for one in self.answers if one.answer.question.answerable)

    @property
    def unanswerable(self) -> tuple[Judged, ...]:
        """The others."""
        return tuple(one for one in self.answers if not one.answer.question.answerable)

    def metrics(self) -> dict[str, Metric]:
        """All rates by name."""
        yes, no = self.answerable, self.unanswerable
        none, all_ = "no question of the set is answerable", "every question of the set is answerable"
        return {
            "grounded_rate": rate(sum(one.state == "grounded" for one in yes), len(yes), nothing=none),
            "state_agreement": rate(sum(one.agrees for one in no), len(no), nothing=all_),
            "over_refusal": rate(sum(not one.is_answered for one in yes), len(yes), nothing=none),
            "answered_unanswerable": rate(sum(one.is_answered for one in no), len(no), nothing=all_),
            "claims_withdrawn": rate(self.withdrawn, self.claims, nothing="no answer has a claim"),
        }


def measure_answers(answers: Iterable[Answer]) -> AnswerFigures:
    """The figures of these answers."""
    return AnswerFigures(tuple(Judged(answer) for answer in answers))


def _cross(pairs: Iterable[tuple[str, str]]) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {}
    for row, column in pairs:
        counts.setdefault(row, Counter())[column] += 1
    return {row: dict(sorted(found.items())) for row, found in sorted(counts.items())}
