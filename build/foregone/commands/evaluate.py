"""`foregone eval`: the figures of this corpus, question set and drafts, and the results files that hold them."""

import time
from argparse import Namespace
from pathlib import Path

from foregone.commands.figures import figure_lines, one_line, run_line, run_lines, trec_metrics
from foregone.commands.index import load_embedder
from foregone.commands.output import note, say, say_json
from foregone.errors import Misused
from foregone.evaluation import Evaluation, evaluate_answers
from foregone.files import write_atomically
from foregone.lock import sole
from foregone.measure.results import metrics_value, results_bytes
from foregone.measure.trec import load_qrels, load_run, measure_run, trec_files
from foregone.pipeline import Answered, HeldOut, answer_questions
from foregone.progress import Progress
from foregone.project import Project, load_project
from foregone.retrieve.query_vectors import QueryVectors, embed_once
from foregone.retrieve.questions import QuestionSet
from foregone.workers import Workers


def evaluate(arguments: Namespace) -> int:
    """Measure, print, and write the results files."""
    _refuse_contradictions(arguments)
    if arguments.run:
        return _evaluate_run(arguments)
    project = load_project(arguments.project)
    answered = _answer(project, arguments)
    found = evaluate_answers(project, answered)
    _write(project, arguments, found, answered)
    if arguments.json:
        say_json({name.removesuffix(".json"): value for name, value in found.results.items()})
    elif arguments.quiet:
        say(one_line(found))
    else:
        for line in figure_lines(found, answered.inputs.questions.questions):
            say(line)
        sizes = {"index": project.index_root, "dist": project.dist}
        say(", ".join(f"{name} {folder_size(folder):,} bytes" for name, folder in sizes.items()))
    return 0


def _refuse_contradictions(arguments: Namespace) -> None:
    if arguments.drafts and not arguments.questions:
        raise Misused("no-questions", "--drafts is given without --questions", mend="name the question set too")
    if arguments.run and not arguments.qrels:
        raise Misused("no-qrels", "--run is given without --qrels", mend="`foregone eval --trec DIR` writes qrels.txt")
    if arguments.qrels and not arguments.run:
        raise Misused("no-run", "--qrels is given without --run", mend="name the run that they judge too")
    others = [name for name in ("questions", "drafts", "out", "trec") if getattr(arguments, name)]
    if arguments.run and others:
        raise Misused(
            "run-alone", f"--run is given with --{others[0]}", mend="a run is measured by itself: leave it out"
        )


def _answer(project: Project, arguments: Namespace) -> Answered:
    with Progress("measuring") as progress:
        workers = Workers(1, progress.advance)

        def embed(questions: QuestionSet) -> QueryVectors:
            with sole(project.work, "eval"):
                return embed_once(questions, load_embedder(project), progress.advance)

        held_out = HeldOut(arguments.questions, arguments.drafts, embed) if arguments.questions else None
        return answer_questions(project, time.monotonic, workers, progress.step, with_rankings=True, held_out=held_out)


def _write(project: Project, arguments: Namespace, found: Evaluation, answered: Answered) -> None:
    """The results of the project's own set go where they are committed, those of another set only where told."""
    folder = arguments.out or (None if arguments.questions else project.results)
    if folder:
        for name, value in found.results.items():
            write_atomically(folder / name, results_bytes(value))
    if arguments.trec:
        for name, content in trec_files(answered.inputs.questions.questions, answered.inputs.retrieved).items():
            write_atomically(arguments.trec / name, content)
            note(f"wrote {arguments.trec / name}")


def _evaluate_run(arguments: Namespace) -> int:
    """Measure a TREC run, of this program or another, against judgements."""
    figures = measure_run(load_run(arguments.run), load_qrels(arguments.qrels))
    if arguments.json:
        say_json({"run": figures.leg, "n": figures.n, "metrics": metrics_value(trec_metrics(figures))})
    elif arguments.quiet:
        say(run_line(figures))
    else:
        for line in run_lines(figures):
            say(line)
    return 0


def folder_size(folder: Path) -> int:
    """Bytes of the files below `folder`, hard links counted once."""
    if not folder.is_dir():
        return 0
    found = [path.stat() for path in folder.rglob("*") if path.is_file()]
    return sum({(stat.st_dev, stat.st_ino): stat.st_size for stat in found}.values())
