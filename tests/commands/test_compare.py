"""`foregone compare` as its user has it: evaluate, change one thing, evaluate again, and see what it did and why."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from foregone.cli import main
from foregone.release.publish import files_below
from tiny_corpus import REPLIES, TEXTS, edit, import_replies, manifest, run

Json = Any
"""Whatever `json.loads` gives."""
IN_GIT = ("git", "-c", "user.name=t", "-c", "user.email=t@kitchen.example")


def evaluate(project: Path) -> None:
    run("eval", "--quiet", "--project", str(project))


@pytest.fixture
def blessed(project: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """The tiny project, measured and accepted; `lid` is said to be answered by a section that ranks third."""
    edit(project / "eval/questions.yaml", "sections: [kettle#1]", "sections: [kettle#2]")
    run("bless", "--reason", "the first", "--project", str(project))
    capsys.readouterr()
    return project


@pytest.fixture
def compare(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Compares, and gives what was printed."""

    def compare_and_read(*arguments: str | Path) -> str:
        capsys.readouterr()
        run("compare", *map(str, arguments))
        printed = capsys.readouterr()
        assert printed.err == ""
        return printed.out

    return compare_and_read


def redraft(project: Path) -> None:
    """`lid` loses its false claim."""
    claims = REPLIES["lid"]["claims"]
    assert isinstance(claims, list)
    import_replies(project, {"lid": {**REPLIES["lid"], "claims": claims[:1]}})


def ask_otherwise(project: Path) -> None:
    """`lid` is said to be answered by the section that it is about."""
    edit(
        project / "eval/questions.yaml",
        "    kind: how\n    sections: [kettle#2]",
        "    kind: how\n    sections: [kettle#1]",
    )


def expect_otherwise(project: Path) -> None:
    """`colour` is said to be answered in part."""
    edit(project / "eval/questions.yaml", "state: unsupported", "state: partial")


def limit(project: Path) -> None:
    """No answer can be checked."""
    edit(project / "eval/thresholds.yaml", "max_work: 5000", "max_work: 1")


def tighten(project: Path) -> None:
    """Every content word of a claim must stand in its section."""
    edit(project / "foregone.yaml", "min_coverage: 2/3", "min_coverage: 1/1")


def rebuild(project: Path) -> None:
    """The index has smaller chunks."""
    edit(project / "foregone.yaml", "chunk_words: 40\n    overlap_words: 10", "chunk_words: 5\n    overlap_words: 0")
    run("index", "build", "--project", str(project))


def retrieve_less(project: Path) -> None:
    """The evidence is one section, and no longer the one that is said to answer `lid`."""
    edit(project / "foregone.yaml", "evidence_per_leg: 3", "evidence_per_leg: 1")


def rewrite(project: Path) -> None:
    """A document says another thing of the lid."""
    texts = {**TEXTS, "kettle": TEXTS["kettle"].replace("the spout alone.", "no spout at all.")}
    for document, text in texts.items():
        (project / f"corpus/sources/{document}.txt").write_text(text, encoding="utf-8")
    (project / "corpus/manifest.yaml").write_text(manifest(texts), encoding="utf-8")
    run("index", "build", "--project", str(project))


def row(report: str, question: str) -> str:
    """What the report says of a question."""
    (found,) = [line for line in report.splitlines() if line.startswith(f"| `{question}` |")]
    return found.removeprefix(f"| `{question}` | ")


PARTIAL = "by the check alone partial →"
MISQUOTED = r"claim c3eb28b4d434 supported → withdrawn by quote\_not\_found"


