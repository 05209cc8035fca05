"""Where a run may come from, and what is said where there is none."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from foregone.compare.run import Run
from foregone.compare.sources import load_run
from foregone.errors import ForegoneError, Misused, Refused
from tiny_corpus import run

IN_GIT = ("git", "-c", "user.name=t", "-c", "user.email=t@kitchen.example")


@pytest.fixture(scope="module")
def blessed(written: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny project with results and baseline, committed; not to be changed."""
    root = tmp_path_factory.mktemp("blessed") / "project"
    shutil.copytree(written, root)
    run("bless", "--project", str(root), "--reason", "the first")
    git(root, "init", "--quiet", "--initial-branch", "main")
    git(root, "add", "eval")
    git(root, "commit", "--quiet", "--message", "Measure")
    git(root, "tag", "measured")
    return root


@pytest.fixture
def committed(blessed: Path, tmp_path: Path) -> Path:
    """A copy of it to change."""
    return Path(shutil.copytree(blessed, tmp_path / "project"))


def git(root: Path, *arguments: str) -> None:
    subprocess.run((*IN_GIT, *arguments), cwd=root, check=True, capture_output=True)


def named(run_: Run) -> tuple[str, list[str]]:
    return run_.name, sorted(run_.questions)


QUESTIONS = ["colour", "lid", "whistle"]


@pytest.mark.parametrize("place", ["", "eval", "eval/results", "eval/baseline.json"])
def test_a_run_is_a_project_an_eval_folder_its_results_or_a_baseline(blessed: Path, place: str) -> None:
    name = str(blessed / place)

    assert named(load_run(name, blessed)) == (name, QUESTIONS)


@pytest.mark.parametrize("revision", ["main", "HEAD", "measured", "refs/heads/main", "HEAD^{}", "@"])
def test_a_run_is_a_revision(blessed: Path, revision: str) -> None:
    assert named(load_run(revision, blessed)) == (revision, QUESTIONS)


def test_all_places_give_the_same_run(blessed: Path) -> None:
    runs = [load_run(name, blessed) for name in ("main", str(blessed), str(blessed / "eval/baseline.json"))]

    assert [(one.questions, one.inputs, one.index_version) for one in runs] == [
        (runs[0].questions, runs[0].inputs, runs[0].index_version)
    ] * 3


def test_a_project_may_be_below_the_top_of_its_repository(committed: Path) -> None:
    git(committed, "mv", "-k", "eval", "moved")
    (committed / "below").mkdir()
    git(committed, "mv", "moved", "below/eval")
    git(committed, "commit", "--quiet", "--message", "Move")

    assert named(load_run("HEAD", committed / "below")) == ("HEAD", QUESTIONS)


def test_a_path_wins_over_a_revision_of_its_name(
    committed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "main").mkdir()
    monkeypatch.chdir(tmp_path)

    with pytest.raises(Refused) as caught:
        load_run("main", committed)
    assert str(caught.value) == (
        "error[no-results]: the folder main holds no results\n"
        "  --> main\n"
        "  there is no retrieval.json in it, in results/ or in eval/results/\n"
        "  mend: run `foregone eval` there; for a revision of that name write refs/heads/main"
    )


def refusal(name: str, project: Path, kind: type[ForegoneError] = Misused) -> str:
    with pytest.raises(kind) as caught:
        load_run(name, project)
    assert type(caught.value) is kind
    return str(caught.value).replace(str(project), "PROJECT")


MEND = "  mend: name a baseline file, a folder of results, a project, or a revision such as main or HEAD~1"


@pytest.mark.parametrize("name", ["--output=x", "-", "", "a\0b"])
def test_a_name_that_could_be_an_option_is_refused(blessed: Path, name: str) -> None:
    shown = name.replace("\0", "\\x00")
    assert refusal(name, blessed) == f"error[bad-run]: '{shown}' names no run\n{MEND}"


