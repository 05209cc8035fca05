"""Every kind of JSON document has a closed schema, which is published and which real documents satisfy."""

import copy
import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from foregone.render.tree import SCHEMAS, schema_bytes
from tiny_corpus import edit, run, write_project

ROOT = Path(__file__).parents[1]
Json = Any
"""Whatever `json.loads` gives."""
FREE = {
    "answer": {"metadata", "parts"},
    "draft": {"evidence", "parts"},
    "index": {"documents", "files"},
    "manifest": {"documents"},
}
"""Kind of document -> keys whose object is a map of data."""
Trail = tuple[str | int, ...]
OPTIONAL = {"self", "sha256", "size", "found_in", "dense"}
"""Keys that a document of its kind may lack."""


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Json]]:
    """Kind -> documents of it: those of a small site that was published twice, and of this project."""
    root = write_project(tmp_path_factory.mktemp("schemas"))
    run("build", "--project", str(root))
    edit(root / "eval/questions.yaml", "Which colour should a teapot be?", "Which colour has a good teapot?")
    run("build", "--project", str(root))
    patterns = {
        "answer": "dist/api/v1/answers/*.json",
        "current": "dist/current.json",
        "draft": "eval/drafts/*.json",
        "index": "corpus/index/*/index.json",
        "manifest": "dist/v/*/manifest.json",
        "questions": "dist/api/v1/questions.json",
        "section": "dist/api/v1/sections/*/*.json",
        "site": "dist/site.json",
    }
    found = {kind: [*root.glob(pattern)] for kind, pattern in patterns.items()}
    found["draft"] += sorted((ROOT / "eval/drafts").glob("*.json"))
    found["index"] += sorted((ROOT / "corpus/index").glob("*/index.json"))
    return {kind: [json.loads(path.read_text("utf-8")) for path in paths] for kind, paths in found.items()}


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
    broken = [copied for document in documents[kind][:3] for copied in broken_copies(kind, document)]

    assert [what for what, document in broken if check.is_valid(document)] == []
