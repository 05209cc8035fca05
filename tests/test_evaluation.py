"""An evaluation is of everything that was answered, or says why there is nothing to measure."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from foregone.errors import Refused
from foregone.evaluation import evaluate_answers
from foregone.pipeline import Answered, answer_questions
from foregone.project import load_project
from foregone.workers import Workers
from tiny_corpus import unseen


def answer_all(root: Path) -> Answered:
    return answer_questions(load_project(root), lambda: 0.0, Workers(1, lambda _: None), unseen, with_rankings=True)


def test_what_is_written_is_what_was_measured(varied: Path) -> None:
    found = evaluate_answers(load_project(varied), answer_all(varied))

    ranked, judged = found.results["retrieval.json"], found.results["answers.json"]
    assert found.answers
    assert ranked["legs"]["fused"]["mrr"] == found.retrieval.fused.mrr.as_json()
    assert judged["metrics"] == {name: metric.as_json() for name, metric in found.answers.metrics().items()}
    assert (ranked["wording"]["value"], ranked["wording"]["n"]) == (1.0, found.question_words.n)
    assert (judged["wording"]["value"], judged["wording"]["n"]) == (0.9, found.claim_words.n)


def test_a_missing_index_leaves_nothing_to_measure(project: Path) -> None:
    shutil.rmtree(project / "corpus/index")

    with pytest.raises(Refused) as refused:
        evaluate_answers(load_project(project), answer_all(project))

    assert str(refused.value) == (
        "error[no-index]: the index is missing, so there is nothing to measure\n"
        f"  --> {project}/corpus/index\n"
        "  mend: run `foregone index build`"
    )


def test_refusals_alone_are_not_measured(varied: Path) -> None:
    answered = answer_all(varied)
    questions = answered.inputs.questions
    alone = replace(questions, questions=tuple(one for one in questions.questions if not one.answerable))

    with pytest.raises(Refused) as refused:
        evaluate_answers(load_project(varied), replace(answered, inputs=replace(answered.inputs, questions=alone)))

    assert str(refused.value) == (
        "error[nothing-to-measure]: no question of the set is one that the corpus answers\n"
        f"  --> {varied}/eval/questions.yaml\n"
        "  retrieval is measured by the sections that such questions expect\n"
        "  mend: add a question with its sections"
    )
