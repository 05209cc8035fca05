"""`foregone gate`: 0 green, 1 regressed, 2 could not run; the reports go where they are asked for."""

import json
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from foregone.cli import main
from tiny_corpus import THRESHOLDS, edit, run, set_floors


@pytest.fixture(autouse=True)
def _outside_of_any_workflow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)


@pytest.fixture(scope="module")
def gated(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny project with floors, and with the site and the results that go with them; not to be changed."""
    root = tmp_path_factory.mktemp("gated") / "project"
    shutil.copytree(built, root, symlinks=True)
    set_floors(root)
    run("build", "--project", str(root))
    run("eval", "--quiet", "--project", str(root))
    return root


@pytest.fixture
def project(gated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy to change; the commands run in it."""
    root = tmp_path / "project"
    shutil.copytree(gated, root, symlinks=True)
    monkeypatch.chdir(root)
    return root


ONLY = ("gate", "--only", "drafting-worst-case", "--only", "rank/*")
ANNOTATION = (
    "::error file=eval/thresholds.yaml,line=21,title=gate%3A drafting-worst-case::0.0205, limit 0%0A"
    "3 drafts of 1,500 tokens by tea-writer would cost 0.0205 USD%0A"
    "mend: lower budget.max_output_tokens, or raise budget.daily_cap_usd\n"
)


def forbid_spending(project: Path) -> None:
    """Recording drafts may cost nothing, so that one check is red."""
    edit(project / "eval/thresholds.yaml", "daily_cap_usd: 2.00", "daily_cap_usd: 0")


@pytest.mark.usefixtures("project")
def test_a_green_gate_is_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gate"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "gate green: 23 passed, 0 failed, 0 not measured"


def test_a_red_gate_is_1(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    forbid_spending(project)

    assert main(ONLY) == 1
    assert capsys.readouterr().out == (
        "FAILED drafting-worst-case: 0.0205, limit 0\n"
        "  --> eval/thresholds.yaml:21\n"
        "  3 drafts of 1,500 tokens by tea-writer would cost 0.0205 USD\n"
        "  mend: lower budget.max_output_tokens, or raise budget.daily_cap_usd\n"
        "\n"
        "        check                measured         limit\n"
        "FAILED  drafting-worst-case    0.0205             0\n"
        "ok      rank/*                 2 of 2  each its own\n"
        "gate red: 2 passed, 1 failed, 0 not measured\n"
    )


def test_a_gate_that_cannot_run_is_2(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "eval/thresholds.yaml").write_text(THRESHOLDS, encoding="utf-8")

    assert main(["gate"]) == 2
    assert capsys.readouterr().err.partition("error")[2] == (
        "[no-threshold]: the thresholds have no floors for retrieval and refusal\n"
        "  --> eval/thresholds.yaml\n"
        "  mend: `foregone bless --thresholds` writes the thresholds anew from what is measured; read its diff\n"
    )


@pytest.mark.usefixtures("project")
def test_a_check_that_there_is_none_of_is_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gate", "--only", "tea"]) == 2
    assert capsys.readouterr().err.partition("error")[2] == (
        "[no-check]: no check is named tea\n  mend: `foregone gate --list` names them\n"
    )


def test_every_report_is_written_where_it_is_asked_for(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    forbid_spending(project)

    assert main([*ONLY, "--json", "--junit", "a/b/j.xml", "--sarif", "a/s.json", "--html", "h.html"]) == 1
    counts = json.loads(capsys.readouterr().out)["counts"]
    suites = ET.fromstring((project / "a/b/j.xml").read_bytes())
    (red,) = json.loads((project / "a/s.json").read_bytes())["runs"][0]["results"]
    assert counts == {"passed": 2, "failed": 1, "not_measured": 0}
    assert (suites.get("tests"), red["ruleId"]) == ("3", "drafting-worst-case")
    assert "<title>Gate red</title>" in (project / "h.html").read_text("utf-8")


@pytest.mark.parametrize("option", ["--junit", "--sarif", "--html"])
def test_a_report_that_cannot_be_written_is_no_regression(
    project: Path, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*ONLY, option, str(project / "eval")]) == 2
    assert capsys.readouterr().err.partition("error")[2] == (
        f"[unwritable]: the report {project}/eval cannot be written\n"
        f"  --> {project}/eval\n"
        "  Is a directory\n"
        "  mend: name a file that can be written\n"
    )


def test_in_a_workflow_what_is_red_is_annotated_and_summed_up(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    forbid_spending(project)
    page = project / "summary.md"
    page.write_text("## Before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))

    assert main(ONLY) == 1
    assert capsys.readouterr().err.endswith(ANNOTATION)
    assert page.read_text("utf-8").startswith("## Before\n## Gate red\n\n2 of 3 checks passed.\n")


def test_in_a_workflow_without_a_summary_page_none_is_written(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    forbid_spending(project)
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    before = sorted(project.rglob("*"))

    assert main(ONLY) == 1
    assert capsys.readouterr().err.endswith(ANNOTATION)
    assert sorted(project.rglob("*")) == before
