"""The results files hold every question and every figure, add up, and are the same bytes for the same inputs."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest

from foregone.evaluation import evaluate_answers
from foregone.measure.results import results_bytes
from foregone.pipeline import Answered, answer_questions
from foregone.project import Project, load_project
from foregone.workers import Workers
from tiny_corpus import unseen

REPOSITORY = Path(__file__).parents[2]
Json = Any
"""Whatever `json.loads` gives."""
Value = TypeVar("Value")


def answer_all(project: Project) -> Answered:
    return answer_questions(project, lambda: 0.0, Workers(1, lambda _: None), unseen, with_rankings=True)


def results_of(project: Project, answered: Answered) -> dict[str, Json]:
    """`retrieval.json` and `answers.json` as they are read again."""
    results = evaluate_answers(project, answered).results
    return {name: json.loads(results_bytes(value)) for name, value in results.items()}


def backwards(values: Mapping[str, Value]) -> dict[str, Value]:
    return dict(reversed([*values.items()]))


@pytest.fixture(scope="module")
def tiny(varied: Path) -> dict[str, Json]:
    """The results of the tiny project with claims of every form."""
    project = load_project(varied)
    return results_of(project, answer_all(project))


@pytest.fixture(scope="module")
def real() -> dict[str, Json]:
    """The results of this repository."""
    project = load_project(REPOSITORY)
    return results_of(project, answer_all(project))


@pytest.fixture(params=["tiny", "real"])
def results(request: pytest.FixtureRequest) -> dict[str, Json]:
    """Those of the tiny project, and those of this repository."""
    found: dict[str, Json] = request.getfixturevalue(request.param)
    return found


def test_the_files_have_these_keys(results: dict[str, Json]) -> None:
    assert {name: list(value) for name, value in results.items()} == {
        "retrieval.json": [
            "format",
            "index_version",
            "corpus",
            "questions",
            "legs",
            "evidence",
            "scores",
            "wording",
            "slices",
            "by_question",
        ],
        "answers.json": [
            "format",
            "index_version",
            "check_version",
            "questions",
            "drafts",
            "inputs",
            "metrics",
            "table",
            "states",
            "by_check_alone",
            "claims",
            "wording",
            "slices",
            "by_question",
        ],
    }


def test_the_ranks_of_a_question_are_told_by_leg_and_section(tiny: dict[str, Json]) -> None:
    by_id = {question["id"]: question for question in tiny["retrieval.json"]["by_question"]}

    assert by_id["variety"] == {
        "id": "variety",
        "answerable": True,
        "match": "all",
        "ranks": {"bm25": 2, "fused": 2},
        "sections": {"kettle#2": {"bm25": 1, "fused": 1}, "teapot#1.1": {"bm25": 2, "fused": 2}},
        "in_evidence": True,
        "passages": 3,
        "top_scores": {"bm25": 1.616714, "fused": 0.090909},
        "outranked_by": [],
    }
    assert by_id["colour"] == {
        "id": "colour",
        "answerable": False,
        "match": None,
        "ranks": {},
        "sections": {},
        "in_evidence": None,
        "passages": 3,
        "top_scores": {"bm25": 0.94345, "fused": 0.090909},
        "outranked_by": [],
    }


def test_an_answer_is_told_with_its_claims_and_the_rules_that_withdrew_them(tiny: dict[str, Json]) -> None:
    entry = next(answer for answer in tiny["answers.json"]["by_question"] if answer["id"] == "lid")

    assert {**entry, "inputs": sorted(entry["inputs"]), "claims": [claim["rules"] for claim in entry["claims"]]} == {
        "id": "lid",
        "expected": "answerable",
        "state": "partial",
        "by_check_alone": "partial",
        "outcome": "answered",
        "answered": True,
        "agrees": False,
        "claims": [[], ["literal"]],
        "inputs": ["draft", "evidence", "question", "review"],
        "work": {"claims": 2, "sentences": 12, "tokens": 130, "limit": 5000},
    }


def test_every_state_is_counted_whatever_was_expected(tiny: dict[str, Json]) -> None:
    nothing = {"grounded": 0, "partial": 0, "unsupported": 0, "no_context": 0, "abandoned": 0}

    assert tiny["answers.json"]["states"] == {
        "answerable": {**nothing, "grounded": 1, "partial": 2},
        "partial": nothing,
        "unsupported": {**nothing, "unsupported": 1},
    }


def test_what_the_fusion_ranks_above_an_expected_section_is_named_three_at_most(real: dict[str, Json]) -> None:
    found = real["retrieval.json"]["by_question"]
    above = [(question["ranks"]["fused"], question["outranked_by"]) for question in found if question["answerable"]]

    assert [names for rank, names in above if rank == 1 and names] == []
    assert {len(names) for rank, names in above if rank is not None and rank > 9} == {3}


def test_an_abandoned_answer_has_no_claims(varied: Path) -> None:
    project = load_project(varied)
    budget = replace(project.thresholds.budget, max_work=1)
    limited = replace(project, thresholds=replace(project.thresholds, budget=budget))
    judged = results_of(limited, answer_all(limited))["answers.json"]

    assert [(one["state"], one["by_check_alone"], one["claims"]) for one in judged["by_question"]] == [
        ("abandoned", "abandoned", []),
        ("abandoned", "abandoned", []),
        ("unsupported", "unsupported", []),
        ("abandoned", "abandoned", []),
    ]
    assert judged["metrics"]["claims_withdrawn"]["reason"] == "no answer has a claim"


def test_every_question_is_there_once_in_the_order_of_the_set(results: dict[str, Json]) -> None:
    ranked, judged = ([question["id"] for question in value["by_question"]] for value in results.values())

    assert (ranked, len({*ranked})) == (judged, results["retrieval.json"]["questions"]["n"])


def test_figures_of_retrieval_add_up_from_question_to_question(results: dict[str, Json]) -> None:
    value = results["retrieval.json"]
    asked = value["by_question"]
    answerable = [question for question in asked if question["answerable"]]
    counts = value["questions"]

    assert (counts["n"], counts["answerable"]) == (len(asked), len(answerable))
    assert counts["unanswerable"] == len(asked) - len(answerable)
    for leg, figures in value["legs"].items():
        ranks = [question["ranks"][leg] or float("inf") for question in answerable]
        for k in (1, 3, 5, 10):
            assert figures[f"recall@{k}"]["value"] == share(sum(rank <= k for rank in ranks), len(ranks))
        assert figures["mrr"]["value"] == share(sum(1 / rank for rank in ranks), len(ranks))
        assert {metric["n"] for name, metric in figures.items() if name != "misses"} == {len(answerable)}
        assert figures["misses"] == [question["id"] for question in answerable if (question["ranks"][leg] or 11) > 10]
    assert value["evidence"]["passages"] == sum(question["passages"] for question in asked)
    held = sum(question["in_evidence"] for question in answerable)
    assert value["evidence"]["recall"]["value"] == share(held, len(answerable))


def test_scores_of_both_groups_add_up_to_the_set(results: dict[str, Json]) -> None:
    counts, scores = results["retrieval.json"]["questions"], results["retrieval.json"]["scores"]

    for group in ("answerable", "unanswerable"):
        assert {sum(overlap[group][key] for key in ("n", "unranked")) for overlap in scores.values()} == {counts[group]}


def test_slices_add_up_to_the_set(results: dict[str, Json]) -> None:
    counts = results["retrieval.json"]["questions"]
    ranked, judged = results["retrieval.json"]["slices"], results["answers.json"]["slices"]

    for name in ("kind", "topic"):
        assert sum(part["mrr"]["n"] for part in ranked[name].values()) == counts["answerable"]
        assert sum(part["grounded_rate"]["n"] for part in judged[name].values()) == counts["answerable"]
        assert sum(part["state_agreement"]["n"] for part in judged[name].values()) == counts["unanswerable"]
    assert sum(part["mrr"]["n"] for part in ranked["document"].values()) >= counts["answerable"]


def test_states_and_claims_add_up_from_answer_to_answer(results: dict[str, Json]) -> None:
    value = results["answers.json"]
    answers = value["by_question"]
    claims = [claim for answer in answers for claim in answer["claims"]]
    pairs = Counter((answer["expected"], answer["state"]) for answer in answers)
    alone = Counter((answer["expected"], answer["by_check_alone"]) for answer in answers)
    answered = Counter((answer["expected"] == "answerable", answer["answered"]) for answer in answers)

    assert flat(value["states"]) == pairs
    assert flat(value["by_check_alone"]) == alone
    assert value["table"] == {
        "answerable": {"answered": answered[True, True], "refused": answered[True, False]},
        "unanswerable": {"answered": answered[False, True], "refused": answered[False, False]},
    }
    assert value["claims"] == {
        "n": len(claims),
        "withdrawn": sum(claim["verdict"] == "withdrawn" for claim in claims),
        "by_rule": dict(sorted(Counter(rule for claim in claims for rule in claim["rules"]).items())),
    }
    assert [claim for claim in claims if (claim["verdict"] == "withdrawn") != bool(claim["rules"])] == []


def test_the_order_of_what_was_read_does_not_matter(varied: Path, tiny: dict[str, Json]) -> None:
    project = load_project(varied)
    answered = answer_all(project)
    retrieved = {
        name: replace(found, legs=backwards(found.legs)) for name, found in backwards(answered.inputs.retrieved).items()
    }
    permuted = Answered(
        replace(answered.inputs, retrieved=retrieved), backwards(answered.drafts), backwards(answered.answers)
    )
    results = evaluate_answers(project, permuted).results

    assert {name: results_bytes(value) for name, value in results.items()} == {
        name: results_bytes(value) for name, value in tiny.items()
    }


def test_nothing_of_time_is_in_them(results: dict[str, Json]) -> None:
    words = {word for value in results.values() for key in keys_of(value) for word in key.replace("_", " ").split()}

    assert words & {"time", "date", "seconds", "ms", "duration", "recorded", "host", "path", "bytes", "version"} == {
        "version"
    }


def test_a_set_without_drafts_has_the_file_of_retrieval_alone(varied: Path, tiny: dict[str, Json]) -> None:
    project = load_project(varied)
    answered = answer_all(project)
    results = results_of(project, Answered(answered.inputs, {}, {}))

    assert results == {"retrieval.json": tiny["retrieval.json"]}


def test_a_results_file_is_text_of_an_entry_a_line() -> None:
    assert results_bytes({"topic": {"thé": 1}, "n": [2]}) == (
        '{\n "topic": {\n  "thé": 1\n },\n "n": [\n  2\n ]\n}\n'.encode()
    )


def test_a_figure_that_is_no_number_is_not_written() -> None:
    with pytest.raises(ValueError, match=r"^Out of range float values are not JSON compliant"):
        results_bytes({"value": float("nan")})


def share(part: float, whole: int) -> float:
    return round(part / whole, 6)


def flat(counts: Mapping[str, Mapping[str, int]]) -> dict[tuple[str, str], int]:
    """Expectation and state -> count, where it is not 0."""
    return {(row, column): count for row, found in counts.items() for column, count in found.items() if count}


def keys_of(value: Json) -> set[str]:
    """Every key of an object at any depth."""
    if isinstance(value, dict):
        return {*value}.union(*(keys_of(entry) for entry in value.values()))
    return set[str]().union(*(keys_of(entry) for entry in value)) if isinstance(value, list) else set()
