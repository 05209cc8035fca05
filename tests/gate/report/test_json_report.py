"""The report as data keeps to its published schema, which no report breaks that contradicts itself."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from foregone.gate.report.json_report import report_value
from foregone.render.tree import schema_bytes
from tiny_verdicts import GREEN, HOSTILE, MIXED, RECALL, SUNK, UNKNOWN


@pytest.fixture(scope="module")
def schema() -> Draft202012Validator:
    value = json.loads(schema_bytes("gate"))
    Draft202012Validator.check_schema(value)
    return Draft202012Validator(value)


def test_a_report_holds_every_verdict_in_the_order_of_the_checks() -> None:
    assert report_value((RECALL, SUNK, UNKNOWN)) == {
        "format": 1,
        "ok": False,
        "counts": {"passed": 1, "failed": 1, "not_measured": 1},
        "checks": [
            {
                "name": "recall@10",
                "ok": True,
                "outcome": "passed",
                "measured": 0.9166666,
                "limit": 0.9,
                "where": "eval/thresholds.yaml:5",
                "why": [],
                "mend": "",
            },
            {
                "name": "rank/whistle",
                "ok": False,
                "outcome": "failed",
                "measured": 4,
                "limit": 2,
                "where": "eval/questions.yaml:3",
                "why": [
                    "the expected section kettle#2 is at rank 4, 2 allowed",
                    "outranked by teapot#1, cups#1.2 and 1 more",
                ],
                "mend": "see what moved it with `foregone compare`",
            },
            {
                "name": "work",
                "ok": False,
                "outcome": "not_measured",
                "measured": None,
                "limit": None,
                "where": "eval/drafts",
                "why": ["3 questions have no draft"],
                "mend": "`foregone draft export` writes prompts",
            },
        ],
    }


@pytest.mark.parametrize(
    "verdicts", [MIXED, GREEN, (HOSTILE,), (UNKNOWN,)], ids=["mixed", "green", "hostile", "unknown"]
)
def test_every_report_satisfies_the_schema(schema: Draft202012Validator, verdicts: tuple[Any, ...]) -> None:
    value = json.loads(json.dumps(report_value(verdicts)))

    assert [error.message for error in schema.iter_errors(value)] == []


@pytest.mark.parametrize(
    ("place", "changes"),
    [
        ("top", {"ok": True}),
        ("top", {"checks": []}),
        ("top", {"format": 2}),
        ("passed", {"ok": False}),
        ("passed", {"outcome": "failed"}),
        ("passed", {"why": ["the kettle is cold"]}),
        ("passed", {"mend": "heat it"}),
        ("failed", {"ok": True}),
        ("failed", {"outcome": "passed"}),
        ("failed", {"outcome": "skipped"}),
        ("failed", {"why": []}),
        ("failed", {"mend": ""}),
        ("failed", {"measured": [4]}),
        ("failed", {"measured": True}),
        ("failed", {"name": ""}),
        ("unknown", {"measured": 4}),
        ("counts", {"failed": 0, "not_measured": 0}),
        ("counts", {"failed": -1}),
    ],
)
def test_a_report_that_contradicts_itself_breaks_the_schema(
    schema: Draft202012Validator, place: str, changes: dict[str, object]
) -> None:
    value = report_value((RECALL, SUNK, UNKNOWN))
    places = {"top": value, "counts": value["counts"]}
    places |= dict(zip(("passed", "failed", "unknown"), value["checks"], strict=True))
    places[place].update(changes)

    assert not schema.is_valid(value)


def test_a_green_report_counts_nothing_red(schema: Draft202012Validator) -> None:
    value = report_value(GREEN)
    value["counts"]["failed"] = 1

    assert not schema.is_valid(value)
