"""`eval/results/retrieval.json` and `answers.json`: every figure and what it rests on, question by question.

The same inputs give the same bytes on every machine: nothing of time, place or size of a folder is in them.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from foregone.corpus.corpus import Corpus
from foregone.decide.answer import Answer, digest_claim
from foregone.decide.state import STATES
from foregone.digest import digest_text
from foregone.ground.rules import CHECK_VERSION
from foregone.measure.answers import ABANDONED, EXPECTATIONS, AnswerFigures, Judged
from foregone.measure.metric import Metric, plain, rounded
from foregone.measure.retrieval import (
    FUSED,
    EvidenceFigures,
    ExpectedRanks,
    LegFigures,
    measure_evidence,
    measure_legs,
)
from foregone.measure.scores import ScoreOverlap, measure_scores, top_scores
from foregone.measure.slices import slice_questions
from foregone.measure.wording import SharedWords
from foregone.retrieve.evidence import Retrieved
from foregone.retrieve.questions import Question, QuestionSet

FORMAT = 1
SHARED_INPUTS = ("corpus", "index", "retrieval", "rules", "limit", "code")
"""Inputs that all answers of a run have in common; they stand once."""
OWN_INPUTS = ("question", "evidence", "draft", "review")
NO_CLAIM = "no claim has a quote in its section"


@dataclass(frozen=True, slots=True)
class RetrievalFigures:
    """Everything that is measured of retrieval."""

    legs: tuple[LegFigures, ...]
    """The fusion last."""
    evidence: EvidenceFigures
    scores: tuple[ScoreOverlap, ...]

    @property
    def fused(self) -> LegFigures:
        """The figures of the fusion."""
        return self.legs[-1]


def measure_retrieval(questions: Sequence[Question], retrieved: Mapping[str, Retrieved]) -> RetrievalFigures:
    """All figures of retrieval; `retrieved` has whole rankings."""
    return RetrievalFigures(
        measure_legs(questions, retrieved),
        measure_evidence(questions, retrieved),
        measure_scores(questions, retrieved),
    )


def retrieval_value(
    figures: RetrievalFigures,
    questions: QuestionSet,
    retrieved: Mapping[str, Retrieved],
    *,
    corpus: Corpus,
    index_version: str,
    wording: SharedWords,
) -> dict[str, Any]:
    """`retrieval.json` as it is written."""
    answerable = [question for question in questions.questions if question.answerable]
    return {
        "format": FORMAT,
        "index_version": index_version,
        "corpus": corpus.fingerprint,
        "questions": {
            "sha256": questions.digest,
            "n": len(questions.questions),
            "answerable": len(answerable),
            "unanswerable": len(questions.questions) - len(answerable),
        },
        "legs": {leg.leg: {**metrics_value(leg.metrics()), "misses": list(leg.misses)} for leg in figures.legs},
        "evidence": {
            "recall": figures.evidence.recall.as_json(),
            "passages": sum(figures.evidence.sizes.values()),
            "mean": rounded(figures.evidence.mean_size),
            "min": min(figures.evidence.sizes.values()),
            "max": max(figures.evidence.sizes.values()),
        },
        "scores": {overlap.leg: overlap.as_json() for overlap in figures.scores},
        "wording": plain(wording.median, wording.n, nothing="no question is answerable").as_json(),
        "slices": {
            name: {part: _retrieval_slice(found, retrieved) for part, found in parts.items()}
            for name, parts in slice_questions(answerable).items()
        },
        "by_question": [_ranked(question, figures, retrieved[question.id]) for question in questions.questions],
    }


def answers_value(
    figures: AnswerFigures, drafts: Mapping[str, str], questions: QuestionSet, wording: SharedWords
) -> dict[str, Any]:
    """`answers.json` as it is written; `drafts`: question id -> digest of its draft."""
    first = figures.answers[0].answer
    shared = asdict(first.inputs)
    return {
        "format": FORMAT,
        "index_version": first.index_version,
        "check_version": CHECK_VERSION,
        "questions": {
            "sha256": questions.digest,
            "n": len(figures.answers),
            "answerable": len(figures.answerable),
            "unanswerable": len(figures.unanswerable),
        },
        "drafts": digest_text("".join(f"{name} {digest}\n" for name, digest in drafts.items())),
        "inputs": {name: shared[name] for name in SHARED_INPUTS},
        "metrics": metrics_value(figures.metrics()),
        "table": {
            "answerable": _answered_or_not(figures.answerable),
            "unanswerable": _answered_or_not(figures.unanswerable),
        },
        "states": _every_state(figures.states),
        "by_check_alone": _every_state(figures.by_check_alone),
        "claims": {"n": figures.claims, "withdrawn": figures.withdrawn, "by_rule": figures.by_rule},
        "wording": plain(wording.median, wording.n, nothing=NO_CLAIM).as_json(),
        "slices": {name: _answer_slices(name, figures) for name in ("document", "kind", "topic")},
        "by_question": [_answered(one) for one in figures.answers],
    }


def results_bytes(value: Mapping[str, Any]) -> bytes:
    """A results file: an entry a line, so that a change of one question is a change of its lines."""
    return (json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()


def metrics_value(metrics: Mapping[str, Metric]) -> dict[str, Any]:
    """Metrics by name, as they are published."""
    return {name: metric.as_json() for name, metric in metrics.items()}


def _retrieval_slice(questions: Sequence[Question], retrieved: Mapping[str, Retrieved]) -> dict[str, Any]:
    fused = measure_legs(questions, retrieved)[-1].metrics()
    evidence = measure_evidence(questions, {question.id: retrieved[question.id] for question in questions})
    chosen = {name: fused[name] for name in ("recall@1", "recall@10", "mrr")}
    return metrics_value({**chosen, "evidence_recall": evidence.recall})


def _ranked(question: Question, figures: RetrievalFigures, retrieved: Retrieved) -> dict[str, Any]:
    expected = {leg.leg: leg.questions[question.id] for leg in figures.legs if question.answerable}
    return {
        "id": question.id,
        "answerable": question.answerable,
        "match": question.match if question.answerable else None,
        "ranks": {leg: found.rank for leg, found in expected.items()},
        "sections": {section: _by_leg(section, expected) for section in question.sections},
        "in_evidence": figures.evidence.holds.get(question.id),
        "passages": figures.evidence.sizes[question.id],
        "top_scores": {leg: rounded(score) for leg, score in top_scores(retrieved).items()},
        "outranked_by": _outranking(expected, retrieved),
    }


def _by_leg(section: str, expected: Mapping[str, ExpectedRanks]) -> dict[str, int | None]:
    return {leg: found.ranks[section] for leg, found in expected.items()}


def _outranking(expected: Mapping[str, ExpectedRanks], retrieved: Retrieved) -> list[str]:
    """Section ids that the fusion has above the expected one, at most three."""
    if FUSED not in expected:
        return []
    rank = expected[FUSED].rank
    above = retrieved.fused if rank is None else retrieved.fused[: rank - 1]
    return [place.section for place in above if place.section not in expected[FUSED].ranks][:3]


def _answered_or_not(answers: Sequence[Judged]) -> dict[str, int]:
    answered = sum(one.is_answered for one in answers)
    return {"answered": answered, "refused": len(answers) - answered}


def _every_state(counts: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    """The counts with every expectation and every state named, as a manifest names them."""
    return {
        expected: {state: counts.get(expected, {}).get(state, 0) for state in (*STATES, ABANDONED)}
        for expected in EXPECTATIONS
    }


def _answer_slices(name: str, figures: AnswerFigures) -> dict[str, Any]:
    by_id = {one.answer.question.id: one for one in figures.answers}
    parts = slice_questions([one.answer.question for one in figures.answers])[name]
    return {
        part: metrics_value(AnswerFigures(tuple(by_id[question.id] for question in found)).metrics())
        for part, found in parts.items()
    }


def _answered(one: Judged) -> dict[str, Any]:
    answer = one.answer
    inputs = asdict(answer.inputs)
    return {
        "id": answer.question.id,
        "expected": one.expected,
        "state": one.state,
        "by_check_alone": one.by_check_alone,
        "outcome": answer.draft.outcome,
        "answered": one.is_answered,
        "agrees": one.agrees,
        "claims": _claims(answer),
        "inputs": {name: inputs[name] for name in OWN_INPUTS},
        "work": asdict(answer.grounded.work) if answer.grounded else None,
    }


def _claims(answer: Answer) -> list[dict[str, Any]]:
    if answer.grounded is None or answer.state is None:
        return []
    pairs = zip(answer.grounded.claims, answer.draft.claims, strict=True)
    return [
        {
            "sha256": digest_claim(claim, drafted),
            "verdict": claim.verdict,
            "rules": [rule.rule for rule in claim.rules if rule.outcome == "fail"],
        }
        for claim, drafted in pairs
    ]
