"""What holds for any input: found by hypothesis, which keeps no database here and starts from the same seed."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foregone.corpus.chunks import chunk_sections, count_words
from foregone.corpus.corpus import Corpus, load_corpus
from foregone.corpus.overlap import corpus_runs
from foregone.corpus.parsers import PARSERS
from foregone.corpus.rfc import parse_rfc
from foregone.corpus.section import Section, byte_span, slice_source
from foregone.corpus.sentences import split_sentences
from foregone.draft.draft import Drafter, draft_json, load_draft
from foregone.draft.prompt import write_prompt
from foregone.draft.reply import Asked, import_reply
from foregone.index.bm25 import build_bm25
from foregone.located import parse_json
from foregone.release.verify import verify_site
from foregone.retrieve.questions import load_questions
from foregone.retrieve.ranking import rank_sections
from tiny_corpus import TEXTS, run, write_project

EXAMPLES = settings(max_examples=150, derandomize=True, database=None, deadline=None)

PIECES = st.sampled_from(
    [
        "1.  Title\n", "1.1.  Part\n", "Appendix A.  More\n", "Table of Contents\n", "# Heading\n", "## Part\n", "Under\n-----\n",
        "```\ncode\n```\n", "---\n", "title: x\n", "   Some words of prose.  And more.\n", "   * an item\n", "   |  a note-\n",
        "   broken-\n", "word\n", "\n", "\n\n", "\f\n", "Author          Standard      [Page 3]\n", "\ufeff", "\r\n", "é ß 漢字\n",
        "| a | b |\n|---|---|\n", "> quoted\n", "<script>alert(1)</script>\n", "    a = b / c ; rule\n", "\x00", "&amp;",
    ]
)  # fmt: skip
"""What parsers look for, so that chance meets it."""
TEXT = st.lists(st.one_of(PIECES, st.text(max_size=12)), max_size=25).map("".join)


def slices_back(sections: tuple[Section, ...], source: bytes) -> bool:
    """Whether every sentence of every section comes back out of the bytes, and lies where its byte span says."""
    for section in sections:
        spans = [(sentence.start, sentence.end) for sentence in split_sentences(section.text)]
        for span in [*spans, *([(0, len(section.text))] if section.text else [])]:
            low, high = byte_span(section, span)
            if slice_source(section, source, span) != section.text[slice(*span)]:
                return False
            if not section.span[0] <= low < high <= section.span[1]:
                return False
    return True


@pytest.mark.parametrize("name", sorted(PARSERS))
def test_a_parser_takes_any_text_and_every_span_slices_back(name: str) -> None:
    @EXAMPLES
    @given(TEXT)
    def check(text: str) -> None:
        source = text.encode()
        sections = PARSERS[name]("doc", source)
        assert len({section.id for section in sections}) == len(sections)
        assert slices_back(sections, source)

    check()


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write_project(tmp_path_factory.mktemp("properties"))
    run("build", "--project", str(root))
    return root


@pytest.fixture(scope="module")
def corpus(root: Path) -> Corpus:
    return load_corpus(root / "corpus/manifest.yaml")


def is_text(text: str) -> bool:
    """Whether a quote of these letters says anything."""
    return text.strip() != "" and "\0" not in text and text.isprintable()


WORDS = st.lists(
    st.sampled_from(["steam", "lid", "spout", "kettle", "pours", "95", "degrees", "the", "a", "Lid-State", "brown"]),
    min_size=1,
)
CLAIM = st.fixed_dictionaries(
    {
        "text": WORDS.map(" ".join),
        "kind": st.sampled_from(["finding", "step", "setting", "definition"]),
        "section": st.sampled_from(["kettle#1", "kettle#2", "teapot#1.1", "cups#1.2"]),
        "quote": st.one_of(st.none(), st.text(min_size=1, max_size=40).filter(is_text)),
    }
)
REPLY = st.fixed_dictionaries(
    {
        "question": st.just("lid"),
        "outcome": st.sampled_from(["answered", "partly", "not_answered"]),
        "claims": st.lists(CLAIM, max_size=5),
    }
)


def test_a_draft_comes_back_from_its_file_as_it_was_imported(root: Path, corpus: Corpus, tmp_path: Path) -> None:
    question = load_questions(root / "eval/questions.yaml", corpus.by_id).questions[1]
    runs = corpus_runs(corpus.indexed)
    evidence = ("kettle#1", "kettle#2")
    drafter = Drafter("imported", "somebody", None)
    asked = Asked(write_prompt(corpus, question, evidence), evidence, drafter, "2026-12-01")

    @EXAMPLES
    @given(REPLY)
    def check(reply: dict[str, object]) -> None:
        draft = import_reply(parse_json(json.dumps(reply), Path("reply.json")), corpus, runs, asked).draft
        path = tmp_path / "lid.json"
        path.write_text(draft_json(draft), encoding="utf-8")
        assert load_draft(path, "lid") == draft

    check()


@EXAMPLES
@given(st.randoms(use_true_random=False), st.sampled_from(["steam lid", "kettle water", "milk china cup", "spout"]))
def test_the_order_of_chunks_never_changes_a_ranking(chance: random.Random, query: str) -> None:
    sections = [section for name, text in TEXTS.items() for section in parse_rfc(name, text.encode())]
    chunks = list(chunk_sections(sections, 20, 5, count_words))
    mixed = chance.sample(chunks, len(chunks))

    rankings = [
        rank_sections([chunk.section for chunk in some], build_bm25(some, "english").score(query), floor=0.0)
        for some in (chunks, mixed)
    ]
    assert rankings[0] == rankings[1]


def test_a_flipped_byte_anywhere_in_a_release_is_named(root: Path) -> None:
    dist = root / "dist"
    paths = sorted(path for path in (dist / "v").rglob("*") if path.is_file())

    @EXAMPLES
    @given(st.sampled_from(paths), st.integers(0, 10**6), st.integers(1, 255))
    def check(path: Path, place: int, change: int) -> None:
        content = path.read_bytes()
        flipped = bytearray(content)
        flipped[place % len(content)] ^= change
        twin = path.with_name(".before")
        path.rename(twin)
        path.write_bytes(flipped)
        try:
            named = {finding.path for finding in verify_site(dist).findings}
        finally:
            twin.replace(path)
        assert path.relative_to(dist).as_posix() in named

    check()
