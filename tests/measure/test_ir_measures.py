"""Our figures are those that ir_measures computes of the same judgements and rankings."""

import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import ir_measures
import pytest
from ir_measures import RR, R, Success, nDCG

from foregone.measure.retrieval import CUTOFFS, DEPTH, LegFigures, measure_legs
from foregone.measure.trec import load_qrels, load_run, measure_run, trec_files
from foregone.pipeline import Inputs, read_inputs
from foregone.project import load_project
from foregone.retrieve.evidence import Retrieved
from foregone.retrieve.questions import Question
from foregone.retrieve.ranking import Ranking
from tiny_corpus import unseen
from tiny_rankings import question_of, ranking, retrieved_of

REPOSITORY = Path(__file__).parents[2]
MEASURES = (*(Success @ k for k in CUTOFFS), *(R @ k for k in CUTOFFS), nDCG @ DEPTH, RR)
CLOSE = 1e-9
SECTIONS = tuple(f"tea#{number}" for number in range(40))
Figures = dict[str, dict[str, float]]
"""Name of a measure -> question id, or MEAN -> figure."""
MEAN = "of all"


def ours(figures: LegFigures) -> Figures:
    """Each figure of each question, and the mean that is published before it is rounded."""
    found: Figures = {}
    for question, expected in figures.questions.items():
        alone = LegFigures(figures.leg, {question: expected}).metrics()
        for measure in MEASURES:
            found.setdefault(str(measure), {})[question] = value_of(alone, measure)
    together = figures.metrics()
    return {str(measure): {**found[str(measure)], MEAN: value_of(together, measure)} for measure in MEASURES}


def value_of(metrics: Mapping[str, Any], measure: ir_measures.Measure) -> float:
    value: float = metrics[str(measure)].value
    return value


def theirs(qrels: Path, run: Path) -> Figures:
    """The same by ir_measures.

    It counts 0 for a judged question that the run has not, as we do, so that both divide by all judged questions.
    """
    judged = list(ir_measures.read_trec_qrels(str(qrels)))  # type: ignore[no-untyped-call] # it types no file
    ranked = list(ir_measures.read_trec_run(str(run)))  # type: ignore[no-untyped-call] # as above
    found: Figures = {str(measure): {} for measure in MEASURES}
    for metric in ir_measures.iter_calc(MEASURES, judged, ranked):
        found[str(metric.measure)][metric.query_id] = metric.value
    for measure, value in ir_measures.calc_aggregate(MEASURES, judged, ranked).items():
        found[str(measure)][MEAN] = value
    return found


def differences(one: Figures, other: Figures) -> dict[str, object]:
    """Measure and question -> both figures, where they are not the same; a question that only one side has is one."""
    assert {name: sorted(found) for name, found in one.items()} == {name: sorted(other[name]) for name in other}
    return {
        f"{name} {question}": (value, other[name][question])
        for name, found in one.items()
        for question, value in found.items()
        if abs(value - other[name][question]) > CLOSE
    }


def write(folder: Path, questions: tuple[Question, ...], retrieved: Mapping[str, Retrieved]) -> None:
    for name, content in trec_files(questions, retrieved).items():
        (folder / name).write_bytes(content)


@pytest.fixture(scope="module")
def inputs() -> Inputs:
    """What retrieval finds for the questions of this repository, whole rankings."""
    return read_inputs(load_project(REPOSITORY), unseen, with_rankings=True)


