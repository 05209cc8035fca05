"""A run is read strictly: what is wrong in a results file is refused with its line."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from foregone.compare.run import Asked, Claim, Run, parse_run
from foregone.errors import Refused
from foregone.located import parse_json
from tiny_run import digest

Json = Any
"""Whatever `json.loads` gives."""
RETRIEVAL: Json = {
    "format": 1,
    "index_version": "0123456789ab",
    "questions": {"sha256": digest(9)},
    "by_question": [
        {"id": "lid", "answerable": True, "ranks": {"bm25": None, "fused": 2}, "in_evidence": False},
        {"id": "colour", "answerable": False, "ranks": {}, "in_evidence": None},
    ],
}
OWN = {"question": digest(1), "evidence": digest(2), "draft": digest(3), "review": None}
SHARED = dict.fromkeys(("corpus", "index", "retrieval", "rules", "limit", "code"), digest(4))
ANSWERS: Json = {
    "format": 1,
    "index_version": "0123456789ab",
    "questions": {"sha256": digest(9)},
    "inputs": SHARED,
    "by_question": [
        {
            "id": "colour",
            "expected": "unsupported",
            "state": "unsupported",
            "by_check_alone": "unsupported",
            "outcome": "not_answered",
            "answered": False,
            "agrees": True,
            "claims": [],
            "inputs": OWN,
        },
        {
            "id": "lid",
            "expected": "answerable",
            "state": "partial",
            "by_check_alone": "partial",
            "outcome": "answered",
            "answered": True,
            "agrees": False,
            "claims": [{"sha256": digest(5), "verdict": "withdrawn", "rules": ["literal", "coverage"]}],
            "inputs": OWN,
        },
    ],
}


def copied(value: Json) -> Json:
    return json.loads(json.dumps(value))


def parse(retrieval: Json, answers: Json) -> Run:
    """The run of two files, an entry a line."""
    files = {"retrieval.json": retrieval, "answers.json": answers}
    located = [parse_json(json.dumps(value, indent=1), Path(name)) for name, value in files.items()]
    return parse_run("here", *located)


def test_a_run_holds_what_both_files_say_of_a_question() -> None:
    assert parse(RETRIEVAL, ANSWERS) == Run(
        "here",
        "0123456789ab",
        SHARED,
        {
            "colour": Asked(
                id="colour",
                ranks={},
                in_evidence=None,
                expected="unsupported",
                state="unsupported",
                by_check_alone="unsupported",
                outcome="not_answered",
                answered=False,
                agrees=True,
                claims=(),
                inputs={**SHARED, **OWN},
            ),
            "lid": Asked(
                id="lid",
                ranks={"bm25": None, "fused": 2},
                in_evidence=False,
                expected="answerable",
                state="partial",
                by_check_alone="partial",
                outcome="answered",
                answered=True,
                agrees=False,
                claims=(Claim(digest(5), "withdrawn", ("coverage", "literal")),),
                inputs={**SHARED, **OWN},
            ),
        },
    )


def test_keys_that_are_not_read_may_be_there() -> None:
    assert parse({**RETRIEVAL, "tea": 1}, {**ANSWERS, "legs": None}) == parse(RETRIEVAL, ANSWERS)


def refusal(retrieval: Json, answers: Json) -> str:
    with pytest.raises(Refused) as caught:
        parse(retrieval, answers)
    return str(caught.value)


def test_another_format_is_refused_before_anything_else_is_read() -> None:
    assert refusal(RETRIEVAL, {"format": 2}) == (
        "error[bad-number]: format is 2\n"
        "  --> answers.json:2\n"
        "  expected an integer from 1 to 1\n"
        "  mend: write such a number"
    )


def test_files_of_two_runs_are_refused() -> None:
    assert refusal(RETRIEVAL, {**ANSWERS, "questions": {"sha256": digest(8)}}) == (
        "error[mixed-runs]: questions.sha256 is not that of the retrieval results\n"
        "  --> answers.json:5\n"
        f"  expected {digest(9)}\n"
        f"  found    {digest(8)}\n"
        "  mend: run `foregone eval` again for this run"
    )


def test_a_question_that_only_one_file_holds_is_refused() -> None:
    answers = {**ANSWERS, "by_question": ANSWERS["by_question"][:1]}

    assert refusal(RETRIEVAL, answers) == (
        "error[missing-question]: answers.json has no question 'lid'\n"
        "  --> answers.json:1\n"
        "  1 such: the other file of the run has them\n"
        "  mend: run `foregone eval` again for this run"
    )


def test_a_question_that_stands_twice_is_refused() -> None:
    answers = {**ANSWERS, "by_question": [ANSWERS["by_question"][0]] * 2}

    assert refusal(RETRIEVAL, answers) == (
        "error[duplicate-id]: the question 'colour' stands twice\n"
        "  --> answers.json:33\n"
        "  mend: run `foregone eval` again for this run"
    )


def test_files_that_disagree_whether_a_question_is_answerable_are_refused() -> None:
    answers = copied(ANSWERS)
    answers["by_question"][1]["expected"] = "partial"

    assert refusal(RETRIEVAL, answers) == (
        "error[mixed-runs]: by_question[1].expected is 'partial'\n"
        "  --> answers.json:34\n"
        "  the retrieval results have True for answerable\n"
        "  mend: run `foregone eval` again for this run"
    )


def test_an_answerable_question_without_a_fused_rank_is_refused() -> None:
    retrieval = copied(RETRIEVAL)
    del retrieval["by_question"][0]["ranks"]["fused"]

    assert refusal(retrieval, ANSWERS) == (
        "error[missing-key]: by_question[0].ranks has no 'fused'\n  --> retrieval.json:11\n  mend: add 'fused'"
    )


def trails(value: Json, trail: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    yield trail
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in entries:
        yield from trails(entry, (*trail, key))


HOSTILE: tuple[Json, ...] = (
    None, True, -1, 0, 1.5, 1e308, 10**400, "", "x", "\ud800", "\x00", "\x1b[2J", "<b>|`", [], {}, [[]], [None], {"": 1},
    {"id": "lid"}, ["lid"], "9" * 10_000,
)  # fmt: skip


@pytest.mark.parametrize("file", ["retrieval", "answers"])
def test_whatever_stands_anywhere_is_read_or_refused(file: str) -> None:
    good = {"retrieval": RETRIEVAL, "answers": ANSWERS}
    outcomes = {True: 0, False: 0}
    for trail in trails(good[file]):
        for hostile in HOSTILE:
            bad = {**good, file: replaced(good[file], trail, hostile)}
            try:
                parse(bad["retrieval"], bad["answers"])
            except Refused:
                outcomes[False] += 1
            else:
                outcomes[True] += 1

    assert min(outcomes.values()) > 0


def replaced(value: Json, trail: tuple[str | int, ...], hostile: Json) -> Json:
    if not trail:
        return hostile
    other = copied(value)
    entry = other
    for step in trail[:-1]:
        entry = entry[step]
    entry[trail[-1]] = hostile
    return other
