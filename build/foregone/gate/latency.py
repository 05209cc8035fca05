"""How long each question takes to be retrieved, grounded and decided."""

from foregone.ground.check import Clock
from foregone.pipeline import Answered, Grounding, prepare_grounding
from foregone.project import Project
from foregone.retrieve.evidence import retrieve_all
from foregone.retrieve.questions import Question, QuestionSet

TRIES = 3
"""A question above the bar is timed again: only what stays above it is slow, and not the machine."""


def time_questions(project: Project, answered: Answered, clock: Clock) -> dict[str, float]:
    """Question id -> milliseconds, the least of the tries that were made."""
    grounding = prepare_grounding(project, answered.inputs, answered.drafts, clock)
    bar = project.thresholds.budget.max_request_ms
    return {
        question.id: _least(project, grounding, place, question, bar=bar)
        for place, question in enumerate(answered.inputs.questions.questions)
    }


def _least(project: Project, grounding: Grounding, place: int, question: Question, *, bar: float) -> float:
    least = _time(project, grounding, place, question)
    for _ in range(TRIES - 1):
        if least <= bar:
            break
        least = min(least, _time(project, grounding, place, question))
    return least


def _time(project: Project, grounding: Grounding, place: int, question: Question) -> float:
    """Milliseconds of answering one question as if it were the only one."""
    inputs = grounding.inputs
    assert inputs.index is not None
    alone = QuestionSet((question,), inputs.questions.source, inputs.questions.digest)
    vectors = None if inputs.query_vectors is None else inputs.query_vectors[place : place + 1]
    start = grounding.clock()
    for retrieved in retrieve_all(inputs.index, alone, vectors, project.settings.retrieval):
        grounding.answer(question, retrieved)
    return (grounding.clock() - start) * 1000
