"""A recorded draft is read back as it was written, and refused with file and line where it is malformed."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from foregone.digest import Digest, digest_text
from foregone.draft.draft import Draft, DraftClaim, Drafter, Quote, draft_json, draft_path, load_draft, load_drafts
from foregone.errors import Refused

DIGEST = Digest("sha256:" + "0f" * 32)
MEND = "  mend: import the reply again with `foregone draft import`"
DRAFT = Draft(
    question="lid",
    outcome="partly",
    drafter=Drafter("imported", "a person", None),
    recorded="2026-12-01",
    prompt_version="1",
    prompt_digest=DIGEST,
    evidence={"kettle#1": DIGEST, "teapot#1": DIGEST},
    parser_version=1,
    sentences_version=2,
    claims=(
        DraftClaim("Zoë's lid → shut.", "finding", {}, "kettle#1", Quote((0, 64), DIGEST, None, ())),
        DraftClaim("The lid is 'shut'.", "setting", {"name": (4, 7), "value": (12, 16)}, "kettle#1", None),
        DraftClaim(None, "definition", {}, "kettle#1", Quote((3, 9), DIGEST, None, ())),
        DraftClaim("Lids drip.", "step", {}, "kettle#1", Quote(None, DIGEST, "elsewhere", ("cups#A", "teapot#1"))),
        DraftClaim("Lids sing.", "step", {}, "kettle#9", Quote(None, DIGEST, "stitched", ())),
        DraftClaim("Lids rust.", "step", {}, "kettle#1", Quote(None, DIGEST, "absent", ())),
    ),
    digest=Digest(""),
)


def write(folder: Path, draft: Draft = DRAFT) -> Path:
    path = draft_path(folder, draft.question)
    path.write_text(draft_json(draft), encoding="utf-8")
    return path


def test_a_draft_is_read_as_it_was_written(tmp_path: Path) -> None:
    assert load_draft(write(tmp_path), "lid") == replace(DRAFT, digest=digest_text(draft_json(DRAFT)))


def test_a_draft_with_a_model_and_without_claims_is_read_as_it_was_written(tmp_path: Path) -> None:
    draft = replace(DRAFT, drafter=Drafter("recorded", "a model", "tea-1"), outcome="not_answered", claims=())

    assert load_draft(write(tmp_path, draft), "lid") == replace(draft, digest=digest_text(draft_json(draft)))


def test_a_draft_is_written_with_its_keys_in_the_published_order() -> None:
    draft = json.loads(draft_json(DRAFT))

    assert list(draft) == [
        "format", "question", "outcome", "drafter", "recorded", "prompt", "evidence", "versions", "usage", "attempts",
        "claims",
    ]  # fmt: skip
    assert draft["claims"][3] == {
        "text": "Lids drip.",
        "quoted": False,
        "kind": "step",
        "parts": {},
        "section": "kettle#1",
        "quote": {"span": None, "sha256": DIGEST, "missing": "elsewhere", "found_in": ["cups#A", "teapot#1"]},
        "verifier": None,
    }


def test_a_quoted_claim_has_no_text_of_its_own() -> None:
    assert [claim.quoted for claim in DRAFT.claims] == [False, False, True, False, False, False]


Change = Callable[[dict[str, Any]], object]
REFUSED: list[tuple[str, Change, str]] = [
    (
        "key missing",
        lambda draft: draft.pop("claims"),
        "error[missing-key]: the file has no 'claims'\n  --> {0}:1\n  mend: add 'claims'",
    ),
    (
        "key renamed",
        lambda draft: draft.update(state="grounded"),
        (
            "error[unknown-key]: the file has an unknown key 'state'\n"
            "  --> {0}:120\n"
            "  known keys: attempts, claims, drafter, evidence, format, outcome, prompt, question, recorded, usage, versions\n"
            "  mend: remove the key or correct its spelling"
        ),
    ),
    (
        "another question",
        lambda draft: draft.update(question="whistle"),
        "error[wrong-question]: {0} is the draft of 'whistle'\n  --> {0}:3\n  its name says 'lid'\n" + MEND,
    ),
    (
        "unknown outcome",
        lambda draft: draft.update(outcome="grounded"),
        (
            "error[unknown-value]: outcome is 'grounded'\n"
            "  --> {0}:4\n"
            "  expected one of: answered, partly, not_answered\n"
            "  mend: use one of the expected values"
        ),
    ),
    (
        "unknown kind of claim",
        lambda draft: draft["claims"][0].update(kind="guess"),
        (
            "error[unknown-value]: claims[0].kind is 'guess'\n"
            "  --> {0}:29\n"
            "  expected one of: finding, step, setting, definition\n"
            "  mend: use one of the expected values"
        ),
    ),
    (
        "unknown drafter",
        lambda draft: draft["drafter"].update(kind="oracle"),
        (
            "error[unknown-value]: drafter.kind is 'oracle'\n"
            "  --> {0}:6\n"
            "  expected one of: imported, recorded, extractive\n"
            "  mend: use one of the expected values"
        ),
    ),
    (
        "date in words",
        lambda draft: draft.update(recorded="today"),
        (
            "error[bad-value]: recorded is 'today'\n"
            "  --> {0}:10\n"
            "  expected a date such as 2026-12-01\n"
            "  mend: correct the value"
        ),
    ),
    (
        "digest cut off",
        lambda draft: draft["prompt"].update(sha256="sha256:0f"),
        "error[bad-value]: prompt.sha256 is not a digest\n  --> {0}:13\n  found 'sha256:0f'\n" + MEND,
    ),
    (
        "claim without text",
        lambda draft: draft["claims"][0].update(text=None),
        "error[wrong-type]: claims[0] does not say what it claims\n"
        "  --> {0}:26\n"
        "  a claim has a text, or is `quoted` and has a quote\n" + MEND,
    ),
    (
        "quoted claim without quote",
        lambda draft: draft["claims"][2].update(quote=None),
        "error[wrong-type]: claims[2] does not say what it claims\n"
        "  --> {0}:60\n"
        "  a claim has a text, or is `quoted` and has a quote\n" + MEND,
    ),
    (
        "quoted claim with text",
        lambda draft: draft["claims"][2].update(text="Lids."),
        "error[wrong-type]: claims[2] does not say what it claims\n"
        "  --> {0}:60\n"
        "  a claim has a text, or is `quoted` and has a quote\n" + MEND,
    ),
    (
        "span and reason",
        lambda draft: draft["claims"][0]["quote"].update(missing="absent"),
        "error[wrong-type]: claims[0].quote has neither a span nor a reason, or both\n  --> {0}:32\n" + MEND,
    ),
    (
        "neither span nor reason",
        lambda draft: draft["claims"][5]["quote"].update(missing=None),
        "error[wrong-type]: claims[5].quote has neither a span nor a reason, or both\n  --> {0}:112\n" + MEND,
    ),
    (
        "span of three",
        lambda draft: draft["claims"][0]["quote"].update(span=[0, 1, 2]),
        "error[wrong-type]: claims[0].quote.span is not [start, end]\n  --> {0}:33\n" + MEND,
    ),
    (
        "empty span",
        lambda draft: draft["claims"][0]["quote"].update(span=[9, 9]),
        (
            "error[bad-number]: claims[0].quote.span[1] is 9\n"
            "  --> {0}:35\n"
            "  expected an integer from 10 to 2147483649\n"
            "  mend: write such a number"
        ),
    ),
    (
        "part past the text",
        lambda draft: draft["claims"][1]["parts"].update(value=[12, 19]),
        "error[bad-value]: claims[1].parts reaches past the text\n  --> {0}:46\n" + MEND,
    ),
    (
        "part of another name",
        lambda draft: draft["claims"][1]["parts"].update(unit=[1, 2]),
        (
            "error[unknown-key]: claims[1].parts has an unknown key 'unit'\n"
            "  --> {0}:55\n"
            "  known keys: name, value\n"
            "  mend: remove the key or correct its spelling"
        ),
    ),
    (
        "too many claims",
        lambda draft: draft.update(claims=draft["claims"][:1] * 101),
        (
            "error[too-many-claims]: the draft has 101 claims\n"
            "  --> {0}:25\n"
            "  at most 100\n"
            "  mend: answer the question in fewer claims"
        ),
    ),
    (
        "claim too long",
        lambda draft: draft["claims"][0].update(text="z" * 2001),
        (
            "error[too-long]: claims[0].text has 2,001 characters\n"
            "  --> {0}:27\n"
            "  at most 2,000\n"
            "  mend: one fact a claim"
        ),
    ),
]


@pytest.mark.parametrize(("change", "message"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_a_malformed_draft_is_refused_with_file_and_line(tmp_path: Path, change: Change, message: str) -> None:
    draft = json.loads(draft_json(DRAFT))
    change(draft)
    path = tmp_path / "lid.json"
    path.write_text(json.dumps(draft, indent=1), encoding="utf-8")

    with pytest.raises(Refused) as refused:
        load_draft(path, "lid")

    assert str(refused.value) == message.format(path)


SYNTAX: list[tuple[str, str, str]] = [
    (
        "cut off",
        '{\n "format": 1,\n "question": "li',
        (
            "error[json-syntax]: {0} cannot be parsed\n"
            "  --> {0}:3\n"
            "  Unterminated string starting at in column 14\n"
            "  mend: correct the file at this line"
        ),
    ),
    (
        "key twice",
        '{"format": 1, "format": 1}',
        (
            "error[json-syntax]: {0} cannot be parsed\n"
            "  --> {0}:1\n"
            "  the key 'format' stands twice in one object\n"
            "  mend: correct the file at this line"
        ),
    ),
    (
        "not a number",
        '{"format": NaN}',
        (
            "error[json-syntax]: {0} cannot be parsed\n"
            "  --> {0}:1\n"
            "  NaN is not JSON\n"
            "  mend: correct the file at this line"
        ),
    ),
    (
        "a list",
        "[]",
        "error[wrong-type]: the file is not a mapping\n  --> {0}:1\n  found a list\n  mend: write a mapping",
    ),
]


@pytest.mark.parametrize(("text", "message"), [case[1:] for case in SYNTAX], ids=[case[0] for case in SYNTAX])
def test_what_is_not_json_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "lid.json"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(Refused) as refused:
        load_draft(path, "lid")

    assert str(refused.value) == message.format(path)


def test_every_draft_is_loaded_in_the_order_of_the_questions(tmp_path: Path) -> None:
    for question in ("cup", "lid", "whistle"):
        write(tmp_path, replace(DRAFT, question=question))

    assert list(load_drafts(tmp_path, ["whistle", "cup", "lid"])) == ["whistle", "cup", "lid"]


def test_questions_without_a_draft_are_named(tmp_path: Path) -> None:
    write(tmp_path)

    with pytest.raises(Refused) as refused:
        load_drafts(tmp_path, ["whistle", "lid", "colour"])

    assert str(refused.value) == (
        "error[no-draft]: 2 questions have no draft\n"
        f"  --> {tmp_path}\n"
        "  whistle, colour\n"
        "  mend: `foregone draft export` writes their prompts, `foregone draft import` takes the replies"
    )


@pytest.mark.parametrize("name", ["hiss.json", "notes.txt", "lid.json~"])
def test_a_draft_for_an_unknown_question_is_refused(tmp_path: Path, name: str) -> None:
    write(tmp_path)
    (tmp_path / name).touch()

    with pytest.raises(Refused) as refused:
        load_drafts(tmp_path, ["lid"])

    assert str(refused.value) == (
        f"error[unknown-question]: {tmp_path}/{name} is a draft for an unknown question\n"
        f"  --> {tmp_path}/{name}\n"
        f"  the question set has no '{name.removesuffix('.json')}'\n"
        "  mend: remove the file, or restore the question"
    )


@pytest.mark.parametrize("name", [".DS_Store", ".tmp-0a1b2c", ".lid.json.swp"])
def test_a_file_whose_name_begins_with_a_dot_is_no_draft(tmp_path: Path, name: str) -> None:
    write(tmp_path)
    (tmp_path / name).write_bytes(b"\x00")

    assert list(load_drafts(tmp_path, ["lid"])) == ["lid"]
