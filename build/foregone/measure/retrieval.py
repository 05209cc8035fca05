"""Retrieval quality over the annotated questions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from foregone.measure.interval import Interval, bootstrap_mean
from foregone.retrieve.evidence import Retrieved
from foregone.retrieve.questions import Question
from foregone.retrieve.ranking import Ranking, ranks_of

CUTOFFS = (1, 3, 5, 10)


@dataclass(frozen=True, slots=True)
class LegFigures:
    """One ranking over all answerable questions."""

    leg: str
    n: int
    """Answerable questions."""
    within: Mapping[int, int]
    """Cutoff k -> questions whose expected section is in the top k (Success@k)."""
    ranks: Mapping[str, int | None]
    """Question id -> rank of its expected section over all sections; None: not ranked."""

    @property
    def reciprocal_ranks(self) -> Fraction:
        """Sum over the questions of 1/rank, 0 where no expected section is ranked."""
        return sum((Fraction(1, rank) for rank in self.ranks.values() if rank is not None), Fraction(0))

    @property
    def mrr(self) -> float:
        """Mean reciprocal rank (Voorhees, TREC-8, 1999)."""
        return float(self.reciprocal_ranks / self.n)

    @property
    def mrr_interval(self) -> Interval:
        """The mean reciprocal rank with its bootstrap interval."""
        return bootstrap_mean([0.0 if rank is None else 1 / rank for rank in self.ranks.values()])

    @property
    def misses(self) -> dict[str, int | None]:
        """Question id -> rank, where it is not in the top of the last cutoff."""
        return {name: rank for name, rank in self.ranks.items() if rank is None or rank > CUTOFFS[-1]}


@dataclass(frozen=True, slots=True)
class EvidenceFigures:
    """The evidence sets of all questions."""

    n: int
    """Answerable questions."""
    holding: int
    """Of them: those whose evidence holds what answers them."""
    sections: int
    """Passages of all questions, answerable or not."""
    questions: int


def expected_rank(question: Question, ranks: Mapping[str, int]) -> int | None:
    """Rank of the best expected section for `match: any`, of the worst for `all`; None where it is not ranked."""
    found = [ranks.get(section) for section in question.sections]
    present = [rank for rank in found if rank is not None]
    if not present or (question.match == "all" and len(present) < len(found)):
        return None
    return max(present) if question.match == "all" else min(present)


def measure_leg(leg: str, pairs: Iterable[tuple[Question, Ranking]]) -> LegFigures:
    """The figures of one ranking; `pairs` are answerable questions with it."""
    ranks = {question.id: expected_rank(question, ranks_of(ranking)) for question, ranking in pairs}
    within = {k: sum(rank is not None and rank <= k for rank in ranks.values()) for k in CUTOFFS}
    return LegFigures(leg, len(ranks), within, ranks)


def measure_legs(questions: Sequence[Question], retrieved: Mapping[str, Retrieved]) -> tuple[LegFigures, ...]:
    """The figures of each leg and of the fusion."""
    answerable = [question for question in questions if question.answerable]
    legs = next(iter(retrieved.values())).legs
    figures = [
        measure_leg(leg, ((question, retrieved[question.id].legs[leg]) for question in answerable)) for leg in legs
    ]
    fused = measure_leg("fused", ((question, retrieved[question.id].fused) for question in answerable))
    return (*figures, fused)


def measure_evidence(questions: Sequence[Question], retrieved: Mapping[str, Retrieved]) -> EvidenceFigures:
    """How often the evidence holds what answers the question, and how large it is."""
    answerable = [question for question in questions if question.answerable]
    ranks = [expected_rank(question, dict.fromkeys(retrieved[question.id].evidence_ids, 1)) for question in answerable]
    return EvidenceFigures(
        n=len(answerable),
        holding=sum(rank is not None for rank in ranks),
        sections=sum(len(found.evidence) for found in retrieved.values()),
        questions=len(retrieved),
    )
