"""Nothing that a terminal would obey, or that turns or hides what is read, gets from a corpus to the terminal."""

import json
from pathlib import Path

import pytest

from foregone.characters import make_visible
from tiny_corpus import REPLIES, TEXTS, import_replies, manifest, run, write_sources

EVIL = "\x1b[2J\u202e\u200b\x9b"
SHOWN = "\\u001b[2J\\u202e\\u200b\\u009b"
SENTENCE = f"The whistle {EVIL}sounds when steam passes the spout."


@pytest.fixture(scope="module")
def evil(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny project whose kettle has control characters in a title and in a sentence."""
    root = tmp_path_factory.mktemp("evil")
    write_sources(root)
    kettle = f"1.  Boiling\n\n   A shut lid keeps it in tune.\n\n2.  Whistling{EVIL}\n\n   {SENTENCE}\n"
    texts = {**TEXTS, "kettle": kettle}
    (root / "corpus/sources/kettle.txt").write_text(kettle, encoding="utf-8")
    (root / "corpus/manifest.yaml").write_text(manifest(texts), encoding="utf-8")
    run("index", "build", "--project", str(root))
    claim = {"text": "With steam the whistle sounds.", "kind": "finding", "section": "kettle#2"}
    whistle: dict[str, object] = {
        "question": "whistle",
        "outcome": "answered",
        "claims": [{**claim, "quote": "sounds when steam passes"}],
    }
    import_replies(
        root, {"whistle": whistle, "lid": {**REPLIES["colour"], "question": "lid"}, "colour": REPLIES["colour"]}
    )
    return root


@pytest.mark.parametrize(
    "command",
    [("answer", "whistle"), ("draft", "show", "whistle"), ("corpus", "sections", "--list")],
    ids=["answer", "draft show", "corpus sections"],
)
def test_what_a_terminal_would_obey_is_printed_as_an_escape(
    evil: Path, command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    run(*command, "--project", str(evil))

    printed = capsys.readouterr().out
    assert (SHOWN in printed, make_visible(printed)) == (True, printed)


def test_json_holds_the_characters_as_escapes(evil: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("answer", "whistle", "--json", "--project", str(evil))

    printed = capsys.readouterr().out
    assert (json.loads(printed)["claims"][0]["evidence"]["text"], make_visible(printed)) == (SENTENCE, printed)
