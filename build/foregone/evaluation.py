"""What a project's retrieval and answers are worth: the figures, and the results files that hold them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from foregone.errors import Refused
from foregone.measure.answers import AnswerFigures, measure_answers
from foregone.measure.results import RetrievalFigures, answers_value, measure_retrieval, retrieval_value
from foregone.measure.wording import SharedWords, claim_wording, question_wording
from foregone.pipeline import Answered
from foregone.project import Project
from foregone.retrieve.questions import QuestionSet

RETRIEVAL_FILE = "retrieval.json"
ANSWERS_FILE = "answers.json"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Everything that is measured."""

    retrieval: RetrievalFigures
    answers: AnswerFigures | None
    """None: a set without drafts."""
    question_words: SharedWords
    claim_words: SharedWords
    results: Mapping[str, dict[str, Any]]
    """Name of a results file -> its content."""


def evaluate_answers(project: Project, answered: Answered) -> Evaluation:
    """The figures of these answers, whose inputs have whole rankings; Refused where there is nothing to measure."""
    inputs = answered.inputs
    if inputs.index is None:
        raise Refused(
            "no-index",
            "the index is missing, so there is nothing to measure",
            where=str(project.index_root),
            mend="run `foregone index build`",
        )
    questions = inputs.questions
    _refuse_refusals_alone(questions)
    retrieval = measure_retrieval(questions.questions, inputs.retrieved)
    asked = question_wording(questions.questions, inputs.corpus)
    drafts = {question.id: answered.drafts[question.id] for question in questions.questions if answered.drafts}
    claimed = claim_wording(drafts, inputs.corpus)
    ranked = retrieval_value(
        retrieval,
        questions,
        inputs.retrieved,
        corpus=inputs.corpus,
        index_version=inputs.index.version,
        wording=asked,
    )
    if not answered.answers:
        return Evaluation(retrieval, None, asked, claimed, {RETRIEVAL_FILE: ranked})
    answers = measure_answers(answered.answers[question.id] for question in questions.questions)
    judged = answers_value(answers, {name: draft.digest for name, draft in drafts.items()}, questions, claimed)
    return Evaluation(retrieval, answers, asked, claimed, {RETRIEVAL_FILE: ranked, ANSWERS_FILE: judged})


def _refuse_refusals_alone(questions: QuestionSet) -> None:
    if not any(question.answerable for question in questions.questions):
        raise Refused(
            "nothing-to-measure",
            "no question of the set is one that the corpus answers",
            where=str(questions.path),
            why=("retrieval is measured by the sections that such questions expect",),
            mend="add a question with its sections",
        )