@pytest.mark.parametrize(
    ("change", "headline", "lid"),
    [
        (
            redraft,
            "1 state, 1 set of claims, 1 state by the check alone; caused by draft (1)",
            f"state partial → grounded; {PARTIAL} grounded; claims: 1 removed; as expected now | draft |",
        ),
        (
            ask_otherwise,
            "1 rank; caused by question (1)",
            "fused rank 3 → 1; bm25 rank 3 → 1 | question |",
        ),
        (
            tighten,
            "1 set of claims; caused by rules (1)",
            "claim db4fd6c4f7c6 withdrawn by literal → withdrawn by coverage and literal | rules |",
        ),
        (
            rebuild,
            "1 evidence set, 1 rank; caused by index (1)",
            "fused rank 3 → 4; bm25 rank 3 → 4; evidence no longer holds the answer | index |",
        ),
        (
            retrieve_less,
            "1 evidence set; caused by retrieval (1)",
            "evidence no longer holds the answer | retrieval |",
        ),
        (
            rewrite,
            "1 state, 1 set of claims, 1 state by the check alone; caused by corpus (1)",
            f"state partial → unsupported; {PARTIAL} unsupported; no longer answered; {MISQUOTED} | corpus |",
        ),
    ],
)
def test_a_change_is_told_with_its_cause(
    blessed: Path, compare: Callable[..., str], change: Callable[[Path], None], headline: str, lid: str
) -> None:
    change(blessed)
    evaluate(blessed)

    report = compare("--project", blessed)
    assert report.splitlines()[0] == f"## 1 of 3 questions changed: {headline}"
    assert row(report, "lid") == lid


def test_a_limit_that_abandons_answers_is_their_cause(blessed: Path, compare: Callable[..., str]) -> None:
    limit(blessed)
    evaluate(blessed)

    report = compare("--project", blessed)
    assert report.splitlines()[0] == (
        "## 2 of 3 questions changed: 2 states, 2 sets of claims, 2 states by the check alone; caused by limit (2)"
    )
    assert row(report, "whistle") == (
        "state grounded → abandoned; by the check alone grounded → abandoned; no longer answered; claims: 1 removed; "
        "no longer as expected | limit |"
    )


def test_what_is_expected_of_a_question_is_a_change_of_the_question(blessed: Path, compare: Callable[..., str]) -> None:
    expect_otherwise(blessed)
    evaluate(blessed)

    report = compare("--project", blessed)
    assert row(report, "colour") == "no longer as expected; expected unsupported → partial | question |"


def test_two_causes_are_counted_apart(blessed: Path, compare: Callable[..., str]) -> None:
    redraft(blessed)
    expect_otherwise(blessed)
    evaluate(blessed)

    assert compare("--project", blessed).splitlines()[0] == (
        "## 2 of 3 questions changed: 1 state, 1 expectation, 1 set of claims, 1 state by the check alone; "
        "caused by question (1), draft (1)"
    )


def test_a_run_that_was_just_accepted_is_the_baseline(blessed: Path, compare: Callable[..., str]) -> None:
    assert compare("--project", blessed) == "Nothing changed in the 3 questions of both runs.\n"


def test_another_question_set_is_compared_over_what_both_asked(blessed: Path, compare: Callable[..., str]) -> None:
    edit(blessed / "eval/questions.yaml", "id: colour", "id: hue")
    import_replies(blessed, {"hue": {"question": "hue", "outcome": "not_answered", "claims": []}})
    (blessed / "eval/drafts/colour.json").unlink()
    evaluate(blessed)

    lines = compare("--project", blessed).splitlines()
    assert (lines[0], lines[3:6]) == (
        "## 0 of 2 questions changed",
        [
            "Questions that both asked are paired, and every figure is over these 2 alone.",
            "Only in A: `colour`.",
            "Only in B: `hue`.",
        ],
    )
    assert "| state agreement | not measured | not measured | - |" in lines


@pytest.fixture
def repository(blessed: Path) -> Path:
    """The project under git, blessed in `main` and with another draft in `better`; `main` is checked out."""
    git(blessed, "init", "--quiet", "--initial-branch", "main")
    git(blessed, "add", "eval")
    git(blessed, "commit", "--quiet", "--message", "Measure")
    git(blessed, "checkout", "--quiet", "-b", "better")
    redraft(blessed)
    evaluate(blessed)
    git(blessed, "commit", "--quiet", "--all", "--message", "Draft anew")
    git(blessed, "checkout", "--quiet", "main")
    return blessed


def git(root: Path, *arguments: str) -> None:
    subprocess.run((*IN_GIT, *arguments), cwd=root, check=True, capture_output=True)


