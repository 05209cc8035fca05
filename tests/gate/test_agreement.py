"""The gate runs only where every number is set, for these questions and for this index."""

from pathlib import Path

import pytest

from foregone.errors import Refused
from foregone.gate.agreement import refuse_disagreement, require_floors
from foregone.retrieve.questions import QuestionSet, load_questions
from foregone.thresholds import Thresholds, load_thresholds
from tiny_corpus import FLOORS, MONEY, QUESTIONS, THRESHOLDS

WHOLE = FLOORS + THRESHOLDS + MONEY
INDEX = "0123456789ab"
BLESS = "`foregone bless --thresholds` writes the thresholds anew from what is measured; read its diff"
ANOTHER = """\
  - id: spout
    text: "What leaves by the spout?"
    topic: kettles
    kind: definition
    sections: [kettle#1]
  - id: cup
    text: "How full is a cup?"
    topic: cups
    kind: how
    sections: [cups#1.2]
"""


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def thresholds(text: str = WHOLE) -> Thresholds:
    path = Path("thresholds.yaml")
    path.write_text(text, encoding="utf-8")
    return load_thresholds(path)


def questions(text: str = QUESTIONS) -> QuestionSet:
    path = Path("questions.yaml")
    path.write_text(text, encoding="utf-8")
    return load_questions(path, {"kettle#1", "kettle#2", "cups#1.2"})


def unset(text: str) -> str:
    with pytest.raises(Refused) as refused:
        require_floors(thresholds(text))
    return str(refused.value)


def disagreement(text: str, asked: QuestionSet, index: str | None = INDEX) -> str:
    with pytest.raises(Refused) as refused:
        refuse_disagreement(thresholds(text), asked, index)
    return str(refused.value)


def test_thresholds_with_every_number_give_the_floors() -> None:
    found = thresholds()

    assert require_floors(found) == (found.retrieval, found.refusal)


def test_thresholds_of_these_questions_and_this_index_agree() -> None:
    refuse_disagreement(thresholds(), questions(), INDEX)


def test_without_floors_there_is_nothing_to_hold_anything_to() -> None:
    assert unset(THRESHOLDS + MONEY) == (
        "error[no-threshold]: the thresholds have no floors for retrieval and refusal\n"
        "  --> thresholds.yaml\n"
        f"  mend: {BLESS}"
    )


@pytest.mark.parametrize("name", ["max_rebuild_usd", "max_rerecord_usd"])
def test_a_cost_without_a_ceiling_is_refused(name: str) -> None:
    text = "".join(line for line in WHOLE.splitlines(keepends=True) if not line.startswith(f"  {name}:"))

    assert unset(text) == (
        f"error[no-threshold]: budget has no '{name}'\n  --> thresholds.yaml:14\n  mend: add it, see docs/inputs.md"
    )


def test_costs_without_prices_are_refused() -> None:
    assert unset(WHOLE[: WHOLE.index("  prices:")]) == (
        "error[no-threshold]: budget has no 'prices'\n  --> thresholds.yaml:14\n  mend: add it, see docs/inputs.md"
    )


def test_answerable_questions_without_a_ceiling_are_refused_at_the_first() -> None:
    assert disagreement(WHOLE, questions(QUESTIONS + ANOTHER)) == (
        "error[no-ceiling]: 2 answerable questions have no rank ceiling\n"
        "  --> questions.yaml:20\n"
        "  spout, cup\n"
        f"  mend: add them to retrieval.max_rank: the measured rank plus two; {BLESS}"
    )


def test_a_ceiling_of_no_question_is_refused_at_its_line() -> None:
    text = WHOLE.replace("lid: 3}", "lid: 3, teapot: 1, pot: null}")

    assert disagreement(text, questions()) == (
        "error[stray-ceiling]: retrieval.max_rank has a ceiling for 'teapot', which is no answerable question\n"
        "  --> thresholds.yaml:9\n"
        "  2 such: teapot, pot\n"
        "  mend: remove it, or restore the question"
    )


def test_a_ceiling_of_a_question_that_the_corpus_does_not_answer_is_refused() -> None:
    text = WHOLE.replace("lid: 3}", "lid: 3, colour: 1}")

    assert disagreement(text, questions()) == (
        "error[stray-ceiling]: retrieval.max_rank has a ceiling for 'colour', which is no answerable question\n"
        "  --> thresholds.yaml:9\n"
        "  1 such: colour\n"
        "  mend: remove it, or restore the question"
    )


def test_a_question_without_a_ceiling_as_it_was_not_ranked_agrees() -> None:
    refuse_disagreement(thresholds(WHOLE.replace("lid: 3", "lid: null")), questions(), INDEX)


@pytest.mark.parametrize(("index", "named"), [("ba9876543210", "ba9876543210"), (None, "missing")])
def test_floors_of_another_index_are_refused(index: str | None, named: str) -> None:
    assert disagreement(WHOLE, questions(), index) == (
        f"error[other-index]: the floors were measured on the index {INDEX}\n"
        "  --> thresholds.yaml:1\n"
        f"  the committed index is {named}\n"
        f"  mend: build that index, or measure anew: {BLESS}"
    )
