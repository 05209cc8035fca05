"""TREC files: relevance judgements (`qrels`) and rankings (`run`), so that other programs measure the same.

Formats: trec_eval's README. A run's score here is the number of places below, counted from the end: whole numbers that
no program rounds and no tie can reorder.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import NoReturn

import numpy as np

from foregone.errors import Refused
from foregone.files import read_text
from foregone.measure.retrieval import LegFigures, expect_relevant, rankings_of
from foregone.retrieve.evidence import Retrieved
from foregone.retrieve.questions import Question
from foregone.retrieve.ranking import Ranking

MEND = "write one entry a line, its parts apart by blanks"
QRELS_PARTS = ("question", "0", "section", "relevance")
RUN_PARTS = ("question", "Q0", "section", "rank", "score", "name")


@dataclass(frozen=True, slots=True)
class Run:
    """A ranking of sections for each question, from wherever it comes."""

    name: str
    rankings: Mapping[str, tuple[str, ...]]
    """Question id -> section ids, best first."""


def qrels_lines(questions: Iterable[Question]) -> Iterator[str]:
    """The expected sections as judgements, 1 each; unanswerable questions have none."""
    for question in questions:
        for section in dict.fromkeys(question.sections):
            yield f"{question.id} 0 {section} 1\n"


def run_lines(leg: str, rankings: Mapping[str, Ranking]) -> Iterator[str]:
    """The whole ranking of each question."""
    for question, ranking in rankings.items():
        for rank, place in enumerate(ranking, start=1):
            yield f"{question} Q0 {place.section} {rank} {len(ranking) + 1 - rank} {leg}\n"


def trec_files(questions: Sequence[Question], retrieved: Mapping[str, Retrieved]) -> dict[str, bytes]:
    """File name -> content: `qrels.txt` and `run.<leg>.txt` for each leg and the fusion."""
    legs = rankings_of(next(iter(retrieved.values())))
    runs = {leg: {name: rankings_of(found)[leg] for name, found in retrieved.items()} for leg in legs}
    files = {"qrels.txt": "".join(qrels_lines(questions)).encode()}
    return files | {f"run.{leg}.txt": "".join(run_lines(leg, found)).encode() for leg, found in runs.items()}


def load_qrels(path: Path) -> dict[str, dict[str, int]]:
    """Judged question id -> relevant section -> its relevance, at least 1; none where all were judged irrelevant.

    Refused with file and line where an entry is not well formed.
    """
    judged: dict[str, dict[str, int]] = {}
    for where, (question, _, section, relevance) in _entries(path, QRELS_PARTS):
        if not re.fullmatch(r"[+-]?[0-9]{1,9}", relevance):
            _refuse(where, f"the relevance is {relevance!r}", "expected a whole number")
        if section in judged.setdefault(question, {}):
            _refuse(where, f"{section} stands twice for {question}", "a section is judged once")
        judged[question][section] = int(relevance)
    return {
        question: {section: relevance for section, relevance in sections.items() if relevance > 0}
        for question, sections in judged.items()
    }


def load_run(path: Path) -> Run:
    """The run at `path`, by score; equal scores by section id, the last first, as trec_eval has them.

    The last part of its lines names it. Refused with file and line where it is malformed.
    """
    scored: dict[str, dict[str, float]] = {}
    name = ""
    for where, parts in _entries(path, RUN_PARTS):
        question, _, section, _, score, name = parts
        if section in scored.setdefault(question, {}):
            _refuse(where, f"{section} stands twice for {question}", "a section has one place in a ranking")
        scored[question][section] = _score(where, score)
    return Run(name, {question: _by_score(scores) for question, scores in scored.items()})


def measure_run(run: Run, qrels: Mapping[str, Mapping[str, int]]) -> LegFigures:
    """The figures of a run over every judged question; one that the run lacks is a question with no rank.

    Refused where the run has none of them: figures of 0 would say that it ranks badly.
    """
    if not run.rankings.keys() & qrels.keys():
        raise Refused(
            "nothing-to-measure",
            f"the run {run.name} ranks nothing for any judged question",
            why=(f"{len(run.rankings)} questions are ranked, {len(qrels)} others are judged",),
            mend="take run and judgements of the same question set",
        )
    ranks = {
        question: {section: rank for rank, section in enumerate(run.rankings.get(question, ()), start=1)}
        for question in qrels
    }
    return LegFigures(
        run.name,
        {name: expect_relevant(relevance, ranks[name], needs_all=False) for name, relevance in qrels.items()},
    )


def _score(where: str, text: str) -> float:
    """In single precision, as trec_eval has it: scores that differ by less are equal."""
    if not re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", text):
        _refuse(where, f"the score is {text!r}", "expected a number")
    with np.errstate(over="ignore"):
        score = float(np.float32(text))
    if not isfinite(score):
        _refuse(where, f"the score is {text!r}", "expected a number of single precision")
    return score


def _by_score(scores: Mapping[str, float]) -> tuple[str, ...]:
    return tuple(sorted(scores, key=lambda section: (scores[section], section), reverse=True))


def _entries(path: Path, names: tuple[str, ...]) -> Iterator[tuple[str, list[str]]]:
    entries = 0
    for number, line in enumerate(read_text(path, mend="name a TREC file").split("\n"), start=1):
        parts = line.split()
        if parts and len(parts) != len(names):
            _refuse(f"{path}:{number}", f"the line has {len(parts)} parts", f"expected {' '.join(names)}")
        if parts:
            entries += 1
            yield f"{path}:{number}", parts
    if not entries:
        _refuse(str(path), f"{path} has no entry", f"expected lines of {' '.join(names)}")


def _refuse(where: str, what: str, why: str) -> NoReturn:
    raise Refused("bad-trec", what, where=where, why=(why,), mend=MEND)
