"""What a claim must find in its section: content stems, and literals that have to stand as they are."""

import pytest

from foregone.corpus.corpus import Corpus, load_corpus
from foregone.corpus.rfc import parse_rfc
from foregone.ground.words import content_stems, literals_of, read_section, squeeze
from tiny_corpus import write_sources

LIDS = b"1.  Pots\n\n   A pot has a lid.\n\n1.2.  Lids\n\n   A lid of 0.5 kg is round, two-fold at most.\n"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    root = tmp_path_factory.mktemp("kitchen")
    write_sources(root)
    return load_corpus(root / "corpus/manifest.yaml")


LITERALS: list[tuple[str, tuple[str, ...]]] = [
    ("Kettles whistle when steam passes.", ()),
    ("It holds 250 ml for five minutes.", ("250",)),
    ("Version 1.1 of 2020-03-01.", ("1.1", "2020-03-01")),
    ("The Lid-State field and the pressure-valve.", ("Lid-State", "pressure-valve")),
    ("The eTag of a whistleBlower.", ("eTag", "whistleBlower")),
    ("A server asks Zoe. Boiler answers: Steam.", ("Zoe",)),
    ("It MUST NOT and SHOULD be a KETTLE.", ("KETTLE",)),
    ('The value "shut for good" or `open lid` is set.', ("shut for good", "open lid")),
    ('A lone " quote stays a sign.', ()),
    ("the max_age of pots", ("max_age",)),
    ("The lid's and the Lid-State's edge.", ("Lid-State",)),
    ("", ()),
]


@pytest.mark.parametrize(("text", "expected"), LITERALS)
def test_literals_are_numbers_names_and_quoted_strings(text: str, expected: tuple[str, ...]) -> None:
    assert tuple(literal.text for literal in literals_of(text, (), None)) == expected


@pytest.mark.parametrize(("text", "expected"), LITERALS)
def test_the_span_of_a_literal_is_where_it_stands(text: str, expected: tuple[str, ...]) -> None:
    spans = [literal.span for literal in literals_of(text, (), None)]

    assert tuple(text[slice(*span)].strip('"`') for span in spans) == expected


def test_corpus_wide_names_are_exempt_alone_and_joined() -> None:
    found = literals_of("A HTTP message, URI and HTTP-URI, the HTTP's and HTTPS.", {"http", "uri"}, None)

    assert [literal.text for literal in found] == ["HTTPS"]


@pytest.mark.parametrize(
    "text",
    [
        "In section 1.2 of RFC 99, lids are round.",
        "As rfc99 has it in section 1.2, lids are round.",
        "In §1, Section 1.2 and its Appendix: lids are round.",
    ],
)
def test_a_claim_may_name_its_own_section_and_document(text: str) -> None:
    section = parse_rfc("rfc99", LIDS)[1]

    assert (section.id, literals_of(text, {"rfc"}, section)) == ("rfc99#1.2", ())


def test_another_section_or_document_is_not_exempt() -> None:
    section = parse_rfc("rfc99", LIDS)[1]
    found = literals_of("By section 1.3 of RFC 98, lids are round.", {"rfc"}, section)

    assert [literal.text for literal in found] == ["1.3", "98"]


def test_a_number_that_stands_alone_is_asked_for_in_a_section_of_that_number() -> None:
    section = parse_rfc("rfc99", LIDS)[1]
    found = literals_of("A kettle has 1.2 lids.", (), section)

    assert [literal.text for literal in found] == ["1.2"]


def test_content_stems_leave_function_words_out_and_count_each_once() -> None:
    assert content_stems("The kettles whistle; a kettle is NOT whistled at, x") == ["kettl", "whistl"]


def test_a_text_of_function_words_has_no_content() -> None:
    assert content_stems("It is as it was.") == []


def test_a_section_is_read_with_its_heading(corpus: Corpus) -> None:
    words = read_section(corpus.by_id["kettle#2"])

    assert words.lowered.startswith("whistling the whistle sounds when steam")
    assert words.lowered.endswith("stays silent, so the spout should be cleaned once a month.")
    assert {"whistling", "pressure-valve", "pressure", "valve", "100", "five", "5"} <= words.tokens
    assert {"kettl", "whistl", "spout", "degre"} <= words.stems
    assert [(sentence.start, sentence.end) for sentence in words.sentences] == [(0, 93), (95, 181), (186, 290)]
    assert words.sentence_stems[1] == {"stop", "five", "second", "heat", "somebodi", "turn", "knob"}


def test_every_token_of_heading_and_text_is_counted(corpus: Corpus) -> None:
    words = [read_section(corpus.by_id[section]).n_tokens for section in ("cups#A", "cups#1.1", "teapot#1.1")]

    assert words == [1 + 3, 1 + 6, 1 + 19]


def test_a_part_of_a_decimal_number_is_no_number() -> None:
    words = read_section(parse_rfc("rfc99", LIDS)[1])

    assert {"0.5", "two-fold", "two", "fold", "2"} <= words.tokens
    assert not {"0", "5", "1", "1.2", "99"} & words.tokens


@pytest.mark.parametrize("text", ["max-age", "max age", "Max\n  Age".lower(), "ma-x-age", "maxage"])
def test_spaces_and_hyphens_are_squeezed_out(text: str) -> None:
    assert squeeze(text) == "maxage"
