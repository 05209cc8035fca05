"""Checks of retrieval: floors under the whole, a ceiling for each question, and the fusion against its legs."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from foregone.evaluation import Evaluation
from foregone.gate.observation import Observation, measured
from foregone.gate.verdict import Verdict, judge
from foregone.measure.metric import Metric
from foregone.measure.results import RetrievalFigures
from foregone.pipeline import Inputs
from foregone.retrieve.questions import Question
from foregone.thresholds import RECALLS

MEND = "take back what changed retrieval, or accept the new figures with `foregone bless --thresholds`"
SHOWN = 3
"""Sections named that outrank the expected one."""


@dataclass(frozen=True, slots=True)
class Loss:
    """How far the fusion is behind one leg in one figure."""

    figure: str
    leg: str
    loss: float


def check_floors(seen: Observation) -> Iterator[Verdict]:
    """Recall, mean reciprocal rank and evidence recall are not below their floors."""
    floors = seen.retrieval
    limits = {**{name: (RECALLS[name], floor) for name, floor in floors.min_recall.items()}}
    limits |= {
        "mrr": ("min_mrr", floors.min_mrr),
        "evidence-recall": ("min_evidence_recall", floors.min_evidence_recall),
    }
    for name, (key, floor) in limits.items():
        yield from measured(name, seen.evaluation, partial(_above, seen, name, key, floor))


def check_fusion(seen: Observation) -> Iterator[Verdict]:
    """The fusion is not worse than its best leg by more than the committed loss, in any figure."""
    yield from measured("fusion-loss", seen.evaluation, partial(_fusion, seen))


def check_ranks(seen: Observation) -> Iterator[Verdict]:
    """No question's expected section has sunk below its ceiling."""
    for question in seen.questions.questions:
        if question.answerable:
            yield from measured(f"rank/{question.id}", seen.evaluation, partial(_rank, seen, question))


def _above(seen: Observation, name: str, key: str, floor: float, found: Evaluation) -> Verdict:
    figures = found.retrieval
    metric = figures.evidence.recall if name == "evidence-recall" else figures.fused.metrics()[name]
    value = metric.value or 0.0
    return judge(
        name,
        ok=value >= floor,
        measured=round(value, 6),
        limit=floor,
        where=seen.project.thresholds.where("retrieval", key),
        why=(f"{value:.4f} over {metric.n} questions, at least {floor} wanted",),
        mend=MEND,
    )


def worst_loss(figures: RetrievalFigures) -> Loss:
    """Where the fusion is furthest behind the best leg; a negative loss is a gain."""
    fused = figures.fused.metrics()
    legs = {leg.leg: leg.metrics() for leg in figures.legs[:-1]}
    losses = (
        Loss(figure, leg, _value(metrics[figure]) - _value(fused[figure]))
        for figure in (*RECALLS, "mrr")
        for leg, metrics in legs.items()
    )
    return max(losses, key=lambda one: one.loss)


def _fusion(seen: Observation, found: Evaluation) -> Verdict:
    worst, limit = worst_loss(found.retrieval), seen.retrieval.max_fusion_loss
    return judge(
        "fusion-loss",
        ok=worst.loss <= limit,
        measured=round(worst.loss, 6),
        limit=limit,
        where=seen.project.thresholds.where("retrieval", "max_fusion_loss"),
        why=(f"the fusion is {worst.loss:.4f} behind {worst.leg} in {worst.figure}",),
        mend="look at retrieval.fusion_k in foregone.yaml, or at the leg that pulls the fusion down",
    )


def _value(metric: Metric) -> float:
    return metric.value or 0.0


def _rank(seen: Observation, question: Question, found: Evaluation) -> Verdict:
    rank = found.retrieval.fused.ranks[question.id]
    ceiling = seen.retrieval.max_rank[question.id]
    return judge(
        f"rank/{question.id}",
        ok=ceiling is None or (rank is not None and rank <= ceiling),
        measured=rank,
        limit=ceiling,
        where=seen.questions.where(question.id),
        why=(
            f"{_expected(question)} is at rank {rank or 'none'}, {ceiling} allowed",
            _outranking(seen, question, rank),
        ),
        mend="see what moved it with `foregone compare`; " + MEND,
    )


def _expected(question: Question) -> str:
    joined = (" and " if question.match == "all" else " or ").join(question.sections)
    return f"the expected section {joined}" if len(question.sections) == 1 else f"{joined}"


def _outranking(seen: Observation, question: Question, rank: int | None) -> str:
    assert isinstance(seen.inputs, Inputs)
    fused = seen.inputs.retrieved[question.id].fused
    above = [place.section for place in fused[: rank and rank - 1] if place.section not in question.sections]
    more = f" and {len(above) - SHOWN} more" if len(above) > SHOWN else ""
    return f"outranked by {', '.join(above[:SHOWN])}{more}"
