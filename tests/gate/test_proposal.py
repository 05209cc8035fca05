"""Floors follow from what is measured: they absorb two questions and not three, and a person reads their diff."""

import json
from pathlib import Path
from typing import Any

import pytest

from foregone.cli import main
from foregone.gate.proposal import replace_floors
from foregone.thresholds import load_thresholds

ROOT = Path(__file__).parents[2]
BLOCKS = 'measured_on: "0123456789ab"\n# Set by a program.\nretrieval:\n  min_mrr: 0.5\nrefusal:\n  min: 1\n'
HEAD = "# What this project promises.\n"
OURS = "# Ours.\nbudget:\n  # A penny.\n  daily_cap_usd: 2.00\n"


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    """What is committed as measured."""
    names = ("retrieval", "answers")
    return {name: json.loads((ROOT / f"eval/results/{name}.json").read_text("utf-8")) for name in names}


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "\n" + OURS,
        HEAD + BLOCKS + "\n" + OURS,
        HEAD + 'measured_on: "ba9876543210"\n\n' + OURS + "retrieval:\n  max_rank: {}\n\nrefusal: {}\n",
    ],
)
def test_the_blocks_of_floors_are_replaced_and_every_other_line_stays(text: str) -> None:
    assert replace_floors(text, BLOCKS).replace("\n\n", "\n") == HEAD + BLOCKS + OURS


def test_accepting_figures_twice_changes_nothing(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    before = {path: path.read_bytes() for path in (project / "eval").rglob("*") if path.is_file()}
    reason = json.loads((project / "eval/baseline.json").read_text("utf-8"))["reason"]

    assert main(["bless", "--thresholds", "--reason", reason]) == 0

    assert capsys.readouterr().out == (
        "eval/thresholds.yaml: floors set two questions below what is measured\n"
        f"eval/baseline.json: accepted, because: {reason}\n"
    )
    assert {path: path.read_bytes() for path in (project / "eval").rglob("*") if path.is_file()} == before


def test_the_committed_floors_absorb_two_questions_and_not_three(results: dict[str, Any]) -> None:
    floors = load_thresholds(ROOT / "eval/thresholds.yaml")
    assert floors.retrieval is not None
    assert floors.refusal is not None
    fused, metrics = results["retrieval"]["legs"]["fused"], results["answers"]["metrics"]
    pairs = {
        "recall@1": (floors.retrieval.min_recall["recall@1"], fused["recall@1"]),
        "recall@5": (floors.retrieval.min_recall["recall@5"], fused["recall@5"]),
        "mrr": (floors.retrieval.min_mrr, fused["mrr"]),
        "grounded rate": (floors.refusal.min_grounded_rate, metrics["grounded_rate"]),
        "state agreement": (floors.refusal.min_state_agreement, metrics["state_agreement"]),
    }

    for name, (floor, metric) in pairs.items():
        two, three = (metric["value"] - lost / metric["n"] for lost in (2, 3))
        assert three < floor <= two, name


def test_what_nothing_makes_up_for_is_pinned_as_measured(results: dict[str, Any]) -> None:
    floors = load_thresholds(ROOT / "eval/thresholds.yaml").retrieval
    assert floors is not None
    measured = {
        floors.min_recall["recall@10"]: results["retrieval"]["legs"]["fused"]["recall@10"],
        floors.min_evidence_recall: results["retrieval"]["evidence"]["recall"],
    }

    assert [floor for floor, metric in measured.items() if not floor <= metric["value"] < floor + 0.001] == []


def test_a_rank_ceiling_is_the_measured_rank_plus_two(results: dict[str, Any]) -> None:
    floors = load_thresholds(ROOT / "eval/thresholds.yaml").retrieval
    assert floors is not None
    ranks = {one["id"]: one["ranks"]["fused"] for one in results["retrieval"]["by_question"] if one["answerable"]}

    assert floors.max_rank == {name: rank + 2 for name, rank in ranks.items()}


@pytest.mark.parametrize("reason", ["", "  ", "two\nlines"])
def test_figures_are_not_accepted_without_a_reason(
    project: Path, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(["bless", "--project", str(project), "--reason", reason])

    assert (status, capsys.readouterr().err) == (
        2,
        "error[no-reason]: --reason says nothing\n  mend: say why these figures are accepted, in one line\n",
    )
