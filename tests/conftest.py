"""The tiny project, written and built once; every test gets a copy of its own to change."""

import shutil
from pathlib import Path

import pytest

from foregone.pipeline import answer_questions, render_release
from foregone.project import load_project
from foregone.release.manifest import Release
from foregone.workers import Workers
from tiny_corpus import edit, import_replies, run, write_project

WHISTLING = "The whistle sounds when steam passes the spout at 100 degrees and the pressure-valve is shut."
VARIETY: dict[str, object] = {
    "question": "variety",
    "outcome": "partly",
    "claims": [
        {"text": "Quoted.", "kind": "finding", "section": "kettle#2", "quote": WHISTLING, "quoted": True},
        {"text": "Within five seconds the whistle stops.", "kind": "finding", "section": "kettle#2"},
        {
            "text": "Lid-State is shut while a server pours.",
            "kind": "setting",
            "section": "teapot#1.1",
            "quote": "A server pours with the Lid-State field set to shut.",
            "parts": {"name": "Lid-State", "value": "shut"},
        },
        {"text": "A kettle is whistling.", "kind": "finding", "section": "kettle#1", "quote": WHISTLING},
        {"text": "Tea was invented on Mars.", "kind": "definition", "section": "cups#1.2"},
    ],
}
"""A claim that is its quote, one that the check aligns, a setting, a quote from elsewhere, and one without evidence."""


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny project; not to be changed."""
    return write_project(tmp_path_factory.mktemp("written"))


@pytest.fixture(scope="session")
def built(written: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny project with its site; not to be changed."""
    root = _copy(written, tmp_path_factory.mktemp("built") / "project")
    run("build", "--project", str(root))
    return root


@pytest.fixture(scope="session")
def varied(written: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny project with one question more, whose claims are of every form; not to be changed."""
    root = _copy(written, tmp_path_factory.mktemp("varied") / "project")
    with (root / "eval/questions.yaml").open("a", encoding="utf-8") as questions:
        questions.write(
            '  - id: variety\n    text: "How do a whistle & a server mind the lid, the valve and the heat?"\n'
            "    topic: kettles\n    kind: comparison\n    match: all\n    sections: [kettle#2, teapot#1.1]\n"
        )
    import_replies(root, {"variety": VARIETY})
    return root


@pytest.fixture
def project(written: Path, tmp_path: Path) -> Path:
    """A fresh copy of the tiny project, its site not built."""
    return _copy(written, tmp_path / "project")


@pytest.fixture
def site(built: Path, tmp_path: Path) -> Path:
    """A fresh copy of the tiny project with its site in dist/."""
    return _copy(built, tmp_path / "project")


@pytest.fixture(scope="session")
def release(varied: Path) -> Release:
    """The release of the varied project."""
    return _release(varied)


@pytest.fixture(scope="session")
def abandoned(varied: Path, tmp_path_factory: pytest.TempPathFactory) -> Release:
    """The same where the limit of work lets no claim be checked."""
    root = _copy(varied, tmp_path_factory.mktemp("abandoned") / "project")
    edit(root / "eval/thresholds.yaml", "max_work: 5000", "max_work: 1")
    return _release(root)


@pytest.fixture(scope="session")
def contextless(varied: Path, tmp_path_factory: pytest.TempPathFactory) -> Release:
    """The same where the index is missing."""
    root = _copy(varied, tmp_path_factory.mktemp("contextless") / "project")
    shutil.rmtree(root / "corpus/index")
    return _release(root)


def _release(root: Path) -> Release:
    project, workers = load_project(root), Workers(1, lambda _: None)
    answered = answer_questions(project, lambda: 0.0, workers, lambda _: None)
    return render_release(project, answered, workers, lambda _: None)


def _copy(source: Path, target: Path) -> Path:
    shutil.copytree(source, target, symlinks=True)
    return target


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests could not run here, and why: a skipped test that nobody sees is worth nothing."""
    skipped = terminalreporter.stats.get("skipped", [])
    terminalreporter.write_line(f"not run: {len(skipped)}")
    for report in skipped:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        terminalreporter.write_line(f"  {report.nodeid}: {reason}")
