"""A quote is found by its letters, widened to whole sentences, and found again when its section has changed."""

from dataclasses import replace

import pytest

from foregone.corpus.corpus import Corpus, load_corpus
from foregone.corpus.section import Section, Span
from foregone.corpus.sentences import split_sentences
from foregone.digest import digest_words
from foregone.draft.draft import Quote
from foregone.draft.quotes import FoundQuote, find_words, locate_quote, quote_digest, store_quote, widen
from tiny_corpus import write_sources

WHISTLE = "The whistle sounds when steam passes the spout at 100 degrees and the pressure-valve is shut."
STOP = "It stops within five seconds after the heat is off, e.g. when somebody turns the knob."
NOTE = "*Note:* A whistle that is blocked by scale stays silent, so the spout should be cleaned once a month."


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    root = tmp_path_factory.mktemp("kitchen")
    write_sources(root)
    return load_corpus(root / "corpus/manifest.yaml")


@pytest.fixture
def kettle(corpus: Corpus) -> Section:
    return corpus.by_id["kettle#2"]


def found(span: Span, words: str, *, widened: bool) -> FoundQuote:
    return FoundQuote(Quote(span, digest_words(words), None, ()), widened)


FOUND: list[tuple[str, str, FoundQuote]] = [
    ("over a line break and a word broken at a line end", WHISTLE, found((0, 93), WHISTLE, widened=False)),
    ("with a line break of its own", WHISTLE.replace(" and", "\n  and"), found((0, 93), WHISTLE, widened=False)),
    (
        "with the break left in the word",
        WHISTLE.replace("pressure-valve", "pressure- valve"),
        found((0, 93), WHISTLE, widened=False),
    ),
    ("through the bars of a box", NOTE, found((186, 290), NOTE, widened=False)),
    ("with the bars of the box", NOTE.replace("so the", "so the\n|"), found((186, 290), NOTE, widened=False)),
    ("a part of a sentence", "passes the spout at 100 degrees", found((0, 93), WHISTLE, widened=True)),
    ("a part over two sentences", "is shut. It stops within", found((0, 181), f"{WHISTLE} {STOP}", widened=True)),
]


@pytest.mark.parametrize(("words", "expected"), [case[1:] for case in FOUND], ids=[case[0] for case in FOUND])
def test_a_quote_is_found(corpus: Corpus, kettle: Section, words: str, expected: FoundQuote) -> None:
    assert store_quote(corpus, kettle, words) == expected


def test_typographic_quotation_marks_count_as_plain_ones(corpus: Corpus) -> None:
    teapot = corpus.by_id["teapot#1"]
    words = "Zoë\u2019s teapot of 1850 is the oldest that still pours."

    assert store_quote(corpus, teapot, words) == found((47, 99), words.replace("\u2019", "'"), widened=False)


def test_a_list_marker_is_no_part_of_the_quote(corpus: Corpus) -> None:
    section = corpus.by_id["kettle#1"]

    assert store_quote(corpus, section, "*  shut, where steam leaves by the spout alone.") == found(
        (208, 255), "shut, where steam leaves by the spout alone.", widened=False
    )


def test_a_block_is_quoted_whole(corpus: Corpus) -> None:
    grammar = corpus.by_id["cups#1.1"]

    assert store_quote(corpus, grammar, '"c" / "C"') == found(
        (0, 39), 'cup = handle bowl handle = "c" / "C"', widened=True
    )


def test_letters_of_another_case_are_not_found(kettle: Section) -> None:
    assert find_words(kettle.text, "the WHISTLE sounds") is None


@pytest.mark.parametrize("words", ["", "  ", "|"])
def test_no_letters_are_found_nowhere(kettle: Section, words: str) -> None:
    assert find_words(kettle.text, words) is None


