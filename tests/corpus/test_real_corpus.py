"""The six RFCs that the site answers from: their inventory, and every trap that their text sets a parser."""

import re
import subprocess
from pathlib import Path

import pytest

from foregone.corpus.chunks import chunk_sections, count_words
from foregone.corpus.corpus import Corpus, load_corpus
from foregone.corpus.overlap import copied_run, corpus_runs
from foregone.corpus.section import byte_span, slice_source
from foregone.corpus.sentences import MARKER, split_sentences

ROOT = Path(__file__).resolve().parents[2]
MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
CONTENTS_LINE = re.compile(r" {3,}(?:Appendix )?(\d+(?:\.\d+)*|[A-Z](?:\.\d+)*)\.\s+\S")

STATE_NOTHING = {
    "references": [
        "rfc3986#10.1",
        "rfc3986#10.2",
        "rfc6265#10.1",
        "rfc6265#10.2",
        "rfc8259#14.1",
        "rfc8259#14.2",
        "rfc9110#19.1",
        "rfc9110#19.2",
        "rfc9111#9.1",
        "rfc9111#9.2",
        "rfc9112#13.1",
        "rfc9112#13.2",
    ],
    "pure ABNF": ["rfc3986#A"],
    "a table of examples": ["rfc3986#5.4.1"],
    "forms of a registry": ["rfc6265#9.1", "rfc6265#9.2", "rfc6265#9.3", "rfc6265#9.4"],
    "the word None": ["rfc9110#B.1", "rfc9110#B.6", "rfc9110#B.7", "rfc9110#B.8"],
}


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return load_corpus(ROOT / "corpus/manifest.yaml")


def test_the_fingerprint_is_the_pinned_one(corpus: Corpus) -> None:
    assert corpus.fingerprint == "sha256:da38c386b172040a6231d061c764c03ae9f48906e9ca73fb3cc1723e8ade9948"


def test_the_inventory_is_600_sections_564_with_text_and_868_chunks(corpus: Corpus) -> None:
    chunks = chunk_sections(corpus.indexed, 220, 40, count_words)

    assert (len(corpus.sections), len(corpus.indexed), len(chunks)) == (600, 564, 868)


def test_each_document_has_its_sections(corpus: Corpus) -> None:
    counts = {
        document.id: (
            sum(section.document == document.id for section in corpus.sections),
            sum(section.document == document.id for section in corpus.indexed),
        )
        for document in corpus.manifest.documents
    }

    assert counts == {
        "rfc3986": (74, 71),
        "rfc6265": (60, 55),
        "rfc8259": (23, 21),
        "rfc9110": (302, 281),
        "rfc9111": (67, 66),
        "rfc9112": (74, 70),
    }


def test_every_section_id_is_unique(corpus: Corpus) -> None:
    assert len(corpus.by_id) == len(corpus.sections)


def test_every_published_text_slices_back_out_of_the_bytes(corpus: Corpus) -> None:
    assert [
        section.id
        for section in corpus.sections
        if slice_source(section, corpus.sources[section.document], (0, len(section.text))) != section.text
    ] == []


def test_every_sentence_slices_back_out_of_the_bytes(corpus: Corpus) -> None:
    assert [
        (section.id, sentence)
        for section in corpus.sections
        for sentence in split_sentences(section.text)
        if slice_source(section, corpus.sources[section.document], (sentence.start, sentence.end))
        != section.text[sentence.start : sentence.end]
    ] == []


def test_every_sentence_lies_within_the_bytes_of_its_section(corpus: Corpus) -> None:
    for section in corpus.sections:
        spans = [byte_span(section, (sentence.start, sentence.end)) for sentence in split_sentences(section.text)]
        places = [section.span[0], *(place for span in spans for place in span), section.span[1]]

        assert places == sorted(places), section.id


def test_between_two_sentences_stands_no_word_but_list_markers(corpus: Corpus) -> None:
    gaps = {
        " ".join(section.text[before:after].replace("|", " ").split())
        for section in corpus.sections
        for sentences in (split_sentences(section.text),)
        for before, after in zip(
            [0, *(sentence.end for sentence in sentences)],
            [*(sentence.start for sentence in sentences), len(section.text)],
            strict=True,
        )
    }

    assert [gap for gap in sorted(gaps) if gap and not MARKER.fullmatch(gap + " ")] == []


def test_no_sentence_begins_with_a_list_marker(corpus: Corpus) -> None:
    assert [
        section.id
        for section in corpus.sections
        for sentence in split_sentences(section.text)
        if sentence.kind == "sentence" and MARKER.match(section.text, sentence.start)
    ] == []


def test_sections_without_a_statement_are_flagged_and_no_others(corpus: Corpus) -> None:
    flagged = [section.id for section in corpus.indexed if not section.has_sentences]

    assert flagged == sorted((name for names in STATE_NOTHING.values() for name in names), key=list(corpus.by_id).index)


@pytest.mark.parametrize(
    "remnant",
    [r"\[Page [0-9ivx]+\]", r"\f", rf"(?m)^RFC \d+ .*(?:{MONTH}) \d{{4}}$", r"[^\S\n]\n", r"\n\n\n", r"\r", "\ufeff"],
    ids=[
        "footer",
        "form feed",
        "header",
        "blanks at a line end",
        "two blank lines",
        "carriage return",
        "byte order mark",
    ],
)
def test_no_published_text_holds(corpus: Corpus, remnant: str) -> None:
    assert [section.id for section in corpus.sections if re.search(remnant, section.text)] == []


