"""Two runs, compared question by question; figures are over the questions that both asked, never over other sets."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from foregone.compare.change import CAUSES, Cause, Change, What, find_change
from foregone.compare.figures import (
    Discordance,
    Figure,
    Pair,
    RankTest,
    compare_figures,
    count_discordant,
    judge_ranks,
    split_by_answerable,
)
from foregone.compare.run import Asked, Run
from foregone.measure.results import OWN_INPUTS, SHARED_INPUTS
from foregone.measure.retrieval import FUSED

KINDS: tuple[What, ...] = ("state", "expected", "in_evidence", "outcome", "claims", "by_check_alone", "rank")
"""What a reader looks for first."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two runs have in common, and what not."""

    a: Run
    b: Run
    shared: tuple[str, ...]
    """Ids of the questions of both, sorted."""
    changes: tuple[Change, ...]
    """Questions that changed: unexplained ones first, then by KINDS, then by id."""
    legs_of_one: tuple[str, ...]
    """Legs that ranked shared questions in one run alone; their ranks cannot be compared."""
    figures: tuple[Figure, ...]
    agreement: Discordance
    """Questions that land in the expected state."""
    answered: Discordance
    ranks: RankTest

    @property
    def only_a(self) -> tuple[str, ...]:
        """Ids of questions that B did not ask."""
        return tuple(sorted(self.a.questions.keys() - self.b.questions))

    @property
    def only_b(self) -> tuple[str, ...]:
        """Ids of questions that A did not ask."""
        return tuple(sorted(self.b.questions.keys() - self.a.questions))

    @property
    def turned(self) -> tuple[str, ...]:
        """Ids of shared questions that only one run holds answerable: rates of answerable ones leave them out."""
        a, b = self.a.questions, self.b.questions
        return tuple(id_ for id_ in self.shared if a[id_].answerable != b[id_].answerable)

    @property
    def inputs(self) -> dict[str, int]:
        """Input that differs -> shared questions of which it does."""
        a, b = self.a.questions, self.b.questions
        counts = {
            name: sum(a[id_].inputs[name] != b[id_].inputs[name] for id_ in self.shared)
            for name in (*SHARED_INPUTS, *OWN_INPUTS)
        }
        return {name: count for name, count in counts.items() if count}

    @property
    def causes(self) -> dict[Cause, int]:
        """Cause -> questions that changed by it, the most frequent first."""
        counts = Counter(change.cause for change in self.changes)
        return dict(sorted(counts.items(), key=lambda found: (-found[1], CAUSES.index(found[0]))))

    @property
    def kinds(self) -> dict[What, int]:
        """What changed -> questions of which it did; a question may count for several."""
        found = [{difference.what for difference in change.differences} for change in self.changes]
        counts = {kind: sum(kind in whats for whats in found) for kind in KINDS}
        return {kind: count for kind, count in counts.items() if count}

    @property
    def unexplained(self) -> tuple[str, ...]:
        """Ids of questions of which something changed that no input accounts for."""
        return tuple(change.id for change in self.changes if "unexplained" in change.causes)

    @property
    def is_same(self) -> bool:
        """Whether both runs asked the same questions and nothing changed of any."""
        return not (self.changes or self.only_a or self.only_b or self.legs_of_one)


def compare_runs(a: Run, b: Run) -> Comparison:
    """The comparison; the order of questions in either run does not matter."""
    shared = tuple(sorted(a.questions.keys() & b.questions))
    pairs = [Pair(a.questions[id_], b.questions[id_]) for id_ in shared]
    ranked, _ = split_by_answerable(pairs)
    legs_a, legs_b = _legs(pair.a for pair in ranked), _legs(pair.b for pair in ranked)
    legs = sorted(legs_a & legs_b, key=lambda leg: (leg != FUSED, leg))
    changes = [change for pair in pairs if (change := find_change(pair.a, pair.b, legs))]
    return Comparison(
        a=a,
        b=b,
        shared=shared,
        changes=tuple(sorted(changes, key=_urgency)),
        legs_of_one=tuple(sorted(legs_a ^ legs_b)),
        figures=compare_figures(pairs),
        agreement=count_discordant(pairs, lambda asked: asked.agrees),
        answered=count_discordant(pairs, lambda asked: asked.answered),
        ranks=judge_ranks(pairs),
    )


def _legs(questions: Iterable[Asked]) -> frozenset[str]:
    return frozenset(leg for asked in questions for leg in asked.ranks)


def _urgency(change: Change) -> tuple[bool, int, str]:
    whats = {difference.what for difference in change.differences}
    first = min((place for place, kind in enumerate(KINDS) if kind in whats), default=len(KINDS))
    return "unexplained" not in change.causes, first, change.id