MISSING: list[tuple[str, str, Quote]] = [
    (
        "elsewhere",
        "Milk goes in first only when the cup is made of thin china.",
        Quote(
            None,
            digest_words("Milk goes in first only when the cup is made of thin china."),
            "elsewhere",
            ("cups#1.2",),
        ),
    ),
    (
        "in several other sections",
        "the Lid-State field",
        Quote(None, digest_words("the Lid-State field"), "elsewhere", ("teapot#1.1",)),
    ),
    (
        "stitched by dots",
        "The whistle sounds ... after the heat is off",
        Quote(None, digest_words("The whistle sounds ... after the heat is off"), "stitched", ()),
    ),
    (
        "stitched sentences",
        f"{WHISTLE} {NOTE}",
        Quote(None, digest_words(f"{WHISTLE} {NOTE}"), "stitched", ()),
    ),
    (
        "a fragment is invented",
        "The whistle sounds ... like a bird",
        Quote(None, digest_words("The whistle sounds ... like a bird"), "absent", ()),
    ),
    (
        "absent",
        "The whistle sounds when it rains.",
        Quote(None, digest_words("The whistle sounds when it rains."), "absent", ()),
    ),
]


@pytest.mark.parametrize(("words", "quote"), [case[1:] for case in MISSING], ids=[case[0] for case in MISSING])
def test_a_quote_that_is_not_there_is_stored_with_its_reason(
    corpus: Corpus, kettle: Section, words: str, quote: Quote
) -> None:
    assert store_quote(corpus, kettle, words) == FoundQuote(quote, widened=False)


def test_a_sentence_that_is_whole_is_not_widened(kettle: Section) -> None:
    assert widen(kettle.text, (0, 93)) == (0, 93)


def test_a_span_outside_every_sentence_stays_as_it_is(corpus: Corpus) -> None:
    text = corpus.by_id["kettle#1"].text

    assert (text[168:169], widen(text, (168, 169))) == ("*", (168, 169))


def test_a_stored_quote_is_located_by_its_span(corpus: Corpus, kettle: Section) -> None:
    assert locate_quote(kettle, store_quote(corpus, kettle, WHISTLE).quote) == (0, 93)


@pytest.mark.parametrize(
    ("before", "after", "span"),
    [
        ("", " A kettle hums first.", (0, 93)),
        ("A kettle hums first.\n\n", "", (22, 115)),
        ("*  ", "", (3, 96)),
        ("Kettles hum. ", " So be it.", (13, 106)),
    ],
)
def test_a_quote_is_found_again_where_the_section_changed_around_it(
    corpus: Corpus, kettle: Section, before: str, after: str, span: Span
) -> None:
    changed = replace(kettle, text=f"{before}{kettle.text[:93]}{after}")

    assert locate_quote(changed, store_quote(corpus, kettle, WHISTLE).quote) == span


def test_a_run_of_sentences_is_found_again(corpus: Corpus, kettle: Section) -> None:
    quote = store_quote(corpus, kettle, kettle.text).quote
    changed = replace(kettle, text=f"Kettles hum.\n\n{kettle.text}")

    assert (quote.span, locate_quote(changed, quote)) == ((0, 290), (14, 304))


def test_a_quote_with_a_list_marker_is_found_again(corpus: Corpus) -> None:
    section = corpus.by_id["kettle#1"]
    quote = store_quote(corpus, section, "*  open, where steam leaves freely;").quote
    changed = replace(section, text=f"Lids are round.\n\n{section.text}")

    assert locate_quote(changed, quote) == (188, 220)


def test_a_quote_laid_out_on_other_lines_is_found_again(corpus: Corpus, kettle: Section) -> None:
    quote = store_quote(corpus, kettle, WHISTLE).quote
    changed = replace(kettle, text=f"Hm.\n\n|  {WHISTLE}")

    assert locate_quote(changed, quote) == (8, 8 + len(WHISTLE))


def test_a_quote_whose_words_changed_is_gone(corpus: Corpus, kettle: Section) -> None:
    quote = store_quote(corpus, kettle, WHISTLE).quote

    assert locate_quote(replace(kettle, text=kettle.text.replace("100", "101")), quote) is None


def test_a_quote_that_never_was_found_is_not_located(corpus: Corpus, kettle: Section) -> None:
    assert locate_quote(kettle, store_quote(corpus, kettle, "It sings.").quote) is None


def test_every_sentence_is_found_where_it_stands(corpus: Corpus) -> None:
    places = [
        (section, (sentence.start, sentence.end))
        for section in corpus.indexed
        for sentence in split_sentences(section.text)
    ]

    stored = [store_quote(corpus, section, section.text[slice(*span)]) for section, span in places]
    assert stored == [
        FoundQuote(Quote(span, quote_digest(section.text[slice(*span)]), None, ()), widened=False)
        for section, span in places
    ]
