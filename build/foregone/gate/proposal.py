"""The thresholds that the measured figures give: floors that two questions may fall through, and not three.

Recall at ten and evidence recall stand as measured, since nothing behind them makes up for a loss. A question may sink
by two ranks. What a person decides, the budget, is not touched.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import takewhile
from math import ceil, floor

from foregone.evaluation import Evaluation
from foregone.gate.retrieval import worst_loss
from foregone.measure.answers import AnswerFigures
from foregone.thresholds import FLOORS, RECALLS

ABSORBED = 2
"""Questions that a floor absorbs."""
RANKS = 2
"""Ranks that a question may sink."""
PINNED = ("recall@10",)
STEPS = 1000
"""Floors have three decimals."""


def propose(found: Evaluation, answers: AnswerFigures, index_version: str) -> str:
    """The blocks `measured_on`, `retrieval` and `refusal` as YAML."""
    return "".join(f"{line}\n" for line in _lines(found, answers, index_version))


def replace_floors(text: str, blocks: str) -> str:
    """The text of `eval/thresholds.yaml` with these blocks in the place of its own; every other line stays as it is.

    A comment at the margin belongs to the key below it, one at the very top to the file.
    """
    lines = text.splitlines(keepends=True)
    head = list(takewhile(lambda line: line.startswith("#"), lines))
    kept: list[str] = []
    above: list[str] = []
    inside = False
    for line in lines[len(head) :]:
        if line.startswith("#"):
            above.append(line)
        elif line[:1].strip():
            inside = line.split(":", 1)[0] in FLOORS
            kept += [] if inside else [*above, line]
            above = []
        elif not inside:
            kept += [*above, line]
            above = []
    return "".join((*head, blocks, *kept, *above))


def _lines(found: Evaluation, answers: AnswerFigures, index_version: str) -> Iterator[str]:
    fused = found.retrieval.fused
    yield f'measured_on: "{index_version}"'
    yield "# By `foregone bless --thresholds`: two questions may fall through a floor, a question may sink by two ranks."
    yield "retrieval:"
    for figure, key in RECALLS.items():
        hits = sum(rank is not None and rank <= int(figure.split("@")[1]) for rank in fused.ranks.values())
        yield f"  {key}: {_floor(Fraction(hits, fused.n), fused.n, absorbed=0 if figure in PINNED else ABSORBED)}"
    yield f"  min_mrr: {_floor(Fraction(fused.mrr.value or 0), fused.n)}"
    held = found.retrieval.evidence.holds.values()
    yield f"  min_evidence_recall: {_floor(Fraction(sum(held), len(held)), len(held), absorbed=0)}"
    loss = max(Fraction(0), Fraction(worst_loss(found.retrieval).loss)) + Fraction(ABSORBED, fused.n)
    yield f"  max_fusion_loss: {ceil(loss * STEPS) / STEPS}"
    yield "  max_rank:"
    for name, rank in fused.ranks.items():
        yield f"    {name}: {'null' if rank is None else rank + RANKS}"
    yield from _refusal_lines(answers)


def _refusal_lines(answers: AnswerFigures) -> Iterator[str]:
    yes, no = answers.answerable, answers.unanswerable
    grounded = Fraction(sum(one.state == "grounded" for one in yes), len(yes))
    agree = Fraction(sum(one.agrees for one in no), len(no)) if no else Fraction(0)
    yield "refusal:"
    yield f"  min_grounded_rate: {_floor(grounded, len(yes))}"
    yield f"  min_state_agreement: {_floor(agree, len(no) or 1)}"
    yield f"  max_answered_unanswerable: {sum(one.is_answered for one in no)}"


def _floor(value: Fraction, n: int, absorbed: int = ABSORBED) -> float:
    """The floor under `value` that as many questions of `n` may fall through."""
    return floor(max(Fraction(0), value - Fraction(absorbed, n)) * STEPS) / STEPS
