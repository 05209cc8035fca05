"""`make bench-build`: how long building takes, from nothing and again: this site, and one of many questions."""

import json
import shutil
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from foregone.bench.stopwatch import Times
from foregone.commands.output import say
from foregone.corpus.corpus import load_corpus
from foregone.draft.draft import draft_path
from foregone.files import write_atomically
from foregone.index.identities import identify
from foregone.index.store import npy_bytes
from foregone.located import load_yaml
from foregone.pipeline import answer_questions, read_questions, render_release
from foregone.project import Project, load_project
from foregone.release.publish import publish
from foregone.retrieve.query_vectors import load_query_vectors, vectors_path
from foregone.workers import Workers

RUNS = 3
QUESTIONS = 1000
PARTS = ("corpus", "eval", "site_templates", "foregone.yaml")


def main() -> None:
    """Print build times of this project as it is, and with QUESTIONS questions, the same again and again."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else QUESTIONS
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        for part in PARTS:
            source = Path(part)
            (shutil.copytree if source.is_dir() else shutil.copy2)(source, _made(root) / part)
        _print_times(load_project(root))
        _multiply_questions(load_project(root), wanted)
        _print_times(load_project(root))


def _print_times(project: Project) -> None:
    for count in (1, 2):
        cold, again = [], []
        for _ in range(RUNS):
            shutil.rmtree(project.dist, ignore_errors=True)
            cold.append(_build(project, count)[0])
            seconds, questions = _build(project, count)
            again.append(seconds)
        say(f"{questions} questions, {count} workers: from nothing {Times(tuple(cold)).in_words('s')}")
        say(f"{questions} questions, {count} workers: once more    {Times(tuple(again)).in_words('s')}")


def _build(project: Project, count: int) -> tuple[float, int]:
    """Seconds of one build, and how many questions it answered."""
    start = time.perf_counter()
    workers = Workers(count, lambda _: None)
    answered = answer_questions(project, time.monotonic, workers, lambda _: None)
    release = render_release(project, answered, workers, lambda _: None)
    publish(release, project.dist, project.settings.kept_releases, lambda _: None)
    return time.perf_counter() - start, len(answered.answers)


def _multiply_questions(project: Project, wanted: int) -> None:
    """Make the questions `wanted` many: each again under other ids, with its draft and its vector."""
    dense = project.settings.retrieval.dense
    questions = read_questions(project, load_corpus(project.manifest))
    entries = load_yaml(project.questions, mend="").value["questions"]
    copies = [{**entries[place % len(entries)], "id": f"copy-{place}"} for place in range(wanted)]
    vectors = load_query_vectors(project.vectors, questions, identify(dense.embedder)) if dense else None
    drafts = {entry["id"]: draft_path(project.drafts, entry["id"]).read_text("utf-8") for entry in entries}
    shutil.rmtree(project.drafts)
    for place, entry in enumerate(copies):
        draft = {**json.loads(drafts[entries[place % len(entries)]["id"]]), "question": entry["id"]}
        _write(draft_path(project.drafts, entry["id"]), json.dumps(draft))
    _write(project.questions, json.dumps({"format": 1, "questions": copies}, indent=1))
    if dense and vectors is not None:
        again = read_questions(project, load_corpus(project.manifest))
        rows = vectors[np.arange(wanted) % len(entries)]
        write_atomically(vectors_path(project.vectors, again.vectors_digest, identify(dense.embedder)), npy_bytes(rows))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


if __name__ == "__main__":
    main()
