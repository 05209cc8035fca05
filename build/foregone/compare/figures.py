"""The figures of two runs over the questions that both asked, and whether they differ by more than chance."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import fsum

from foregone.compare.run import Asked
from foregone.measure.metric import Metric, plain
from foregone.measure.paired import SignFlip, detectable_mean, fewest_changes, mcnemar, sign_flip
from foregone.measure.retrieval import CUTOFFS

NONE_ANSWERABLE = "no shared question is answerable in both runs"
NONE_UNANSWERABLE = "no shared question is unanswerable in both runs"
NO_CLAIM = "no shared question has a claim"


@dataclass(frozen=True, slots=True)
class Pair:
    """One question as each run has it."""

    a: Asked
    b: Asked


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of both runs."""

    name: str
    a: Metric
    b: Metric

    @property
    def difference(self) -> float | None:
        """B - A; None where one of them was not measured."""
        return None if self.a.value is None or self.b.value is None else self.b.value - self.a.value


@dataclass(frozen=True, slots=True)
class Discordance:
    """Something that is true or not of every shared question, and of which questions in one run only."""

    n: int
    only_a: int
    only_b: int

    @property
    def p(self) -> float | None:
        """Exact two-sided McNemar; None: the runs agree everywhere."""
        return mcnemar(self.only_a, self.only_b)

    @property
    def fewest(self) -> int | None:
        """Questions, changed all one way, that this many can show; None: too few for any."""
        return fewest_changes(self.n)


@dataclass(frozen=True, slots=True)
class RankTest:
    """The reciprocal ranks of the fusion, pair by pair."""

    n: int
    """Shared questions that are answerable in both runs."""
    flip: SignFlip
    detectable: float | None
    """Change of MRR that 80 % power at 5 % takes; None: no pair differs from another."""


def split_by_answerable(pairs: Iterable[Pair]) -> tuple[list[Pair], list[Pair]]:
    """The pairs that are answerable in both runs, and those that are in neither."""
    alike = [pair for pair in pairs if pair.a.answerable == pair.b.answerable]
    return [pair for pair in alike if pair.a.answerable], [pair for pair in alike if not pair.a.answerable]


def compare_figures(pairs: Sequence[Pair]) -> tuple[Figure, ...]:
    """Every figure, recomputed over these questions alone; what is asked of it is the same in both runs."""
    answerable, unanswerable = split_by_answerable(pairs)
    return (
        *(_shares(f"recall@{k}", answerable, _is_within(k), NONE_ANSWERABLE) for k in CUTOFFS),
        _of_both("mrr", answerable, _mrr),
        _shares("evidence_recall", answerable, lambda asked: bool(asked.in_evidence), NONE_ANSWERABLE),
        _shares("grounded_rate", answerable, lambda asked: asked.state == "grounded", NONE_ANSWERABLE),
        _shares("state_agreement", unanswerable, lambda asked: asked.agrees, NONE_UNANSWERABLE),
        _shares("answered_unanswerable", unanswerable, lambda asked: asked.answered, NONE_UNANSWERABLE),
        _of_both("claims_withdrawn", pairs, _withdrawn),
    )


def count_discordant(pairs: Sequence[Pair], holds: Callable[[Asked], bool]) -> Discordance:
    """Of how many questions it holds in one run alone."""
    return Discordance(
        n=len(pairs),
        only_a=sum(holds(pair.a) and not holds(pair.b) for pair in pairs),
        only_b=sum(holds(pair.b) and not holds(pair.a) for pair in pairs),
    )


def judge_ranks(pairs: Sequence[Pair]) -> RankTest:
    """The test of the change of MRR."""
    answerable, _ = split_by_answerable(pairs)
    differences = [_reciprocal(pair.b) - _reciprocal(pair.a) for pair in answerable]
    return RankTest(len(answerable), sign_flip(differences), detectable_mean(differences))


def _of_both(name: str, pairs: Sequence[Pair], measure: Callable[[Sequence[Asked]], Metric]) -> Figure:
    return Figure(name, measure([pair.a for pair in pairs]), measure([pair.b for pair in pairs]))


def _shares(name: str, pairs: Sequence[Pair], holds: Callable[[Asked], bool], nothing: str) -> Figure:
    return _of_both(name, pairs, lambda asked: _share(sum(map(holds, asked)), len(asked), nothing))


def _share(hits: int, n: int, nothing: str) -> Metric:
    return plain(hits / n if n else None, n, nothing=nothing)


def _is_within(k: int) -> Callable[[Asked], bool]:
    return lambda asked: asked.fused is not None and asked.fused <= k


def _mrr(asked: Sequence[Asked]) -> Metric:
    mean = fsum(map(_reciprocal, asked)) / len(asked) if asked else None
    return plain(mean, len(asked), nothing=NONE_ANSWERABLE)


def _withdrawn(asked: Sequence[Asked]) -> Metric:
    verdicts = [claim.verdict for one in asked for claim in one.claims]
    return _share(verdicts.count("withdrawn"), len(verdicts), NO_CLAIM)


def _reciprocal(asked: Asked) -> float:
    return 0.0 if asked.fused is None else 1 / asked.fused
