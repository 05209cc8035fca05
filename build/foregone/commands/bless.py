"""`foregone bless`: accept what is measured now as the baseline, and, where told, as the floors of the gate."""

import json
import time
from argparse import Namespace
from typing import Any

from foregone.commands.output import say
from foregone.errors import Misused
from foregone.evaluation import Evaluation, evaluate_answers
from foregone.files import read_text, write_atomically
from foregone.gate.proposal import propose, replace_floors
from foregone.lock import sole
from foregone.measure.results import results_bytes
from foregone.pipeline import Answered, answer_questions
from foregone.progress import Progress
from foregone.project import Project, load_project
from foregone.workers import Workers

FORMAT = 1


def bless(arguments: Namespace) -> int:
    """Measure, and write results, baseline and, with --thresholds, the floors."""
    reason = arguments.reason.strip()
    if not reason or not reason.isprintable():
        raise Misused("no-reason", "--reason says nothing", mend="say why these figures are accepted, in one line")
    project = load_project(arguments.project)
    with sole(project.work, "bless"), Progress("measuring") as progress:
        workers = Workers(1, progress.advance)
        answered = answer_questions(project, time.monotonic, workers, progress.step, with_rankings=True)
        found = evaluate_answers(project, answered)
        if arguments.thresholds:
            _write_floors(project, answered, found)
        _write_results(project, found, reason)
    return 0


def _write_floors(project: Project, answered: Answered, found: Evaluation) -> None:
    assert answered.inputs.index is not None
    assert found.answers is not None
    path = project.thresholds.located.source.path
    blocks = propose(found, found.answers, answered.inputs.index.version)
    write_atomically(path, replace_floors(read_text(path, mend="restore it"), blocks).encode())
    say(f"{path}: floors set two questions below what is measured")


def _write_results(project: Project, found: Evaluation, reason: str) -> None:
    for name, value in found.results.items():
        write_atomically(project.results / name, results_bytes(value))
    parts = {name.removesuffix(".json"): value for name, value in found.results.items()}
    baseline: dict[str, Any] = {"format": FORMAT, "reason": reason, **parts}
    write_atomically(project.baseline, (json.dumps(baseline, ensure_ascii=False, indent=1) + "\n").encode())
    say(f"{project.baseline}: accepted, because: {reason}")