def test_a_byte_order_mark_is_counted_in_the_offsets(corpus: Corpus) -> None:
    opening = {
        document: (source[:3] == b"\xef\xbb\xbf", source[slice(*corpus.by_id[f"{document}#1"].span)][:16])
        for document, source in corpus.sources.items()
    }

    assert opening == {
        "rfc3986": (False, b"1.  Introduction"),
        "rfc6265": (False, b"1.  Introduction"),
        "rfc8259": (False, b"1.  Introduction"),
        "rfc9110": (True, b"1.  Introduction"),
        "rfc9111": (True, b"1.  Introduction"),
        "rfc9112": (True, b"1.  Introduction"),
    }


def test_every_span_begins_at_the_heading(corpus: Corpus) -> None:
    assert [
        section.id
        for section in corpus.sections
        if not corpus.sources[section.document][section.span[0] :]
        .removeprefix(b"Appendix ")
        .startswith(section.number.encode() + b".")
    ] == []


@pytest.mark.parametrize("name", ["Carela-Español", "Solé-Pareta"])
def test_a_name_beyond_ascii_is_found_in_the_bytes(corpus: Corpus, name: str) -> None:
    section = corpus.by_id["rfc9110#19.2"]
    start = section.text.index(name)
    low, high = byte_span(section, (start, start + len(name)))

    assert corpus.sources["rfc9110"][low:high].decode() == name


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ("rfc3986#1.1", "nothing in this\nspecification prevents"),
        ("rfc3986#D.2", "percent-encoded octets\ncorresponding"),
        ("rfc6265#5.4", "transport-layer\n          security"),
        ("rfc8259#4", "fail to parse the\nobject"),
    ],
)
def test_a_paragraph_over_a_page_break_is_one(corpus: Corpus, section: str, words: str) -> None:
    assert words in corpus.by_id[section].text


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ("rfc3986#1.1", ".\n\nResource\n\n"),
        ("rfc3986#2.2", "is formed.\n\n   reserved    ="),
        ("rfc3986#10.1", ", 1986.\n\n[RFC2234]"),
        ("rfc6265#3.1", "requests.\n\n== Server"),
        ("rfc6265#5.3", "to false.\n\n10.  If"),
        ("rfc8259#1", "values.\n\nThe terms"),
    ],
)
def test_two_paragraphs_over_a_page_break_are_two(corpus: Corpus, section: str, words: str) -> None:
    assert words in corpus.by_id[section].text


def test_no_word_is_left_broken_at_a_line_end(corpus: Corpus) -> None:
    assert [section.id for section in corpus.sections if re.search(r"[A-Za-z0-9]-\n\s*[A-Za-z0-9]", section.text)] == []


@pytest.mark.parametrize(
    ("section", "word"),
    [("rfc3986#1.1", "pre-existing"), ("rfc8259#8.1", "JSON-based")],
)
def test_a_word_broken_at_a_line_end_is_published_whole(corpus: Corpus, section: str, word: str) -> None:
    text, source = corpus.by_id[section].text, corpus.sources[section.partition("#")[0]]
    before, after = word.split("-")

    assert (word in text, re.search(rf"\b{before}-\n +{after}", source.decode()) is not None) == (True, True)


@pytest.mark.parametrize("document", ["rfc3986", "rfc6265", "rfc8259", "rfc9110", "rfc9111", "rfc9112"])
def test_the_sections_are_those_of_the_table_of_contents(corpus: Corpus, document: str) -> None:
    text = corpus.sources[document].decode()
    contents = text.partition("\nTable of Contents\n")[2].partition("\n1.  Introduction\n")[0]
    listed = [match[1] for line in contents.splitlines() if (match := CONTENTS_LINE.match(line))]

    depth = max(number.count(".") for number in listed)

    assert listed == [
        section.number
        for section in corpus.sections
        if section.document == document and section.number.count(".") <= depth
    ]


def test_letters_of_an_index_are_not_taken_for_appendices(corpus: Corpus) -> None:
    letters = {
        document: [name.partition("#")[2] for name in corpus.by_id if re.fullmatch(rf"{document}#[A-Z]", name)]
        for document in corpus.sources
    }

    assert letters == {
        "rfc3986": ["A", "B", "C", "D"],
        "rfc6265": ["A"],
        "rfc8259": ["A"],
        "rfc9110": ["A", "B"],
        "rfc9111": ["A", "B"],
        "rfc9112": ["A", "B", "C"],
    }


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="the tracked files are known to git alone")
def test_no_tracked_file_holds_twelve_words_of_the_corpus_in_a_row(corpus: Corpus) -> None:
    listed = subprocess.run(
        ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True
    )
    paths = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    texts = {path: path.read_bytes() for path in paths if path.is_file() and path.suffix != ".npy"}
    runs = corpus_runs(corpus.sections)
    copied = {path: copied_run(content.decode(), runs) for path, content in texts.items()}

    assert len(texts) > 100
    assert {path: run for path, run in copied.items() if run} == {}
