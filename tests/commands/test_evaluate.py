"""`foregone eval` prints what it measured, writes it to eval/results, and touches nothing else."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from foregone.cli import main
from foregone.release.publish import files_below
from tiny_corpus import edit

REPOSITORY = Path(__file__).parents[2]
RESULTS = ("eval/results/answers.json", "eval/results/retrieval.json")
HELD_OUT = """\
format: 1
questions:
  - id: steam
    text: "Which steam makes the whistle sound?"
    topic: kettles
    kind: which
    match: all
    sections: [kettle#1, kettle#2]
  - id: mute
    text: "Wherefore?"
    topic: cups
    kind: why
    sections: [cups#1.2]
  - id: saucer
    text: "How wide is a saucer?"
    topic: cups
    kind: how
    state: unsupported
    why: "Nothing is said of its size."
"""
"""For `mute`, BM25 ranks nothing."""


@pytest.fixture
def held_out(project: Path, tmp_path: Path) -> Path:
    """The file of another question set; its drafts, made of those of the project, are in `drafts` beside it."""
    (tmp_path / "drafts").mkdir()
    for old, new in {"whistle": "steam", "lid": "mute", "colour": "saucer"}.items():
        copied = tmp_path / f"drafts/{new}.json"
        shutil.copy(project / f"eval/drafts/{old}.json", copied)
        edit(copied, f'"question": "{old}"', f'"question": "{new}"')
    path = tmp_path / "held-out.yaml"
    path.write_text(HELD_OUT, encoding="utf-8")
    return path


def contents(root: Path) -> dict[str, bytes]:
    return {path: (root / path).read_bytes() for path in files_below(root)}


def evaluate(*arguments: str | Path) -> int:
    return main(["eval", *map(str, arguments)])


def test_everything_that_was_measured_is_printed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = evaluate("--project", project)

    printed = capsys.readouterr()
    size = sum(path.stat().st_size for path in (project / "corpus/index").rglob("*") if path.is_file())
    assert (status, printed.err, printed.out.replace(f"{size:,} bytes", "SIZE bytes")) == (
        0,
        "",
        """\
Retrieval over 2 answerable questions (recall@k: what answers the question is in the top k)
       recall@1  recall@3  recall@5  recall@10    MRR
bm25      1.000     1.000     1.000      1.000  1.000
fused     1.000     1.000     1.000      1.000  1.000
95% intervals of the fusion: recall@10 [0.342, 1.000], MRR [1.000, 1.000]
The same by TREC's measures, under the names of ir-measures
       Success@1  Success@3  Success@5  Success@10    R@1    R@3    R@5   R@10  nDCG@10     RR
bm25       1.000      1.000      1.000       1.000  1.000  1.000  1.000  1.000    1.000  1.000
fused      1.000      1.000      1.000       1.000  1.000  1.000  1.000  1.000    1.000  1.000
evidence recall 1.000 [0.342, 1.000] (2 of 2), 3.0 passages a question
0 questions miss the top 10 of the fusion; ranks of their expected sections:

Best score of each question, by whether the corpus answers it
                     n    min    25%  median    75%    max
bm25   answerable    2  1.969  1.999   2.029  2.059  2.090
bm25   unanswerable  1  0.943  0.943   0.943  0.943  0.943
fused  answerable    2  0.091  0.091   0.091  0.091  0.091
fused  unanswerable  1  0.091  0.091   0.091  0.091  0.091
bm25: an answerable question scores higher in 100% of pairs; the best threshold refuses 0 answerable and answers 0 \
unanswerable ones
fused: an answerable question scores higher in 50% of pairs; the best threshold refuses 0 answerable and answers 1 \
unanswerable ones

document  asked  answerable  recall@1  recall@10    MRR  evidence
kettle        2           2     1.000      1.000  1.000     1.000

kind  asked  answerable  recall@1  recall@10    MRR  evidence
how       1           1     1.000      1.000  1.000     1.000
when      1           1     1.000      1.000  1.000     1.000

topic    asked  answerable  recall@1  recall@10    MRR  evidence
kettles      2           2     1.000      1.000  1.000     1.000

Answers: state by what was expected
expected     grounded  partial  unsupported  no_context  abandoned
answerable          1        1            0           0          0
unsupported         0        0            1           0          0
The same by the check alone, had every draft declared `answered`
expected     grounded  partial  unsupported  no_context  abandoned
answerable          1        1            0           0          0
unsupported         0        0            1           0          0
Answered or refused (a `partial` that says itself that it stops short counts as refused)
              answered  refused
answerable           2        0
unanswerable         0        1
grounded rate 0.500 (1 of 2)
state agreement 1.000 (1 of 1)
over refusal 0.000 (0 of 2)
answered unanswerable 0.000 (0 of 1)
claims withdrawn 0.333 (1 of 3)
3 claims, 1 withdrawn; by rule (a claim may break several):
  literal  1

Words that questions and claims share with the corpus: where they copy it, every other figure flatters
  a question's content words in its expected section: median 1.00 (n = 2)
  a claim's content words in its quote: median 0.80 (n = 3)
index SIZE bytes, dist 0 bytes
""",
    )


def test_quiet_prints_one_line(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = evaluate("--quiet", "--project", project)

    printed = capsys.readouterr()
    assert (status, printed.err, printed.out) == (
        0,
        "",
        (
            "recall@10 1.000, MRR 1.000 (n = 2), evidence recall 1.000, grounded rate 0.500 (1 of 2), "
            "state agreement 1.000 (1 of 1), answered unanswerable 0.000 (0 of 1)\n"
        ),
    )


def test_the_results_files_are_written_and_nothing_else_is_touched(site: Path) -> None:
    before = contents(site)

    assert evaluate("--quiet", "--project", site) == 0

    after = contents(site)
    assert sorted({*after} - {*before}) == [*RESULTS]
    assert {path: content for path, content in after.items() if path not in RESULTS} == before


def test_what_is_printed_as_json_is_what_is_written(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evaluate("--json", "--project", project)

    printed = json.loads(capsys.readouterr().out)
    assert printed == {Path(path).stem: json.loads((project / path).read_text("utf-8")) for path in RESULTS}


def test_another_folder_takes_the_results_in_the_place_of_the_committed_ones(project: Path, tmp_path: Path) -> None:
    before = contents(project)

    assert evaluate("--quiet", "--out", tmp_path / "out", "--project", project) == 0

    assert (sorted(contents(tmp_path / "out")), contents(project)) == (["answers.json", "retrieval.json"], before)


@pytest.mark.parametrize("seed", ["0", "1"])
def test_every_run_writes_the_same_bytes(seed: str, varied: Path, tmp_path: Path) -> None:
    evaluate("--quiet", "--out", tmp_path / "first", "--project", varied)
    root = shutil.copytree(varied, tmp_path / "another folder ü")
    for path in root.rglob("*"):
        os.utime(path, (0, 0))
    command = [sys.executable, "-m", "foregone.cli", "eval", "--project", str(root)]
    environment = {"PYTHONHASHSEED": seed, "TZ": "Pacific/Kiritimati", "LC_ALL": "C"}
    subprocess.run(command, env={**os.environ, **environment}, check=True, capture_output=True)

    assert contents(root / "eval/results") == contents(tmp_path / "first")


def test_a_held_out_set_without_drafts_is_measured_by_retrieval_and_written_nowhere(
    project: Path, held_out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evaluate("--quiet", "--project", project)
    before = contents(project)
    capsys.readouterr()

    status = evaluate("--quiet", "--questions", held_out, "--project", project)

    printed = capsys.readouterr()
    assert (status, printed.err, printed.out) == (
        0,
        "",
        "recall@10 0.500, MRR 0.250 (n = 2), evidence recall 0.500, answers not measured: no drafts\n",
    )
    assert contents(project) == before


def test_a_held_out_set_without_drafts_says_nothing_of_answers(
    project: Path, held_out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evaluate("--questions", held_out, "--project", project)

    lines = capsys.readouterr().out.splitlines()
    missed = lines.index("1 questions miss the top 10 of the fusion; ranks of their expected sections:")
    assert lines[missed + 1] == "  mute: not ranked"
    assert [line for line in lines if "nswers:" in line or "claim's" in line] == []


def test_a_question_for_which_nothing_is_ranked_is_told_apart_from_a_low_score(
    project: Path, held_out: Path, tmp_path: Path
) -> None:
    evaluate("--quiet", "--questions", held_out, "--out", tmp_path / "out", "--project", project)

    value = json.loads((tmp_path / "out/retrieval.json").read_text("utf-8"))
    assert sorted(contents(tmp_path / "out")) == ["retrieval.json"]
    assert {key: value["scores"]["bm25"]["answerable"][key] for key in ("n", "unranked")} == {"n": 1, "unranked": 1}
    assert value["by_question"][1] == {
        "id": "mute",
        "answerable": True,
        "match": "any",
        "ranks": {"bm25": None, "fused": None},
        "sections": {"cups#1.2": {"bm25": None, "fused": None}},
        "in_evidence": False,
        "passages": 0,
        "top_scores": {"bm25": None, "fused": None},
        "outranked_by": [],
    }


def test_a_held_out_set_with_drafts_is_measured_in_full(
    project: Path, held_out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evaluate("--quiet", "--project", project)
    before = contents(project)
    capsys.readouterr()

    drafts, out = held_out.parent / "drafts", held_out.parent / "out"
    status = evaluate("--quiet", "--questions", held_out, "--drafts", drafts, "--out", out, "--project", project)

    printed = capsys.readouterr()
    assert (status, printed.err, printed.out) == (
        0,
        "",
        (
            "recall@10 0.500, MRR 0.250 (n = 2), evidence recall 0.500, grounded rate 0.500 (1 of 2), "
            "state agreement 1.000 (1 of 1), answered unanswerable 0.000 (0 of 1)\n"
        ),
    )
    states = {one["id"]: one["state"] for one in json.loads((out / "answers.json").read_text("utf-8"))["by_question"]}
    assert states == {"steam": "grounded", "mute": "unsupported", "saucer": "unsupported"}
    assert contents(project) == before


def test_a_held_out_set_needs_neither_questions_nor_drafts_of_the_project(project: Path, held_out: Path) -> None:
    (project / "eval/questions.yaml").unlink()
    shutil.rmtree(project / "eval/drafts")

    assert evaluate("--questions", held_out, "--drafts", held_out.parent / "drafts", "--project", project) == 0


def test_a_held_out_set_with_a_draft_missing_is_refused(
    project: Path, held_out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drafts = held_out.parent / "drafts"
    (drafts / "mute.json").unlink()

    status = evaluate("--questions", held_out, "--drafts", drafts, "--project", project)

    printed = capsys.readouterr()
    assert (status, printed.out, printed.err) == (
        1,
        "",
        (
            "error[no-draft]: 1 questions have no draft\n"
            f"  --> {drafts}\n"
            "  mute\n"
            "  mend: `foregone draft export` writes their prompts, `foregone draft import` takes the replies\n"
        ),
    )


def test_a_held_out_draft_that_holds_the_release_token_is_refused_by_its_own_name(
    project: Path, held_out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draft = held_out.parent / "drafts/steam.json"
    edit(draft, "The whistle sounds once", "The 0release0id0 sounds once")

    status = evaluate("--questions", held_out, "--drafts", draft.parent, "--project", project)

    assert (status, capsys.readouterr().err.splitlines()[0]) == (
        1,
        f"error[release-token]: {draft} holds the text 0release0id0",
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--drafts", "drafts"],
            "error[no-questions]: --drafts is given without --questions\n  mend: name the question set too\n",
        ),
        (
            ["--run", "run.txt"],
            "error[no-qrels]: --run is given without --qrels\n  mend: `foregone eval --trec DIR` writes qrels.txt\n",
        ),
        (
            ["--qrels", "qrels.txt"],
            "error[no-run]: --qrels is given without --run\n  mend: name the run that they judge too\n",
        ),
        (
            ["--run", "run.txt", "--qrels", "qrels.txt", "--out", "out"],
            "error[run-alone]: --run is given with --out\n  mend: a run is measured by itself: leave it out\n",
        ),
    ],
    ids=["drafts", "run", "qrels", "out"],
)
def test_a_half_of_a_pair_of_options_is_used_wrongly(
    arguments: list[str], message: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(project)

    status = evaluate(*arguments, "--project", project)

    printed = capsys.readouterr()
    assert (status, printed.out, printed.err) == (2, "", message)
    assert contents(project) == before


def test_trec_files_measure_to_the_same_figures(
    varied: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trec = tmp_path / "trec"
    evaluate("--json", "--out", tmp_path / "out", "--trec", trec, "--project", varied)

    printed = capsys.readouterr()
    legs = json.loads(printed.out)["retrieval"]["legs"]
    assert printed.err == "".join(f"wrote {trec}/{name}\n" for name in ("qrels.txt", "run.bm25.txt", "run.fused.txt"))
    for leg, figures in legs.items():
        status = evaluate("--json", "--run", trec / f"run.{leg}.txt", "--qrels", trec / "qrels.txt")
        metrics = {name: metric for name, metric in figures.items() if name[0] in "SRn"}
        assert (status, json.loads(capsys.readouterr().out)) == (0, {"run": leg, "n": 3, "metrics": metrics})


def test_a_run_is_printed_as_a_table_or_as_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "run.txt").write_text("q Q0 a 1 2 tea\nq Q0 b 2 1 tea\n", encoding="utf-8")
    (tmp_path / "qrels.txt").write_text("q 0 b 1\nr 0 b 1\n", encoding="utf-8")
    files = ("--run", tmp_path / "run.txt", "--qrels", tmp_path / "qrels.txt")

    assert (evaluate(*files), capsys.readouterr().out) == (
        0,
        (
            "A run over 2 judged questions, by TREC's measures under the names of ir-measures\n"
            "     Success@1  Success@3  Success@5  Success@10    R@1    R@3    R@5   R@10  nDCG@10     RR\n"
            "tea      0.000      0.500      0.500       0.500  0.000  0.500  0.500  0.500    0.315  0.250\n"
        ),
    )
    assert (evaluate("--quiet", *files), capsys.readouterr().out) == (
        0,
        (
            "tea: Success@1 0.000, Success@3 0.500, Success@5 0.500, Success@10 0.500, R@1 0.000, R@3 0.500, R@5 0.500, "
            "R@10 0.500, nDCG@10 0.315, RR 0.250 (n = 2)\n"
        ),
    )


def test_a_malformed_run_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "run.txt").write_text("q Q0 a 1 high tea\n", encoding="utf-8")
    (tmp_path / "qrels.txt").write_text("q 0 b 1\n", encoding="utf-8")

    status = evaluate("--run", tmp_path / "run.txt", "--qrels", tmp_path / "qrels.txt")

    printed = capsys.readouterr()
    assert (status, printed.out, printed.err) == (
        1,
        "",
        (
            "error[bad-trec]: the score is 'high'\n"
            f"  --> {tmp_path}/run.txt:1\n"
            "  expected a number\n"
            "  mend: write one entry a line, its parts apart by blanks\n"
        ),
    )


def test_a_held_out_set_without_an_answerable_question_is_refused_by_its_own_name(
    project: Path, held_out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head, *entries = HELD_OUT.split("  - id: ")
    held_out.write_text(f"{head}  - id: {entries[2]}", encoding="utf-8")

    status = evaluate("--questions", held_out, "--project", project)

    printed = capsys.readouterr()
    assert (status, printed.out, printed.err) == (
        1,
        "",
        (
            "error[nothing-to-measure]: no question of the set is one that the corpus answers\n"
            f"  --> {held_out}\n"
            "  retrieval is measured by the sections that such questions expect\n"
            "  mend: add a question with its sections\n"
        ),
    )


def test_a_held_out_set_needs_the_index_too(project: Path, held_out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(project / "corpus/index")

    status = evaluate("--questions", held_out, "--project", project)

    printed = capsys.readouterr()
    assert (status, printed.out, printed.err) == (
        1,
        "",
        (
            "error[no-index]: the index is missing, so there is nothing to measure\n"
            f"  --> {project}/corpus/index\n"
            "  mend: run `foregone index build`\n"
        ),
    )


def test_a_set_that_is_embedded_anew_gives_the_figures_of_the_committed_vectors(tmp_path: Path) -> None:
    root = tmp_path / "here"
    for folder in ("corpus", "eval"):
        shutil.copytree(REPOSITORY / folder, root / folder)
    shutil.copy(REPOSITORY / "foregone.yaml", root)
    shutil.copy(root / "eval/questions.yaml", tmp_path / "copy.yaml")
    evaluate("--quiet", "--out", tmp_path / "committed", "--project", root)
    shutil.rmtree(root / "eval/vectors")

    held_out = ("--questions", tmp_path / "copy.yaml", "--drafts", root / "eval/drafts")
    status = evaluate("--quiet", *held_out, "--out", tmp_path / "anew", "--project", root)

    committed, anew = contents(tmp_path / "committed"), contents(tmp_path / "anew")
    (known, known_scores), (found, scores) = (without_scores(files["retrieval.json"]) for files in (committed, anew))
    assert (status, anew["answers.json"], found) == (0, committed["answers.json"], known)
    # The noise of another processor is in the last bit of a vector: it may show in a score, and in no rank.
    assert scores == pytest.approx(known_scores, abs=1e-4)
    assert not (root / "eval/vectors").exists()


def without_scores(content: bytes) -> tuple[dict[str, object], list[float]]:
    """What `retrieval.json` says but for its scores, and the best score of every question by every leg."""
    value = json.loads(content)
    del value["scores"]
    return value, [score for question in value["by_question"] for score in question.pop("top_scores").values()]
