"""Retrieval quality over the annotated questions.

Two families of figures stand side by side. Ours follow the question's `match`: for `any` the best of its expected
sections counts, for `all` the worst, since that answer needs them all (`recall@k`, MRR). The others are those of TREC
under the names of ir-measures, which know relevant sections and nothing of `match`: `Success@k`, `R@k`, `nDCG@10`, `RR`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log2

from foregone.measure.metric import Metric, mean, rate
from foregone.retrieve.evidence import Retrieved
from foregone.retrieve.questions import Question
from foregone.retrieve.ranking import Ranking, ranks_of

CUTOFFS = (1, 3, 5, 10)
DEPTH = CUTOFFS[-1]
"""A question whose expected section is not in so many is a miss."""
FUSED = "fused"
NOTHING = "no question of the set is answerable"


@dataclass(frozen=True, slots=True)
class ExpectedRanks:
    """Where one ranking has the sections that answer a question."""

    ranks: Mapping[str, int | None]
    """Expected section id -> rank from 1 over all sections; None: not ranked."""
    relevance: Mapping[str, int]
    """Expected section id -> its gain, at least 1; our own question sets know no other than 1."""
    needs_all: bool
    """Whether the answer needs all of them (`match: all`)."""

    @property
    def rank(self) -> int | None:
        """Rank of the best expected section for `match: any`, of the worst for `all`; None where it is not ranked."""
        found = self._found
        if not found or (self.needs_all and len(found) < len(self.ranks)):
            return None
        return found[-1] if self.needs_all else found[0]

    @property
    def first(self) -> int | None:
        """Rank of the best expected section, whatever `match` says."""
        return self._found[0] if self._found else None

    @property
    def _found(self) -> list[int]:
        return sorted(rank for rank in self.ranks.values() if rank is not None)

    def share_within(self, k: int) -> float:
        """Share of the expected sections in the top `k` (R@k); 0, as trec_eval has it, where nothing is relevant."""
        return sum(rank <= k for rank in self._found) / len(self.ranks) if self.ranks else 0.0

    def ndcg(self, k: int) -> float:
        """Normalised discounted cumulative gain at `k` (Järvelin and Kekäläinen, TOIS 20, 2002); 0 as `share_within`."""
        places = ((self.relevance[section], rank) for section, rank in self.ranks.items() if rank is not None)
        gain = sum(relevance / log2(rank + 1) for relevance, rank in places if rank <= k)
        best = sorted(self.relevance.values(), reverse=True)[:k]
        ideal = sum(relevance / log2(place + 1) for place, relevance in enumerate(best, start=1))
        return gain / ideal if ideal else 0.0


@dataclass(frozen=True, slots=True)
class LegFigures:
    """One ranking over all answerable questions."""

    leg: str
    questions: Mapping[str, ExpectedRanks]
    """Id of each answerable question -> where its expected sections are."""

    @property
    def n(self) -> int:
        """Answerable questions."""
        return len(self.questions)

    @property
    def ranks(self) -> dict[str, int | None]:
        """Question id -> the rank that counts for it."""
        return {name: expected.rank for name, expected in self.questions.items()}

    @property
    def misses(self) -> dict[str, int | None]:
        """Question id -> rank, where it is not in the top DEPTH."""
        return {name: rank for name, rank in self.ranks.items() if rank is None or rank > DEPTH}

    @property
    def mrr(self) -> Metric:
        """Mean reciprocal rank (Voorhees, TREC-8, 1999) over all sections."""
        return mean([_reciprocal(rank) for rank in self.ranks.values()], nothing=NOTHING)

    def recall(self, k: int) -> Metric:
        """Questions whose rank is at most `k`."""
        return rate(_within(self.ranks.values(), k), self.n, nothing=NOTHING)

    def metrics(self) -> dict[str, Metric]:
        """All figures by name."""
        expected = self.questions.values()
        firsts = [one.first for one in expected]
        return {
            **{f"recall@{k}": self.recall(k) for k in CUTOFFS},
            "mrr": self.mrr,
            **{f"Success@{k}": rate(_within(firsts, k), self.n, nothing=NOTHING) for k in CUTOFFS},
            **{f"R@{k}": mean([one.share_within(k) for one in expected], nothing=NOTHING) for k in CUTOFFS},
            f"nDCG@{DEPTH}": mean([one.ndcg(DEPTH) for one in expected], nothing=NOTHING),
            "RR": mean([_reciprocal(first) for first in firsts], nothing=NOTHING),
        }


@dataclass(frozen=True, slots=True)
class EvidenceFigures:
    """The evidence sets of all questions."""

    holds: Mapping[str, bool]
    """Id of each answerable question -> whether its evidence holds what answers it."""
    sizes: Mapping[str, int]
    """Id of each question -> passages."""

    @property
    def recall(self) -> Metric:
        """Answerable questions whose evidence holds what answers them."""
        return rate(sum(self.holds.values()), len(self.holds), nothing=NOTHING)

    @property
    def mean_size(self) -> float:
        """Passages a question."""
        return sum(self.sizes.values()) / len(self.sizes)


def expect(question: Question, ranks: Mapping[str, int]) -> ExpectedRanks:
    """Where a ranking has the sections that answer `question`."""
    return expect_relevant(dict.fromkeys(question.sections, 1), ranks, needs_all=question.match == "all")


def expect_relevant(relevance: Mapping[str, int], ranks: Mapping[str, int], *, needs_all: bool) -> ExpectedRanks:
    """Where a ranking has the sections of `relevance`."""
    return ExpectedRanks({section: ranks.get(section) for section in relevance}, relevance, needs_all)


def measure_leg(leg: str, pairs: Iterable[tuple[Question, Ranking]]) -> LegFigures:
    """The figures of one ranking; `pairs` are answerable questions with it."""
    return LegFigures(leg, {question.id: expect(question, ranks_of(ranking)) for question, ranking in pairs})


def rankings_of(retrieved: Retrieved) -> dict[str, Ranking]:
    """Leg -> its ranking, by name, the fusion last."""
    return {**dict(sorted(retrieved.legs.items())), FUSED: retrieved.fused}


def measure_legs(questions: Sequence[Question], retrieved: Mapping[str, Retrieved]) -> tuple[LegFigures, ...]:
    """The figures of each leg and of the fusion."""
    answerable = [question for question in questions if question.answerable]
    legs = rankings_of(next(iter(retrieved.values())))
    return tuple(
        measure_leg(leg, ((question, rankings_of(retrieved[question.id])[leg]) for question in answerable))
        for leg in legs
    )


def measure_evidence(questions: Sequence[Question], retrieved: Mapping[str, Retrieved]) -> EvidenceFigures:
    """How often the evidence holds what answers the question, and how large it is."""
    answerable = [question for question in questions if question.answerable]
    present = {question.id: dict.fromkeys(retrieved[question.id].evidence_ids, 1) for question in answerable}
    return EvidenceFigures(
        {question.id: expect(question, present[question.id]).rank is not None for question in answerable},
        {name: len(found.evidence) for name, found in retrieved.items()},
    )


def _within(ranks: Iterable[int | None], k: int) -> int:
    return sum(rank is not None and rank <= k for rank in ranks)


def _reciprocal(rank: int | None) -> float:
    return 0.0 if rank is None else 1 / rank