@pytest.mark.parametrize("name", ["nowhere.json", "HEAD~7", "main:eval", "main..measured", "$(id)", "main; id"])
def test_what_is_neither_path_nor_revision_is_used_wrongly(blessed: Path, name: str) -> None:
    said = refusal(name, blessed).splitlines()

    assert (said[0], said[-1]) == (f"error[unknown-run]: {name} is neither a path nor a revision", MEND)
    assert said[1].startswith("  git: fatal: ")


def test_outside_a_repository_no_revision_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))

    assert refusal("main", tmp_path) == (
        "error[unknown-run]: main is neither a path nor a revision\n"
        "  git: fatal: not a git repository (or any of the parent directories): .git\n" + MEND
    )


def test_where_git_is_not_installed_that_is_said(blessed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    assert refusal("main", blessed) == (
        "error[no-git]: main is no path, and git, which would know revisions, is not installed\n"
        "  mend: install git, or name a path"
    )


def test_a_revision_without_results_is_refused(committed: Path) -> None:
    git(committed, "rm", "--quiet", "eval/results/answers.json")
    git(committed, "commit", "--quiet", "--message", "Remove")
    shown = subprocess.run(("git", "rev-parse", "HEAD"), cwd=committed, check=True, capture_output=True, text=True)

    assert refusal("HEAD", committed, Refused) == (
        "error[no-results]: the revision HEAD has no eval/results/answers.json\n"
        "  --> HEAD:eval/results/answers.json\n"
        f"  it is commit {shown.stdout[:12]}\n"
        "  mend: name a revision that has committed results, or evaluate it in a worktree of its own"
    )


def test_a_damaged_file_of_a_revision_is_named_with_its_line(committed: Path) -> None:
    (committed / "eval/results/answers.json").write_text('{\n "format": NaN}', encoding="utf-8")
    git(committed, "commit", "--quiet", "--all", "--message", "Damage")

    assert refusal("HEAD", committed, Refused) == (
        "error[json-syntax]: HEAD:eval/results/answers.json cannot be parsed\n"
        "  --> HEAD:eval/results/answers.json:1\n"
        "  NaN is not JSON\n"
        "  mend: correct the file at this line"
    )


def test_retrieval_without_answers_is_refused(committed: Path) -> None:
    (committed / "eval/results/answers.json").unlink()

    assert refusal(str(committed), committed, Refused).splitlines()[1:] == [
        "  --> PROJECT/eval/results/answers.json",
        "  No such file or directory",
        "  mend: run `foregone eval` there",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 100_000, "  --> PROJECT/eval/baseline.json:1"),
        ('{\n "format": 2, "tea": 1}', "  --> PROJECT/eval/baseline.json:2"),
        ('{\n "format": 1,\n "tea": 1}', "  --> PROJECT/eval/baseline.json:3"),
        ('{"format": 1, "reason": "",\n "retrieval": [],\n "answers": {}}', "  --> PROJECT/eval/baseline.json:2"),
        ("\n[]", "  --> PROJECT/eval/baseline.json:2"),
    ],
)
def test_a_file_that_is_no_baseline_is_refused_with_its_line(committed: Path, text: str, message: str) -> None:
    path = committed / "eval/baseline.json"
    path.write_text(text, encoding="utf-8")

    assert refusal(str(path), committed, Refused).splitlines()[1] == message


def test_an_unknown_key_of_a_baseline_is_refused(committed: Path) -> None:
    path = committed / "eval/baseline.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), "tea": 1}), encoding="utf-8")

    assert refusal(str(path), committed, Refused) == (
        "error[unknown-key]: the file has an unknown key 'tea'\n"
        "  --> PROJECT/eval/baseline.json:1\n"
        "  known keys: answers, format, reason, retrieval\n"
        "  mend: remove the key or correct its spelling"
    )


def test_a_name_that_would_move_a_terminal_is_shown_written_out(committed: Path) -> None:
    folder = Path(shutil.copytree(committed, committed.parent / "\x1b[2J\u202e"))

    assert load_run(str(folder), committed).name == f"{committed.parent}/\\x1b[2J\\u202e"
