"""`foregone eval`: the figures of this corpus, question set and drafts."""

import time
from argparse import Namespace
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from foregone.commands.output import say, say_json, table
from foregone.decide.state import STATES
from foregone.errors import Refused
from foregone.measure.answers import AnswerFigures, measure_answers
from foregone.measure.interval import Interval, wilson
from foregone.measure.retrieval import CUTOFFS, EvidenceFigures, LegFigures, measure_evidence, measure_legs
from foregone.measure.wording import SharedWords, claim_wording, question_wording
from foregone.pipeline import Answered, answer_questions
from foregone.progress import Progress
from foregone.project import Project, load_project
from foregone.workers import Workers


def evaluate(arguments: Namespace) -> int:
    """Print how good retrieval is and what became of the answers."""
    project = load_project(arguments.project)
    with Progress("measuring") as progress:
        workers = Workers(1, progress.advance)
        answered = answer_questions(project, time.monotonic, workers, progress.step, with_rankings=True)
    if answered.inputs.index is None:
        raise Refused(
            "no-index",
            "the index is missing, so there is nothing to measure",
            where=str(project.index_root),
            mend="run `foregone index build`",
        )
    if not any(question.answerable for question in answered.inputs.questions.questions):
        raise Refused(
            "nothing-to-measure",
            "no question of the set is one that the corpus answers",
            where=str(project.questions),
            why=("retrieval is measured by the sections that such questions expect",),
            mend="add a question with its sections",
        )
    figures = measure(project, answered)
    if arguments.json:
        say_json(figures.value())
    else:
        for line in figures.lines():
            say(line)
    return 0


@dataclass(frozen=True, slots=True)
class Figures:
    """All figures of one evaluation."""

    legs: tuple[LegFigures, ...]
    evidence: EvidenceFigures
    answers: AnswerFigures
    wording: Mapping[str, SharedWords]
    """What was compared, in words -> its figure."""
    sizes: Mapping[str, int]
    """Folder -> bytes."""

    def value(self) -> dict[str, Any]:
        """As one JSON document; rates are rounded to 6 decimals."""
        return {
            "retrieval": {
                leg.leg: {
                    "n": leg.n,
                    **{f"success@{k}": _interval_value(wilson(leg.within[k], leg.n)) for k in CUTOFFS},
                    "mrr": _interval_value(leg.mrr_interval),
                    "ranks": dict(leg.ranks),
                }
                for leg in self.legs
            },
            "evidence": asdict(self.evidence),
            "answers": asdict(self.answers),
            "wording": {name: asdict(shared) for name, shared in self.wording.items()},
            "sizes": dict(self.sizes),
        }

    def lines(self) -> Iterator[str]:
        """As tables."""
        yield f"Retrieval over {self.evidence.n} answerable questions (recall@k: an expected section is in the top k)"
        head = ("", *(f"recall@{k}" for k in CUTOFFS), "MRR")
        yield from table([head, *(self._leg_row(leg) for leg in self.legs)])
        size = self.evidence.sections / self.evidence.questions
        fused = self.legs[-1]
        at_ten, mean = wilson(fused.within[CUTOFFS[-1]], fused.n), fused.mrr_interval
        yield f"95% intervals of the fusion: recall@{CUTOFFS[-1]} {_bounds(at_ten)}, MRR {_bounds(mean)}"
        evidence = wilson(self.evidence.holding, self.evidence.n)
        held = f"{self.evidence.holding} of {self.evidence.n}"
        yield f"evidence recall {evidence.value:.3f} {_bounds(evidence)} ({held}), {size:.1f} passages a question"
        yield f"{len(fused.misses)} questions miss the top {CUTOFFS[-1]} of the fusion; ranks of their expected sections:"
        for name, rank in fused.misses.items():
            yield f"  {name}: {rank or 'not ranked'}"
        yield ""
        yield "Answers: state by what was expected"
        yield from self._state_table(self.answers.states)
        yield "The same by the check alone, had every draft declared `answered`"
        yield from self._state_table(self.answers.by_check_alone)
        yield f"{self.answers.claims} claims, {self.answers.withdrawn} withdrawn"
        yield from table(
            [(f"  {rule}", str(count)) for rule, count in self.answers.by_rule.items()] or [("  no rule",)]
        )
        yield ""
        for name, shared in self.wording.items():
            found = "not measured" if shared.median is None else f"median {shared.median:.2f}"
            yield f"{name}: {found} (n = {shared.n})"
        yield ", ".join(f"{name} {size:,} bytes" for name, size in self.sizes.items())

    @staticmethod
    def _leg_row(leg: LegFigures) -> tuple[str, ...]:
        return (leg.leg, *(f"{leg.within[k] / leg.n:.3f}" for k in CUTOFFS), f"{leg.mrr:.3f}")

    @staticmethod
    def _state_table(counts: dict[str, dict[str, int]]) -> Iterator[str]:
        columns = [*STATES, "abandoned"]
        rows = [(expected, *(str(row.get(state, 0)) for state in columns)) for expected, row in counts.items()]
        yield from table([("expected", *columns), *rows])


def _bounds(interval: Interval) -> str:
    return f"[{interval.low:.3f}, {interval.high:.3f}]"


def _interval_value(interval: Interval) -> dict[str, float]:
    low, high = round(interval.low, 6), round(interval.high, 6)
    return {"value": round(interval.value, 6), "n": interval.n, "low": low, "high": high}


def measure(project: Project, answered: Answered) -> Figures:
    """The figures of these answers."""
    inputs = answered.inputs
    questions = inputs.questions.questions
    return Figures(
        measure_legs(questions, inputs.retrieved),
        measure_evidence(questions, inputs.retrieved),
        measure_answers(answered.answers.values()),
        {
            "share of a question's content words in its expected section": question_wording(questions, inputs.corpus),
            "share of a claim's content words in its quote": claim_wording(answered.drafts, inputs.corpus),
        },
        {"index": folder_size(project.index_root), "dist": folder_size(project.dist)},
    )


def folder_size(folder: Path) -> int:
    """Bytes of the files below `folder`, hard links counted once."""
    if not folder.is_dir():
        return 0
    found = [path.stat() for path in folder.rglob("*") if path.is_file()]
    return sum({(stat.st_dev, stat.st_ino): stat.st_size for stat in found}.values())
