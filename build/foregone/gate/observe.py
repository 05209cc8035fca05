"""Looking at a project: the one module of the gate that reads files. It writes none."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from foregone.corpus.corpus import load_corpus
from foregone.draft.prompt import Prompt, write_prompt
from foregone.errors import Refused
from foregone.evaluation import ANSWERS_FILE, RETRIEVAL_FILE, evaluate_answers
from foregone.gate.agreement import refuse_disagreement, require_floors
from foregone.gate.latency import time_questions
from foregone.gate.observation import Observation, Site, Unmeasured
from foregone.ground.check import Clock
from foregone.index.identities import identify
from foregone.index.index import committed_chunks
from foregone.pipeline import (
    Answered,
    Inputs,
    Report,
    ground_questions,
    read_inputs,
    read_questions,
    read_status,
    render_release,
)
from foregone.project import Project
from foregone.release.verify import verify_site
from foregone.retrieve.query_vectors import vectors_path
from foregone.retrieve.questions import QuestionSet
from foregone.workers import Workers

S = TypeVar("S")
T = TypeVar("T")
RED = frozenset({"index-stale", "no-index", "questions-not-embedded", "no-draft", "deadline-exceeded", "not-built"})
"""Refusals that a check reports; any other means that the gate cannot run."""


def observe(project: Project, clock: Clock, report: Report) -> Observation:
    """Everything that the checks look at; Refused where the project cannot be measured at all."""
    retrieval, refusal = require_floors(project.thresholds)
    corpus = load_corpus(project.manifest)
    questions = read_questions(project, corpus)
    status = read_status(project, corpus)
    refuse_disagreement(project.thresholds, questions, status.committed)
    workers = Workers(1, lambda _: None)
    inputs = _attempt(lambda: read_inputs(project, report, with_rankings=True))
    answered = _after(
        inputs,
        lambda found: ground_questions(project, found, project.drafts, clock=clock, workers=workers, report=report),
    )
    report("measuring")
    return Observation(
        project=project,
        retrieval=retrieval,
        refusal=refusal,
        corpus=corpus,
        questions=questions,
        index=status,
        question_vectors=_question_vectors(project, questions),
        inputs=inputs,
        prompts=_after(inputs, _prompts),
        answered=answered,
        evaluation=_after(answered, lambda found: evaluate_answers(project, found)),
        committed={name: _read(project, name) for name in (RETRIEVAL_FILE, ANSWERS_FILE)},
        chunks=_after(
            inputs, lambda found: committed_chunks(corpus, found.index, project.index_root) if found.index else ()
        ),
        latencies_ms=_after(answered, lambda found: time_questions(project, found, clock)),
        site=_after(answered, lambda found: _site(project, found, workers, report)),
    )


def _attempt(step: Callable[[], T]) -> T | Unmeasured:
    """What the step gives, or why it is red."""
    try:
        return step()
    except Refused as refused:
        if refused.code not in RED:
            raise
        return Unmeasured(refused.what, refused.where, refused.mend)


def _after(before: S | Unmeasured, step: Callable[[S], T]) -> T | Unmeasured:
    """The step over what came before; where that is red, its reason goes on."""
    return before if isinstance(before, Unmeasured) else _attempt(lambda: step(before))


def _question_vectors(project: Project, questions: QuestionSet) -> Path | None:
    dense = project.settings.retrieval.dense
    return vectors_path(project.vectors, questions.vectors_digest, identify(dense.embedder)) if dense else None


def _prompts(inputs: Inputs) -> Mapping[str, Prompt]:
    return {
        question.id: write_prompt(inputs.corpus, question, inputs.retrieved[question.id].evidence_ids)
        for question in inputs.questions.questions
    }


def _read(project: Project, name: str) -> bytes | None:
    path = project.results / name
    return path.read_bytes() if path.is_file() else None


def _site(project: Project, answered: Answered, workers: Workers, report: Report) -> Site:
    if not project.dist.is_dir():
        raise Refused("not-built", "the site is not built", where=str(project.dist), mend="run `foregone build`")
    found = verify_site(project.dist)
    return Site(found, render_release(project, answered, workers, report).id)
