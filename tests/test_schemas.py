"""Every kind of JSON document has a closed schema, which is published and which real documents satisfy."""

import copy
import json
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from foregone.compare.comparison import compare_runs
from foregone.compare.json_value import comparison_value
from foregone.compare.sources import load_run
from foregone.gate.checks import run_checks
from foregone.gate.observe import observe
from foregone.gate.report.json_report import report_value
from foregone.project import load_project
from foregone.render.tree import SCHEMAS, schema_bytes
from tiny_corpus import REPLIES, edit, import_replies, run, set_floors, unseen, write_project

ROOT = Path(__file__).parents[1]
Json = Any
"""Whatever `json.loads` gives."""
FREE = {
    "answer": {"metadata", "parts"},
    "answer-results": {"by_rule", "document", "kind", "topic"},
    "comparison": {"causes", "differing_inputs", "kinds"},
    "draft": {"evidence", "parts"},
    "index": {"documents", "files"},
    "manifest": {"documents"},
    "retrieval-results": {"document", "kind", "sections", "topic"},
}
"""Kind of document -> keys whose object is a map of data."""
Trail = tuple[str | int, ...]
OPTIONAL = {"self", "sha256", "size", "found_in", "dense"}
"""Keys that a document of its kind may lack."""
SMALL = 30_000
"""Characters of JSON; to break a larger document at its every key takes too long."""


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Json]]:
    """Kind -> documents of it: those of a small site that was published twice, and of this project."""
    root = write_project(tmp_path_factory.mktemp("schemas"))
    run("build", "--project", str(root))
    before = tmp_path_factory.mktemp("before")
    run("eval", "--out", str(before), "--project", str(root))
    edit(root / "eval/questions.yaml", "Which colour should a teapot be?", "Which colour has a good teapot?")
    import_replies(root, {"lid": {**REPLIES["lid"], "claims": []}})
    run("build", "--project", str(root))
    run("eval", "--project", str(root))
    here = tmp_path_factory.mktemp("here")
    run("eval", "--out", str(here), "--project", str(ROOT))
    patterns = {
        "answer": "dist/api/v1/answers/*.json",
        "answer-results": "eval/results/answers.json",
        "current": "dist/current.json",
        "draft": "eval/drafts/*.json",
        "index": "corpus/index/*/index.json",
        "manifest": "dist/v/*/manifest.json",
        "questions": "dist/api/v1/questions.json",
        "retrieval-results": "eval/results/retrieval.json",
        "section": "dist/api/v1/sections/*/*.json",
        "site": "dist/site.json",
    }
    found = {kind: [*root.glob(pattern)] for kind, pattern in patterns.items()}
    found["gate"] = [written_report(root / "gate.json", root)]
    found["draft"] += sorted((ROOT / "eval/drafts").glob("*.json"))
    found["index"] += sorted((ROOT / "corpus/index").glob("*/index.json"))
    found["answer-results"].append(here / "answers.json")
    found["retrieval-results"].append(here / "retrieval.json")
    read = {kind: [json.loads(path.read_text("utf-8")) for path in paths] for kind, paths in found.items()}
    a, b = (load_run(str(folder), root) for folder in (before, root))
    return {**read, "comparison": [comparison_value(compare_runs(a, b))]}


def written_report(path: Path, root: Path) -> Path:
    """What the gate says of the project, written to `path`: some is green, and its results files are missing."""
    set_floors(root)
    seen = observe(load_project(root), time.monotonic, unseen)
    path.write_text(json.dumps(report_value(run_checks(seen, ()))), encoding="utf-8")
    return path


def validator(kind: str) -> Draft202012Validator:
    schema = json.loads(schema_bytes(kind))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def broken_copies(kind: str, document: Json) -> Iterator[tuple[str, Json]]:
    """The document with a key removed, renamed or added, one at a time, in every object that is no map of data."""
    for trail, keys in _objects(document, (), FREE.get(kind, set())):
        for key in keys:
            if key not in OPTIONAL:
                yield f"{trail} without {key}", _changed(document, trail, partial(_remove, key))
            yield f"{trail} with {key} renamed", _changed(document, trail, partial(_rename, key))
        yield f"{trail} with a key more", _changed(document, trail, lambda entry: entry.update(tea=1))


def _objects(value: Json, trail: Trail, free: set[str]) -> Iterator[tuple[Trail, list[str]]]:
    if isinstance(value, dict):
        if not trail or trail[-1] not in free:
            yield trail, list(value)
        for key, entry in value.items():
            yield from _objects(entry, (*trail, key), free)
    elif isinstance(value, list):
        for place, entry in enumerate(value[:2]):
            yield from _objects(entry, (*trail, place), free)


def _changed(document: Json, trail: Trail, change: Callable[[dict[str, Json]], object]) -> Json:
    other = copy.deepcopy(document)
    entry = other
    for step in trail:
        entry = entry[step]
    change(entry)
    return other


def _remove(key: str, entry: dict[str, Json]) -> None:
    del entry[key]


def _rename(key: str, entry: dict[str, Json]) -> None:
    entry[f"{key}s"] = entry.pop(key)


def test_every_kind_has_documents_here(documents: dict[str, list[Json]]) -> None:
    assert sorted(documents) == sorted(SCHEMAS)
    assert [kind for kind, found in documents.items() if not found] == []


@pytest.mark.parametrize("kind", SCHEMAS)
def test_real_documents_satisfy_their_schema(documents: dict[str, list[Json]], kind: str) -> None:
    check = validator(kind)

    assert [error.message for document in documents[kind] for error in check.iter_errors(document)] == []


@pytest.mark.parametrize("kind", SCHEMAS)
def test_a_missing_renamed_or_unknown_key_fails_anywhere(documents: dict[str, list[Json]], kind: str) -> None:
    check = validator(kind)
    small = [document for document in documents[kind] if len(json.dumps(document)) < SMALL]
    broken = [copied for document in small[:3] for copied in broken_copies(kind, document)]

    assert [what for what, document in broken if check.is_valid(document)] == []