@pytest.fixture(scope="module")
def written(inputs: Inputs, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of its TREC files."""
    folder = tmp_path_factory.mktemp("trec")
    write(folder, inputs.questions.questions, inputs.retrieved)
    return folder


@pytest.mark.parametrize("place", [0, 1, 2], ids=["bm25", "dense", "fused"])
def test_the_figures_of_this_corpus_are_theirs(place: int, inputs: Inputs, written: Path) -> None:
    leg = measure_legs(inputs.questions.questions, inputs.retrieved)[place]

    assert differences(ours(leg), theirs(written / "qrels.txt", written / f"run.{leg.leg}.txt")) == {}


@pytest.mark.parametrize("leg", ["bm25", "dense", "fused"])
def test_the_figures_of_a_run_that_is_read_again_are_theirs(leg: str, written: Path) -> None:
    qrels, run = written / "qrels.txt", written / f"run.{leg}.txt"

    assert differences(ours(measure_run(load_run(run), load_qrels(qrels))), theirs(qrels, run)) == {}


def random_rankings(chance: random.Random) -> Iterator[tuple[Question, Retrieved]]:
    """Questions of one to six sections, `any` and `all`; about a third have sections, or all, that no leg ranks."""
    for number in range(chance.randint(2, 12)):
        sections = chance.sample(SECTIONS, chance.randint(1, 6))
        question = question_of(f"q-{number}", *sections, match=chance.choice(("any", "all")))
        ranked = chance.sample(SECTIONS, chance.randint(0, len(SECTIONS)))
        missing = chance.choice((set(), set(), {sections[0]}, set(sections)))
        legs = {leg: shuffled(chance, [one for one in ranked if one not in missing]) for leg in ("bm25", "dense")}
        yield question, retrieved_of(question.id, **legs)


def shuffled(chance: random.Random, sections: list[str]) -> Ranking:
    return ranking(*chance.sample(sections, len(sections)))


@pytest.mark.parametrize("seed", range(20))
def test_the_figures_of_random_rankings_are_theirs(seed: int, tmp_path: Path) -> None:
    pairs = list(random_rankings(random.Random(seed)))
    questions, retrieved = tuple(question for question, _ in pairs), {found.question: found for _, found in pairs}
    write(tmp_path, questions, retrieved)

    for leg in measure_legs(questions, retrieved):
        assert differences(ours(leg), theirs(tmp_path / "qrels.txt", tmp_path / f"run.{leg.leg}.txt")) == {}


def test_random_rankings_hold_what_they_are_there_for() -> None:
    pairs = [pair for seed in range(20) for pair in random_rankings(random.Random(seed))]
    ranked = [{place.section for place in found.fused} for _, found in pairs]
    missing = [len({*question.sections} - found) for (question, _), found in zip(pairs, ranked, strict=True)]
    sizes = [len(question.sections) for question, _ in pairs]

    assert any(not found for found in ranked)
    assert any(lacks == size for lacks, size in zip(missing, sizes, strict=True))
    assert any(0 < lacks < size for lacks, size in zip(missing, sizes, strict=True))
    assert {question.match for question, _ in pairs if len(question.sections) > 1} == {"any", "all"}


@pytest.mark.parametrize("seed", range(20))
def test_the_figures_of_runs_and_judgements_of_others_are_theirs(seed: int, tmp_path: Path) -> None:
    """Equal scores, scores equal in single precision alone, grades of relevance, and questions judged in vain."""
    chance = random.Random(seed)
    qrels, run = tmp_path / "qrels.txt", tmp_path / "run.txt"
    scores = ("1", "1.00000001", "0.5", "5e-1", "-2", "-2.0", "16777216", "16777217")
    with qrels.open("w", encoding="utf-8") as judged, run.open("w", encoding="utf-8") as ranked:
        for number in range(chance.randint(2, 12)):
            for section in chance.sample(SECTIONS, chance.randint(1, 12)):
                judged.write(f"q-{number} 0 {section} {chance.choice((-1, 0, 0, 1, 1, 2, 3))}\n")
            for rank, section in enumerate(chance.sample(SECTIONS, chance.randint(number == 0, 20)), start=1):
                ranked.write(f"q-{number} Q0 {section} {rank} {chance.choice(scores)} theirs\n")
        ranked.write("never-judged Q0 tea#1 1 3 theirs\n")

    assert differences(ours(measure_run(load_run(run), load_qrels(qrels))), theirs(qrels, run)) == {}


def test_a_question_for_which_nothing_is_ranked_counts_as_0_of_all_on_both_sides(tmp_path: Path) -> None:
    questions = (question_of("pour", "tea#1"), question_of("mute", "tea#1"), question_of("red"))
    retrieved = {
        "pour": retrieved_of("pour", bm25=ranking("tea#1")),
        "mute": retrieved_of("mute", bm25=()),
        "red": retrieved_of("red", bm25=ranking("tea#2")),
    }
    write(tmp_path, questions, retrieved)

    leg = ours(measure_legs(questions, retrieved)[0])
    assert differences(leg, theirs(tmp_path / "qrels.txt", tmp_path / "run.bm25.txt")) == {}
    assert leg == {str(measure): {"pour": 1.0, "mute": 0.0, MEAN: 0.5} for measure in MEASURES}
