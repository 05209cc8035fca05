"""The report as code hosts read it: of SARIF 2.1.0, and with what GitHub's code scanning requires besides."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from foregone import __version__
from foregone.digest import digest_text
from foregone.gate.checks import CHECKS
from foregone.gate.report.sarif import sarif_report
from foregone.gate.verdict import Verdict, judge
from tiny_verdicts import GREEN, HOSTILE, MIXED, STALE, SUNK, UNKNOWN

EXCERPT = Draft202012Validator(json.loads(Path(__file__).with_name("sarif-excerpt.schema.json").read_text("utf-8")))


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kitchen").mkdir()
    monkeypatch.chdir(tmp_path / "kitchen")


def report(*verdicts: Verdict) -> Any:  # noqa: ANN401 - JSON
    return json.loads(sarif_report(verdicts))


def results(*verdicts: Verdict) -> Any:  # noqa: ANN401 - JSON
    return report(*verdicts)["runs"][0]["results"]


def location(where: str) -> Any:  # noqa: ANN401 - JSON
    (result,) = results(judge("work", ok=False, measured=2, limit=1, where=where, why=("too much",), mend="less"))
    ((place,),) = (result["locations"],)
    return place["physicalLocation"]


def test_a_report_says_what_made_it_and_by_which_standard() -> None:
    found = report(*MIXED)
    (run,) = found["runs"]

    assert {**found, "runs": []} == {
        "version": "2.1.0",
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "runs": [],
    }
    assert {**run["tool"]["driver"], "rules": []} == {"name": "foregone gate", "version": __version__, "rules": []}
    assert run["columnKind"] == "unicodeCodePoints"


def test_every_check_is_a_rule_with_what_it_asks() -> None:
    (run,) = report(*GREEN)["runs"]

    assert run["tool"]["driver"]["rules"] == [
        {
            "id": name,
            "shortDescription": {"text": check.asks},
            "fullDescription": {"text": check.asks},
            "help": {"text": check.asks},
        }
        for check in CHECKS
        for name in check.names
    ]


def test_what_is_red_is_a_result_at_its_line() -> None:
    assert results(*MIXED) == [
        {
            "ruleId": "work",
            "level": "error",
            "message": {
                "text": "work: -, limit -\n3 questions have no draft\nmend: `foregone draft export` writes prompts"
            },
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": "eval/drafts", "uriBaseId": "%SRCROOT%"},
                        "region": {"startLine": 1},
                    }
                }
            ],
            "partialFingerprints": {"primaryLocationLineHash": digest_text("work")},
        },
        {
            "ruleId": "rank",
            "level": "error",
            "message": {
                "text": "rank/whistle: 4, limit 2\n"
                "the expected section kettle#2 is at rank 4, 2 allowed\n"
                "outranked by teapot#1, cups#1.2 and 1 more\n"
                "mend: see what moved it with `foregone compare`"
            },
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": "eval/questions.yaml", "uriBaseId": "%SRCROOT%"},
                        "region": {"startLine": 3},
                    }
                }
            ],
            "partialFingerprints": {"primaryLocationLineHash": digest_text("rank/whistle")},
        },
        {
            "ruleId": "release",
            "level": "error",
            "message": {"text": "release: 0a, limit 0b\ndist/ holds 0a\nmend: run `foregone build`"},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": "dist", "uriBaseId": "%SRCROOT%"},
                        "region": {"startLine": 1},
                    }
                }
            ],
            "partialFingerprints": {"primaryLocationLineHash": digest_text("release")},
        },
    ]


def test_a_green_report_has_no_result() -> None:
    assert results(*GREEN) == []


@pytest.mark.parametrize("verdicts", [MIXED, GREEN, (HOSTILE,)], ids=["mixed", "green", "hostile"])
def test_every_report_keeps_to_the_standard(verdicts: tuple[Verdict, ...]) -> None:
    assert [f"{error.json_path}: {error.message}" for error in EXCERPT.iter_errors(report(*verdicts))] == []


@pytest.mark.parametrize(
    ("where", "uri", "line"),
    [
        ("eval/questions.yaml:12", "eval/questions.yaml", 12),
        ("eval/questions.yaml:0", "eval/questions.yaml%3A0", 1),
        ("eval/no such file.yaml:3", "eval/no%20such%20file.yaml", 3),
        ("dist", "dist", 1),
        ("", ".", 1),
        ("tea:time/cups?.yaml:4", "tea%3Atime/cups%3F.yaml", 4),
        ("50%/a#b/[c]", "50%25/a%23b/%5Bc%5D", 1),
        ("Zoë/茶.yaml:1", "Zo%C3%AB/%E8%8C%B6.yaml", 1),
        ("C:\\kitchen\\q.yaml:7", "C%3A%5Ckitchen%5Cq.yaml", 7),
        ("caf\udce9/q.yaml:7", "caf%E9/q.yaml", 7),
        ("a\nb.yaml:3", "a%0Ab.yaml", 3),
    ],
)
def test_a_path_is_a_relative_reference_with_its_base(where: str, uri: str, line: int) -> None:
    assert location(where) == {
        "artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": line},
    }


def test_a_path_outside_of_the_folder_of_the_run_is_a_file_uri_without_a_base() -> None:
    cellar = Path.cwd().parent / "a cellar"

    assert location("../a cellar/eval/q.yaml:7") == {
        "artifactLocation": {"uri": f"{cellar.as_uri()}/eval/q.yaml"},
        "region": {"startLine": 7},
    }


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("n is {'a': [1]} in the file, {0} now", "n is {{'a': [1]}} in the file, {{0}} now"),
        ("see [here](https://tea.example)", "see [here] (https://tea.example)"),
        ("the quote is not at [1, 5]", "the quote is not at [1, 5]"),
    ],
)
def test_a_text_is_neither_a_placeholder_nor_a_link(text: str, written: str) -> None:
    (result,) = results(judge("work", ok=False, measured=2, limit=1, where="eval", why=(text,), mend="less"))

    assert result["message"]["text"] == f"work: 2, limit 1\n{written}\nmend: less"


def test_a_result_is_the_same_one_wherever_its_threshold_stands() -> None:
    moved = judge("rank/whistle", ok=False, measured=9, limit=3, where="eval/q.yaml:99", why=("low",), mend="rise")
    before, after = (results(verdict)[0]["partialFingerprints"] for verdict in (SUNK, moved))

    assert before == after


def test_no_two_results_are_the_same_one() -> None:
    found = [tuple(one["partialFingerprints"].values()) for one in results(SUNK, STALE, UNKNOWN, HOSTILE)]

    assert len(set(found)) == 4
