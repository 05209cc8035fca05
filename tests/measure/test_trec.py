"""TREC files: what is written is read again, and what is malformed is refused with its line."""

from pathlib import Path

import pytest

from foregone.errors import Refused
from foregone.measure.retrieval import measure_legs
from foregone.measure.trec import Run, load_qrels, load_run, measure_run, trec_files
from tiny_rankings import question_of, ranking, retrieved_of

QUESTIONS = (question_of("pour", "teapot#1", "cups#1", "teapot#1"), question_of("lid", "kettle#1"), question_of("red"))
RETRIEVED = {
    "pour": retrieved_of("pour", bm25=ranking("cups#1", "kettle#1"), dense=ranking("kettle#1")),
    "lid": retrieved_of("lid", bm25=(), dense=ranking("cups#1", "kettle#1")),
    "red": retrieved_of("red", bm25=ranking("cups#1"), dense=ranking("teapot#1")),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder with what is written of QUESTIONS and RETRIEVED."""
    for name, content in trec_files(QUESTIONS, RETRIEVED).items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a file of somebody else is."""
    return tmp_path / "theirs.txt"


def test_judgements_and_every_ranking_are_written() -> None:
    assert {name: content.decode() for name, content in trec_files(QUESTIONS, RETRIEVED).items()} == {
        "qrels.txt": "pour 0 teapot#1 1\npour 0 cups#1 1\nlid 0 kettle#1 1\n",
        "run.bm25.txt": "pour Q0 cups#1 1 2 bm25\npour Q0 kettle#1 2 1 bm25\nred Q0 cups#1 1 1 bm25\n",
        "run.dense.txt": (
            "pour Q0 kettle#1 1 1 dense\n"
            "lid Q0 cups#1 1 2 dense\n"
            "lid Q0 kettle#1 2 1 dense\n"
            "red Q0 teapot#1 1 1 dense\n"
        ),
        "run.fused.txt": (
            "pour Q0 kettle#1 1 2 fused\n"
            "pour Q0 cups#1 2 1 fused\n"
            "lid Q0 cups#1 1 2 fused\n"
            "lid Q0 kettle#1 2 1 fused\n"
            "red Q0 cups#1 1 2 fused\n"
            "red Q0 teapot#1 2 1 fused\n"
        ),
    }


def test_what_was_written_is_read_again(folder: Path) -> None:
    assert load_qrels(folder / "qrels.txt") == {"pour": {"teapot#1": 1, "cups#1": 1}, "lid": {"kettle#1": 1}}
    assert load_run(folder / "run.bm25.txt") == Run("bm25", {"pour": ("cups#1", "kettle#1"), "red": ("cups#1",)})


def test_a_run_that_was_read_gives_the_figures_of_the_ranking(folder: Path) -> None:
    qrels = load_qrels(folder / "qrels.txt")
    runs = [measure_run(load_run(folder / f"run.{leg}.txt"), qrels) for leg in ("bm25", "dense", "fused")]

    assert runs == list(measure_legs(QUESTIONS, RETRIEVED))


def test_the_score_decides_and_not_the_rank_and_equal_scores_rank_the_last_section_id_first(path: Path) -> None:
    path.write_text("q Q0 a 1 0.5 tea\nq Q0 c 2 5.e-1 tea\nq Q0 b 3 .5 tea\nq Q0 d 4 +7 tea\n", encoding="utf-8")

    assert load_run(path) == Run("tea", {"q": ("d", "c", "b", "a")})


def test_scores_that_differ_by_less_than_single_precision_are_equal(path: Path) -> None:
    path.write_text("q Q0 a 1 1.00000001 tea\nq Q0 b 2 1 tea\n", encoding="utf-8")

    assert load_run(path) == Run("tea", {"q": ("b", "a")})


def test_blank_lines_tabs_and_line_ends_of_windows_are_taken(path: Path) -> None:
    path.write_bytes(b"\xef\xbb\xbfq\tQ0\ta  1\t2 tea\r\n\r\n   \nq Q0 b 2 1 tea")

    assert load_run(path) == Run("tea", {"q": ("a", "b")})


def test_a_question_that_was_judged_without_success_stays_judged(path: Path) -> None:
    path.write_text("q 0 a 0\nq 0 b -1\nr 0 a 2\nr 0 b 0\n", encoding="utf-8")

    assert load_qrels(path) == {"q": {}, "r": {"a": 2}}


def test_a_judged_question_that_the_run_lacks_has_no_rank() -> None:
    figures = measure_run(Run("tea", {"q": ("b", "a"), "not judged": ("a",)}), {"q": {"a": 1}, "r": {"a": 1}})

    assert (figures.ranks, figures.metrics()["RR"].value) == ({"q": 2, "r": None}, 0.25)


def test_a_run_of_other_questions_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        measure_run(Run("tea", {"q": ("a",)}), {"r": {"a": 1}, "s": {"a": 1}})

    assert str(refused.value) == (
        "error[nothing-to-measure]: the run tea ranks nothing for any judged question\n"
        "  1 questions are ranked, 2 others are judged\n"
        "  mend: take run and judgements of the same question set"
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "q 0 a 1\n\nq 0 b\n",
            (
                "error[bad-trec]: the line has 3 parts\n"
                "  --> PATH:3\n"
                "  expected question 0 section relevance\n"
                "  mend: write one entry a line, its parts apart by blanks"
            ),
        ),
        (
            "q 0 a 0.5\n",
            (
                "error[bad-trec]: the relevance is '0.5'\n"
                "  --> PATH:1\n"
                "  expected a whole number\n"
                "  mend: write one entry a line, its parts apart by blanks"
            ),
        ),
        (
            "q 0 a 1\nq 0 a 0\n",
            (
                "error[bad-trec]: a stands twice for q\n"
                "  --> PATH:2\n"
                "  a section is judged once\n"
                "  mend: write one entry a line, its parts apart by blanks"
            ),
        ),
        (
            " \n",
            (
                "error[bad-trec]: PATH has no entry\n"
                "  --> PATH\n"
                "  expected lines of question 0 section relevance\n"
                "  mend: write one entry a line, its parts apart by blanks"
            ),
        ),
        (
            "q 0 a 1\nq 0 th\xe9 1\n",
            (
                "error[not-utf8]: PATH is not UTF-8 text\n"
                "  --> PATH:2\n"
                "  byte 14 is 0xe9: invalid continuation byte\n"
                "  mend: save the file as UTF-8"
            ),
        ),
    ],
    ids=["parts", "relevance", "twice", "empty", "not utf-8"],
)
def test_malformed_judgements_are_refused_with_their_line(content: str, message: str, path: Path) -> None:
    path.write_bytes(content.encode("latin-1"))

    with pytest.raises(Refused) as refused:
        load_qrels(path)

    assert str(refused.value).replace(str(path), "PATH") == message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "q Q0 a 1 2 tea\nq Q0 b 2 1 green tea\n",
            (
                "error[bad-trec]: the line has 7 parts\n"
                "  --> PATH:2\n"
                "  expected question Q0 section rank score name\n"
                "  mend: write one entry a line, its parts apart by blanks"
            ),
        ),
        (
            "q Q0 a 1 2 tea\n\nq Q0 a 2 1 tea\n",
            (
                "error[bad-trec]: a stands twice for q\n"
                "  --> PATH:3\n"
                "  a section has one place in a ranking\n"
                "  mend: write one entry a line, its parts apart by blanks"
            ),
        ),
        (
            "",
            (
                "error[bad-trec]: PATH has no entry\n"
                "  --> PATH\n"
                "  expected lines of question Q0 section rank score name\n"
                "  mend: write one entry a line, its parts apart by blanks"
            ),
        ),
        (
            "th\xe9 Q0 a 1 2 tea\n",
            (
                "error[not-utf8]: PATH is not UTF-8 text\n"
                "  --> PATH:1\n"
                "  byte 2 is 0xe9: invalid continuation byte\n"
                "  mend: save the file as UTF-8"
            ),
        ),
    ],
    ids=["parts", "twice", "empty", "not utf-8"],
)
def test_a_malformed_run_is_refused_with_its_line(content: str, message: str, path: Path) -> None:
    path.write_bytes(content.encode("latin-1"))

    with pytest.raises(Refused) as refused:
        load_run(path)

    assert str(refused.value).replace(str(path), "PATH") == message


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        ("high", "a number"),
        ("nan", "a number"),
        ("inf", "a number"),
        ("1_000", "a number"),
        ("0x1p3", "a number"),
        (".", "a number"),
        ("1,5", "a number"),
        ("1e39", "a number of single precision"),
        ("-1e999", "a number of single precision"),
    ],
)
def test_a_score_that_ranks_nothing_is_refused(score: str, expected: str, path: Path) -> None:
    path.write_text(f"q Q0 a 1 {score} tea\n", encoding="utf-8")

    with pytest.raises(Refused) as refused:
        load_run(path)

    assert str(refused.value) == (
        f"error[bad-trec]: the score is {score!r}\n"
        f"  --> {path}:1\n"
        f"  expected {expected}\n"
        "  mend: write one entry a line, its parts apart by blanks"
    )


def test_a_file_that_is_not_there_is_refused(path: Path) -> None:
    with pytest.raises(Refused) as refused:
        load_qrels(path)

    assert str(refused.value) == (
        f"error[unreadable]: {path} cannot be read\n  --> {path}\n  No such file or directory\n  mend: name a TREC file"
    )