@pytest.mark.parametrize(
    ("runs", "sentence"),
    [
        (("main", "better"), "A is `main` with 3 questions, B is `better` with 3."),
        (("better~1", "better"), "A is `better~1` with 3 questions, B is `better` with 3."),
        (("PROJECT", "better"), "A is `PROJECT` with 3 questions, B is `better` with 3."),
    ],
)
def test_two_revisions_are_compared(
    repository: Path, compare: Callable[..., str], runs: tuple[str, str], sentence: str
) -> None:
    named = (name.replace("PROJECT", str(repository)) for name in runs)

    report = compare(*named, "--project", repository)
    assert report.splitlines()[2] == sentence.replace("PROJECT", str(repository))
    assert row(report, "lid").endswith("| draft |")


def test_one_run_is_compared_with_the_results_of_the_project(repository: Path, compare: Callable[..., str]) -> None:
    report = compare("better", "--project", repository)

    assert report.splitlines()[2] == f"A is `better` with 3 questions, B is `{repository}/eval/results` with 3."
    assert row(report, "lid").startswith("state grounded → partial;")


def test_two_named_runs_need_no_project(repository: Path, tmp_path: Path, compare: Callable[..., str]) -> None:
    baseline = repository / "eval/baseline.json"

    assert compare(baseline, baseline, "--project", tmp_path / "nowhere") == (
        "Nothing changed in the 3 questions of both runs.\n"
    )


def test_the_same_is_printed_as_json(repository: Path, compare: Callable[..., str]) -> None:
    found: Json = json.loads(compare("main", "better", "--json", "--project", repository))

    assert (found["changed"], found["causes"], found["differing_inputs"]) == (1, {"draft": 1}, {"draft": 1})
    assert [(one["id"], one["cause"], len(one["claims"])) for one in found["changes"]] == [("lid", "draft", 1)]


def test_a_report_for_a_browser_is_written_beside_what_is_printed(
    repository: Path, tmp_path: Path, compare: Callable[..., str]
) -> None:
    page = tmp_path / "reports/comparison.html"

    printed = compare("main", "better", "--html", page, "--project", repository)
    assert printed.startswith("## 1 of 3 questions changed")
    assert "<h1>1 of 3 questions changed" in page.read_text("utf-8")


def test_comparing_writes_nothing_else(repository: Path, compare: Callable[..., str]) -> None:
    before = {path: (repository / path).read_bytes() for path in files_below(repository)}

    compare("main", "better", "--project", repository)
    compare("--project", repository)
    assert {path: (repository / path).read_bytes() for path in files_below(repository)} == before


def refusal(status: int, project: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What is said where nothing could be compared."""
    capsys.readouterr()
    assert main(["compare", *arguments, "--project", str(project)]) == status
    printed = capsys.readouterr()
    assert printed.out == ""
    return printed.err.replace(str(project), "PROJECT")


def test_without_a_baseline_there_is_nothing_to_compare_with(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert refusal(1, project, capsys) == (
        "error[no-run]: the baseline is missing, so there is no run to compare\n"
        "  --> PROJECT/eval/baseline.json\n"
        "  mend: `foregone bless` writes it; or name two runs\n"
    )


def test_without_results_there_is_nothing_to_compare(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert refusal(1, project, capsys, "main") == (
        "error[no-run]: the folder of results is missing, so there is no run to compare\n"
        "  --> PROJECT/eval/results\n"
        "  mend: run `foregone eval`\n"
    )


def test_a_name_that_leads_nowhere_is_used_wrongly(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert refusal(2, repository, capsys, "main", "worse") == (
        "error[unknown-run]: worse is neither a path nor a revision\n"
        "  git: fatal: Needed a single revision\n"
        "  mend: name a baseline file, a folder of results, a project, or a revision such as main or HEAD~1\n"
    )


def test_a_damaged_baseline_is_refused_with_its_line(blessed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(blessed / "eval/baseline.json", '"state": "grounded"', '"state": "golden"')
    lines = (blessed / "eval/baseline.json").read_text("utf-8").splitlines()
    line = next(place for place, text in enumerate(lines, start=1) if "golden" in text)

    assert refusal(1, blessed, capsys) == (
        "error[unknown-value]: answers.by_question[0].state is 'golden'\n"
        f"  --> PROJECT/eval/baseline.json:{line}\n"
        "  expected one of: grounded, partial, unsupported, no_context, abandoned\n"
        "  mend: use one of the expected values\n"
    )
