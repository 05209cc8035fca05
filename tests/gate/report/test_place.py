"""A verdict's place is a path from the folder of the run, and a line."""

from pathlib import Path

import pytest

from foregone.gate.report.place import Place, place_of


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kitchen").mkdir()
    monkeypatch.chdir(tmp_path / "kitchen")


@pytest.mark.parametrize(
    ("where", "place"),
    [
        ("eval/questions.yaml:12", Place("eval/questions.yaml", 12)),
        ("eval/questions.yaml", Place("eval/questions.yaml", None)),
        ("./eval/../eval/questions.yaml:12", Place("eval/questions.yaml", 12)),
        ("dist", Place("dist", None)),
        ("dist/", Place("dist", None)),
        ("eval/thresholds.yaml: budget.request_deadline_ms", Place("eval/thresholds.yaml", None)),
        (".", Place(".", None)),
        ("", Place(".", None)),
        ("a b/ünï 茶.yaml:3", Place("a b/ünï 茶.yaml", 3)),
        ("a\nb.yaml:3", Place("a\nb.yaml", 3)),
    ],
)
def test_a_place_is_a_path_and_a_line(where: str, place: Place) -> None:
    assert place_of(where) == place


@pytest.mark.parametrize(
    ("where", "place"),
    [
        ("tea:time/questions.yaml:12", Place("tea:time/questions.yaml", 12)),
        ("tea:4/questions.yaml", Place("tea:4/questions.yaml", None)),
        ("tea: time/questions.yaml:4", Place("tea: time/questions.yaml", 4)),
        ("questions.yaml:4:12", Place("questions.yaml:4", 12)),
        ("http://kitchen.example/q.yaml:12", Place("http:/kitchen.example/q.yaml", 12)),
        ("C:\\kitchen\\eval\\questions.yaml:12", Place("C:\\kitchen\\eval\\questions.yaml", 12)),
        ("C:\\kitchen", Place("C:\\kitchen", None)),
        ("eval\\questions.yaml:12", Place("eval\\questions.yaml", 12)),
    ],
)
def test_only_the_last_colon_with_a_line_behind_it_ends_a_path(where: str, place: Place) -> None:
    assert place_of(where) == place


@pytest.mark.parametrize("tail", [":0", ":-1", ":012", ":1.5", ":٣", ":", ":9999999999", ":" + "9" * 5000, ": Tea"])
def test_what_is_no_line_is_part_of_the_path(tail: str) -> None:
    assert place_of(f"eval/questions.yaml{tail}") == Place(f"eval/questions.yaml{tail}", None)


def test_an_absolute_path_in_the_folder_of_the_run_becomes_relative() -> None:
    assert place_of(f"{Path.cwd()}/eval/questions.yaml:12") == Place("eval/questions.yaml", 12)


@pytest.mark.parametrize("project", ["../cellar", "../kitchen/../cellar", "{parent}/cellar"])
def test_a_path_outside_of_the_folder_of_the_run_is_absolute(project: str) -> None:
    parent = Path.cwd().parent

    where = f"{project.format(parent=parent)}/eval/questions.yaml:12"
    assert place_of(where) == Place(f"{parent}/cellar/eval/questions.yaml", 12)


def test_a_folder_whose_name_begins_like_that_of_the_run_is_outside() -> None:
    assert place_of(f"{Path.cwd()}-2/dist") == Place(f"{Path.cwd()}-2/dist", None)
