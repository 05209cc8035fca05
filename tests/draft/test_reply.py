"""A reply is taken in whole or refused; the words of its quotes do not stay."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from foregone.cli import main
from foregone.corpus.corpus import Corpus, load_corpus
from foregone.corpus.overlap import corpus_runs
from foregone.digest import Digest, digest_text, digest_words
from foregone.draft.draft import Draft, DraftClaim, Drafter, Quote, draft_json, load_draft
from foregone.draft.prompt import Prompt
from foregone.draft.reply import Asked, ImportedDraft, import_reply
from foregone.errors import Refused
from foregone.located import parse_json
from tiny_corpus import REPLIES, edit, import_replies, write_project, write_sources

PROMPT = Prompt("lid", "What does a shut lid do?")
ASKED = Asked(PROMPT, ("teapot#1.1", "kettle#1"), Drafter("imported", "a person", None), "2026-12-01")
CLAIM: dict[str, Any] = {
    "text": "With a shut lid, steam leaves only by the spout.",
    "kind": "finding",
    "section": "kettle#1",
    "quote": "shut, where steam leaves by the spout alone.",
}
STORED = Quote((208, 255), digest_words("shut, where steam leaves by the spout alone."), None, ())


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    root = tmp_path_factory.mktemp("kitchen")
    write_sources(root)
    return load_corpus(root / "corpus/manifest.yaml")


def reply_of(*claims: dict[str, Any], **fields: Any) -> str:  # noqa: ANN401 - any JSON value
    return json.dumps({"question": "lid", "outcome": "answered", "claims": claims} | fields, indent=1)


def take(corpus: Corpus, text: str) -> ImportedDraft:
    return import_reply(parse_json(text, Path("reply.json")), corpus, corpus_runs(corpus.indexed), ASKED)


def only_claim(imported: ImportedDraft) -> DraftClaim:
    (claim,) = imported.draft.claims
    return claim


def test_a_reply_becomes_a_draft(corpus: Corpus) -> None:
    draft = Draft(
        question="lid",
        outcome="answered",
        drafter=Drafter("imported", "a person", None),
        recorded="2026-12-01",
        prompt_version="1",
        prompt_digest=digest_text("What does a shut lid do?"),
        evidence={"kettle#1": corpus.by_id["kettle#1"].digest, "teapot#1.1": corpus.by_id["teapot#1.1"].digest},
        parser_version=1,
        sentences_version=1,
        claims=(DraftClaim("With a shut lid, steam leaves only by the spout.", "finding", {}, "kettle#1", STORED),),
        digest=Digest(""),
    )

    assert take(corpus, reply_of(CLAIM)) == ImportedDraft(replace(draft, digest=digest_text(draft_json(draft))), ())


def test_an_imported_draft_is_loaded_as_it_was_imported(corpus: Corpus, tmp_path: Path) -> None:
    claims: list[dict[str, Any]] = [
        CLAIM,
        {**CLAIM, "quote": "It sings."},
        {**CLAIM, "quoted": True},
        {**CLAIM, "quote": "The lid states"},
    ]
    draft = take(corpus, reply_of(*claims)).draft
    (tmp_path / "lid.json").write_text(draft_json(draft), encoding="utf-8")

    assert load_draft(tmp_path / "lid.json", "lid") == draft


def test_no_word_of_a_quote_is_stored(corpus: Corpus) -> None:
    assert "spout alone" not in draft_json(take(corpus, reply_of(CLAIM)).draft)


@pytest.mark.parametrize("quote", [{}, {"quote": None}])
def test_a_claim_may_come_without_a_quote(corpus: Corpus, quote: dict[str, None]) -> None:
    claim = {"text": "Lids  are\n shut.", "kind": "step", "section": "kettle#1", **quote}

    assert only_claim(take(corpus, reply_of(claim))) == DraftClaim("Lids are shut.", "step", {}, "kettle#1", None)


def test_no_claim_at_all_may_come(corpus: Corpus) -> None:
    draft = take(corpus, reply_of(outcome="not_answered")).draft

    assert (draft.outcome, draft.claims) == ("not_answered", ())


NOTES: list[tuple[str, str]] = [
    ("steam leaves by the spout", "lid c1: the quote was widened to its whole sentences"),
    ("It sings.", "lid c1: the quote was not found in kettle#1: absent"),
    ("A cup is filled to 90 percent.", "lid c1: the quote was not found in kettle#1: elsewhere (in cups#1.2)"),
    ("The lid states are: steam leaves freely;", "lid c1: the quote was not found in kettle#1: stitched"),
]


@pytest.mark.parametrize(("quote", "note"), NOTES)
def test_what_became_of_a_quote_is_said(corpus: Corpus, quote: str, note: str) -> None:
    assert take(corpus, reply_of({**CLAIM, "quote": quote})).notes == (note,)


def test_parts_are_stored_as_spans_of_the_text(corpus: Corpus) -> None:
    claim = {**CLAIM, "text": "Zoë sets  Lid-State to shut.", "parts": {"name": "Lid-State", "value": "shut"}}

    assert only_claim(take(corpus, reply_of(claim))).parts == {"name": (9, 18), "value": (22, 26)}


def test_a_quoted_claim_keeps_no_text(corpus: Corpus) -> None:
    claim = {**CLAIM, "text": CLAIM["quote"], "quoted": True, "parts": {}}

    assert only_claim(take(corpus, reply_of(claim))) == DraftClaim(None, "finding", {}, "kettle#1", STORED)


COPIED = "It is said that a kettle MUST hold at least 250 ml of water, before it boils."


def test_twelve_words_of_the_corpus_are_refused(corpus: Corpus) -> None:
    with pytest.raises(Refused) as refused:
        take(corpus, reply_of({**CLAIM, "text": COPIED}))

    assert str(refused.value) == (
        "error[copied-words]: claims[0].text copies the corpus\n"
        "  --> reply.json:6\n"
        "  12 words in a row stand there: a kettle must hold at least 250 ml of water before it\n"
        "  mend: say it in other words, or mark the claim as `quoted`"
    )


def test_eleven_words_of_the_corpus_may_stand(corpus: Corpus) -> None:
    text = COPIED.replace("a kettle", "one kettle")

    assert only_claim(take(corpus, reply_of({**CLAIM, "text": text}))).text == text


def test_copied_words_may_stand_where_the_claim_is_its_quote(corpus: Corpus) -> None:
    words = "A kettle MUST hold at least 250 ml of water before it is heated."

    claim = only_claim(take(corpus, reply_of({**CLAIM, "text": words, "quote": words, "quoted": True})))
    assert (claim.text, claim.quote) == (None, Quote((0, 64), digest_words(words), None, ()))


REFUSED: list[tuple[str, str, str]] = [
    (
        "another question",
        reply_of(question="whistle"),
        (
            "error[wrong-question]: the reply answers 'whistle'\n"
            "  --> reply.json:2\n"
            "  expected 'lid'\n"
            "  mend: correct the reply and import it again"
        ),
    ),
    (
        "unknown section",
        reply_of(CLAIM, {**CLAIM, "section": "kettle#7"}),
        (
            "error[unknown-section]: claims[1].section is 'kettle#7'\n"
            "  --> reply.json:14\n"
            "  the corpus has no such section with text\n"
            "  mend: cite a passage of the prompt by its id"
        ),
    ),
    (
        "heading alone",
        reply_of({**CLAIM, "section": "cups#1"}),
        (
            "error[unknown-section]: claims[0].section is 'cups#1'\n"
            "  --> reply.json:8\n"
            "  the corpus has no such section with text\n"
            "  mend: cite a passage of the prompt by its id"
        ),
    ),
    (
        "quoted without quote",
        reply_of({"text": "Lids.", "kind": "finding", "section": "kettle#1", "quoted": True}),
        (
            "error[no-quote]: claims[0] is `quoted` and its quote is not in kettle#1\n"
            "  --> reply.json:5\n"
            "  mend: quote the section letter by letter"
        ),
    ),
    (
        "quoted words that are not there",
        reply_of({**CLAIM, "quoted": True, "quote": "It sings."}),
        (
            "error[no-quote]: claims[0] is `quoted` and its quote is not in kettle#1\n"
            "  --> reply.json:5\n"
            "  mend: quote the section letter by letter"
        ),
    ),
    (
        "part that the text lacks",
        reply_of({**CLAIM, "parts": {"name": "Lid-State"}}),
        (
            "error[bad-value]: claims[0].parts.name is 'Lid-State'\n"
            "  --> reply.json:11\n"
            "  the claim's text does not hold it\n"
            "  mend: write the part as it stands in the text"
        ),
    ),
    (
        "unknown part",
        reply_of({**CLAIM, "parts": {"unit": "steam"}}),
        (
            "error[unknown-key]: claims[0].parts has an unknown key 'unit'\n"
            "  --> reply.json:11\n"
            "  known keys: name, value\n"
            "  mend: remove the key or correct its spelling"
        ),
    ),
    (
        "unknown outcome",
        reply_of(outcome="grounded"),
        (
            "error[unknown-value]: outcome is 'grounded'\n"
            "  --> reply.json:3\n"
            "  expected one of: answered, partly, not_answered\n"
            "  mend: use one of the expected values"
        ),
    ),
    (
        "unknown kind",
        reply_of({**CLAIM, "kind": "guess"}),
        (
            "error[unknown-value]: claims[0].kind is 'guess'\n"
            "  --> reply.json:7\n"
            "  expected one of: finding, step, setting, definition\n"
            "  mend: use one of the expected values"
        ),
    ),
    (
        "blank quote",
        reply_of({**CLAIM, "quote": ""}),
        "error[blank-text]: claims[0].quote is blank or holds a NUL\n  --> reply.json:9\n  mend: write the text",
    ),
    (
        "verdict of its own",
        reply_of({**CLAIM, "verdict": "supported"}),
        (
            "error[unknown-key]: claims[0] has an unknown key 'verdict'\n"
            "  --> reply.json:10\n"
            "  known keys: kind, parts, quote, quoted, section, text\n"
            "  mend: remove the key or correct its spelling"
        ),
    ),
    (
        "too many claims",
        reply_of(*(CLAIM,) * 101),
        (
            "error[too-many-claims]: the draft has 101 claims\n"
            "  --> reply.json:4\n"
            "  at most 100\n"
            "  mend: answer the question in fewer claims"
        ),
    ),
    (
        "cut off",
        '{\n "question": "lid",\n "claims": [}',
        (
            "error[json-syntax]: reply.json cannot be parsed\n"
            "  --> reply.json:3\n"
            "  Expecting value in column 13\n"
            "  mend: correct the file at this line"
        ),
    ),
    (
        "key twice",
        '{"question": "lid", "question": "whistle"}',
        (
            "error[json-syntax]: reply.json cannot be parsed\n"
            "  --> reply.json:1\n"
            "  the key 'question' stands twice in one object\n"
            "  mend: correct the file at this line"
        ),
    ),
    (
        "not a number",
        '{"question": NaN}',
        (
            "error[json-syntax]: reply.json cannot be parsed\n"
            "  --> reply.json:1\n"
            "  NaN is not JSON\n"
            "  mend: correct the file at this line"
        ),
    ),
]


@pytest.mark.parametrize(("text", "message"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_a_reply_is_refused_with_its_line(corpus: Corpus, text: str, message: str) -> None:
    with pytest.raises(Refused) as refused:
        take(corpus, text)

    assert str(refused.value) == message


def test_nothing_is_written_where_one_of_the_replies_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drafts = tmp_path / "eval/drafts"
    write_project(tmp_path)
    before = {path.name: path.read_bytes() for path in drafts.iterdir()}
    replies = [tmp_path / f".foregone/replies/{question}.json" for question in ("lid", "whistle")]
    edit(replies[0], "only by the spout", "by the spout alone")
    edit(replies[1], "kettle#2", "kettle#7")
    capsys.readouterr()

    status = main(["draft", "import", "--project", str(tmp_path), *map(str, replies)])
    assert status == 1
    assert {path.name: path.read_bytes() for path in drafts.iterdir()} == before
    assert capsys.readouterr() == (
        "",
        (
            "error[unknown-section]: claims[0].section is 'kettle#7'\n"
            f"  --> {replies[1]}:1\n"
            "  the corpus has no such section with text\n"
            "  mend: cite a passage of the prompt by its id\n"
        ),
    )


def test_importing_a_reply_again_changes_no_byte(tmp_path: Path) -> None:
    draft = write_project(tmp_path) / "eval/drafts/lid.json"
    before = draft.read_bytes()
    import_replies(tmp_path, {"lid": REPLIES["lid"]})

    assert draft.read_bytes() == before
