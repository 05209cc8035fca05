"""Answers and sections as data: closed schemas, a fixed order of keys, and evidence that can be read back."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from foregone.corpus.corpus import load_corpus
from foregone.release.manifest import Release
from foregone.render.answer_json import json_bytes, section_url
from foregone.render.tree import schema_bytes

RELEASED = ("answer", "manifest", "questions", "section")
"""The kinds of document that a release holds."""
Json = dict[str, Any]
Place = tuple[str | int, ...]
Mutation = Callable[[Json, str], Json]

ANSWER_KEYS = [
    "api_version",
    "index_version",
    "status",
    "id",
    "question.text",
    "question.topic",
    "question.kind",
    "question.parent",
    "question.clarify",
    "state",
    "outcome",
    "claims.id",
    "claims.sha256",
    "claims.kind",
    "claims.text",
    "claims.quoted",
    "claims.parts.name",
    "claims.parts.value",
    "claims.section",
    "claims.verdict",
    "claims.evidence.origin",
    "claims.evidence.text",
    "claims.evidence.span",
    "claims.evidence.sha256",
    "claims.evidence.source.document",
    "claims.evidence.source.bytes",
    "claims.evidence.source.sha256",
    "claims.rules.rule",
    "claims.rules.outcome",
    "claims.rules.decided",
    "claims.rules.found",
    "claims.rules.wanted",
    "claims.rules.value",
    "claims.rules.limit",
    "claims.rules.claim_span",
    "claims.rules.message",
    "claims.elsewhere",
    "claims.verifier",
    "flags",
    "passages.section",
    "passages.title",
    "passages.trail",
    "passages.href",
    "passages.url",
    "passages.sha256",
    "passages.metadata",
    "passages.location.kind",
    "passages.location.value",
    "passages.ranks.bm25",
    "passages.ranks.dense",
    "passages.ranks.fused",
    "passages.scores.bm25",
    "passages.scores.dense",
    "passages.scores.fused",
    "passages.cited",
    "provenance.drafter.kind",
    "provenance.drafter.name",
    "provenance.drafter.model",
    "provenance.recorded",
    "provenance.prompt.version",
    "provenance.prompt.sha256",
    "provenance.evidence_sha256",
    "provenance.draft_sha256",
    "provenance.usage",
    "provenance.attempts",
    "inputs.corpus",
    "inputs.index",
    "inputs.question",
    "inputs.retrieval",
    "inputs.evidence",
    "inputs.draft",
    "inputs.rules",
    "inputs.review",
    "inputs.limit",
    "inputs.code",
    "work.claims",
    "work.sentences",
    "work.tokens",
    "work.limit",
    "versions.parser",
    "versions.check",
]
"""Every key of an answer in the order of publication; what stands in a list is named once."""
FREE = ("metadata", "documents")
"""Objects whose keys are data."""


@pytest.fixture(scope="module")
def documents(release: Release, abandoned: Release, contextless: Release) -> dict[str, list[Json]]:
    """Kind of document -> every document of that kind: claims quoted, aligned, withdrawn; abandoned; no context."""
    found: dict[str, list[Json]] = {name: [] for name in RELEASED}
    for one in (release, abandoned, contextless):
        found["manifest"].append(json.loads(one.manifest))
        for path, file in one.tree.items():
            kind = {"api/v1/answers": "answer", "api/v1": "questions"}.get(str(Path(path).parent), "section")
            if path.endswith(".json") and "/schema/" not in path:
                found[kind].append(json.loads(file.content))
    return found


@pytest.fixture(scope="module")
def variety(release: Release) -> Json:
    """The answer whose claims are of every form."""
    return read(release, "api/v1/answers/variety.json")


@pytest.mark.parametrize("name", RELEASED)
def test_a_schema_is_a_valid_schema(name: str) -> None:
    Draft202012Validator.check_schema(json.loads(schema_bytes(name)))


@pytest.mark.parametrize("name", RELEASED)
def test_every_document_is_valid(name: str, documents: dict[str, list[Json]]) -> None:
    validator = validator_of(name)

    assert documents[name]
    assert [error.message for document in documents[name] for error in validator.iter_errors(document)] == []


@pytest.mark.parametrize("name", RELEASED)
def test_an_object_with_a_key_missing_renamed_or_added_is_invalid(name: str, documents: dict[str, list[Json]]) -> None:
    validator = validator_of(name)
    distinct = {
        f"{[step for step in place if isinstance(step, str)]} {value}": (document, place, value)
        for document in documents[name]
        for place, value in objects(document)
    }

    accepted = {
        f"{mutation.__name__} {'.'.join(map(str, place))} {key}"
        for document, place, value in distinct.values()
        for mutation, key in mutations(place, value)
        if validator.is_valid(replaced(document, place, mutation(value, key)))
    }
    assert accepted == set()


def test_the_keys_of_an_answer_stand_in_the_published_order(variety: Json) -> None:
    with_every_key = {**variety, "claims": variety["claims"][2:3]}

    assert list(dict.fromkeys(leaves(with_every_key))) == ANSWER_KEYS


def test_an_abandoned_answer_has_an_error_in_the_place_of_state_outcome_and_claims(abandoned: Release) -> None:
    answer = read(abandoned, "api/v1/answers/lid.json")

    assert list(answer)[4:7] == ["question", "error", "flags"]
    assert answer["error"] == {
        "code": "work-exceeded",
        "stage": "ground",
        "detail": f"grounding would read {answer['work']['tokens']} tokens, the limit is 1",
    }
    assert (answer["status"], answer["work"]["limit"]) == (503, 1)


def test_an_answer_without_index_has_no_passage_no_claim_and_no_work(contextless: Release) -> None:
    answer = read(contextless, "api/v1/answers/lid.json")

    picked = {key: answer[key] for key in ("index_version", "status", "state", "claims", "passages", "work")}
    assert picked == {
        "index_version": None, "status": 503, "state": "no_context", "claims": [], "passages": [], "work": None,
    }  # fmt: skip


def test_an_answer_begins_with_the_bytes_that_the_edge_compares(release: Release, contextless: Release) -> None:
    version = release.index_version
    good = f'{{"api_version":"1.0","index_version":"{version}","status":200,"id":"lid",'.encode()
    none = b'{"api_version":"1.0","index_version":null,"status":503,"id":"lid",'

    assert release.tree["api/v1/answers/lid.json"].content.startswith(good)
    assert contextless.tree["api/v1/answers/lid.json"].content.startswith(none)


def test_json_is_compact_unescaped_utf8_in_its_own_order_with_one_newline_at_the_end() -> None:
    assert (
        json_bytes({"b": "Zoë </script>", "a": [1, None, 0.5]}) == '{"b":"Zoë </script>","a":[1,null,0.5]}\n'.encode()
    )


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_number_that_json_has_not_is_never_published(number: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_bytes({"value": number})


def test_evidence_read_back_from_the_pinned_bytes_has_its_digest(release: Release, varied: Path) -> None:
    claims = [claim for answer in answers(release) for claim in answer["claims"] if claim["evidence"]["span"]]

    assert {claim["evidence"]["origin"] for claim in claims} == {"quote", "aligned"}
    for claim in claims:
        evidence, source = claim["evidence"], claim["evidence"]["source"]
        pinned = (varied / f"corpus/sources/{source['document']}.txt").read_bytes()
        assert sha256(pinned[slice(*source["bytes"])]) == source["sha256"]
        section = read(release, f"api/v1/sections/{claim['section'].replace('#', '/')}.json")
        assert sha256(text_from_bytes(section, pinned, evidence["span"]).encode()) == evidence["sha256"]
        assert section["text"][slice(*evidence["span"])] == evidence["text"]


def test_a_whole_section_reads_back_from_the_pinned_bytes(release: Release, varied: Path) -> None:
    for path in release.tree:
        if path.startswith("api/v1/sections/"):
            section = read(release, path)
            pinned = (varied / f"corpus/sources/{section['document']['id']}.txt").read_bytes()
            assert sha256(pinned) == section["document"]["sha256"]
            assert text_from_bytes(section, pinned, [0, len(section["text"])]) == section["text"]
            assert sha256(section["text"].encode()) == section["sha256"]


def test_a_claim_is_named_by_the_digest_of_text_section_and_quote(variety: Json, varied: Path) -> None:
    drafted = json.loads((varied / "eval/drafts/variety.json").read_text("utf-8"))["claims"]
    expected = [
        sha256(
            "\n".join((claim["text"], claim["section"], draft["quote"]["sha256"] if draft["quote"] else "")).encode()
        )
        for claim, draft in zip(variety["claims"], drafted, strict=True)
    ]

    assert [claim["sha256"] for claim in variety["claims"]] == expected


def test_the_forms_of_a_claim_are_told_apart(variety: Json) -> None:
    forms = [(claim["quoted"], claim["evidence"]["origin"], claim["elsewhere"]) for claim in variety["claims"]]

    assert forms == [
        (True, "quote", []),
        (False, "aligned", []),
        (False, "quote", []),
        (False, "none", ["kettle#2"]),
        (False, "none", []),
    ]


def test_a_passage_is_cited_where_its_section_page_lists_the_answer(release: Release) -> None:
    answers = [json.loads(file.content) for path, file in release.tree.items() if path.startswith("api/v1/answers/")]
    passages = [(answer["id"], passage) for answer in answers for passage in answer["passages"]]

    assert [
        (question, passage["section"])
        for question, passage in passages
        if passage["cited"] != (question in section_of(release, passage)["cited_by"])
    ] == []
    assert {passage["cited"] for _, passage in passages} == {True, False}


def section_of(release: Release, passage: Json) -> Json:
    document, _, number = passage["section"].partition("#")
    value: Json = json.loads(release.tree[f"api/v1/sections/{document}/{number}.json"].content)
    return value


def test_the_parts_of_a_setting_are_places_in_its_text(variety: Json) -> None:
    setting = variety["claims"][2]

    parts = {name: setting["text"][slice(*span)] for name, span in setting["parts"].items()}
    assert parts == {"name": "Lid-State", "value": "shut"}


def test_the_place_of_a_failed_literal_is_a_place_in_the_text(release: Release) -> None:
    claim = read(release, "api/v1/answers/lid.json")["claims"][1]

    spans = {rule["rule"]: rule["claim_span"] for rule in claim["rules"] if rule["outcome"] == "fail"}
    assert {rule: claim["text"][slice(*span)] for rule, span in spans.items()} == {"literal": "95"}


def test_the_href_of_a_passage_leads_to_its_section_in_the_tree(release: Release) -> None:
    for answer in answers(release):
        for passage in answer["passages"]:
            path = "api/v1/" + passage["href"].removeprefix("../")
            assert (read(release, path)["id"], read(release, path)["sha256"]) == (
                passage["section"], passage["sha256"],
            )  # fmt: skip


def test_the_href_of_a_listed_question_leads_to_its_answer(release: Release) -> None:
    listed = read(release, "api/v1/questions.json")["questions"]

    assert [read(release, f"api/v1/{one['href']}")["id"] for one in listed] == [one["id"] for one in listed]


def test_the_question_set_lists_states_and_counts(release: Release, abandoned: Release, contextless: Release) -> None:
    rows = [
        [(one["state"], one["status"], one["kept"], one["withdrawn"]) for one in read(r, "api/v1/questions.json")["questions"]]
        for r in (release, abandoned, contextless)
    ]  # fmt: skip

    assert rows == [
        [("grounded", 200, 1, 0), ("partial", 200, 1, 1), ("unsupported", 200, 0, 0), ("partial", 200, 3, 2)],
        [(None, 503, 0, 0), (None, 503, 0, 0), ("unsupported", 200, 0, 0), (None, 503, 0, 0)],
        [("no_context", 503, 0, 0)] * 4,
    ]


def test_a_section_url_anchors_sections_and_appendices(varied: Path) -> None:
    corpus = load_corpus(varied / "corpus/manifest.yaml")
    urls = [section_url(corpus.document("cups"), corpus.by_id[f"cups#{number}"]) for number in ("1.2", "A")]

    assert urls == [
        "https://kitchen.example/cups.html#section-1.2",
        "https://kitchen.example/cups.html#appendix-A",
    ]


def read(release: Release, path: str) -> Json:
    value: Json = json.loads(release.tree[path].content)
    return value


def answers(release: Release) -> list[Json]:
    return [read(release, path) for path in release.tree if path.startswith("api/v1/answers/")]


def sha256(content: bytes) -> str:
    return "sha256:" + hashlib.sha256(content).hexdigest()


def text_from_bytes(section: Json, pinned: bytes, span: list[int]) -> str:
    """What a reader of the published section and the pinned file gets: runs from the file, separators between them."""
    start, end = span
    text = list(section["text"])
    for text_start, byte_start, length in section["runs"]:
        text[text_start : text_start + length] = pinned[byte_start:].decode(errors="ignore")[:length]
    return "".join(text[start:end])


def validator_of(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(schema_bytes(name)))


def objects(value: object, place: Place = ()) -> Iterator[tuple[Place, Json]]:
    """Every object in `value` with its place, but those whose keys are data."""
    if isinstance(value, dict):
        if place[-1:] == () or place[-1] not in FREE:
            yield place, value
            for key, part in value.items():
                yield from objects(part, (*place, key))
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from objects(part, (*place, number))


def mutations(place: Place, value: Mapping[str, object]) -> Iterator[tuple[Mutation, str]]:
    """All that must not pass; a manifest entry may lack `self`, a claim may lack `parts`."""
    yield adding, "unknown"
    for key in value:
        yield renaming, key
        if key != "self" and place[-1:] != ("parts",):
            yield removing, key


def adding(value: Json, key: str) -> Json:
    return {**value, key: None}


def removing(value: Json, key: str) -> Json:
    return {name: part for name, part in value.items() if name != key}


def renaming(value: Json, key: str) -> Json:
    return {f"{name}s" if name == key else name: part for name, part in value.items()}


def replaced(document: Any, place: Place, value: Json) -> Any:  # noqa: ANN401 - any JSON
    """`document` with another value at `place`; what is not on the way there is shared."""
    if not place:
        return value
    copy: Any = list(document) if isinstance(document, list) else dict(document)
    copy[place[0]] = replaced(document[place[0]], place[1:], value)
    return copy


def leaves(value: object, name: str = "") -> Iterator[str]:
    """Names of all values that are no object with keys, in order."""
    if isinstance(value, dict) and value:
        for key, part in value.items():
            yield from leaves(part, f"{name}.{key}".removeprefix("."))
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for part in value:
            yield from leaves(part, name)
    else:
        yield name
