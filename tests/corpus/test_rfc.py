"""An RFC text becomes numbered sections, each with its heading, its trail and a text that maps back to the bytes."""

import random
from collections.abc import Iterator

import pytest

from foregone.corpus.rfc import parse_rfc
from foregone.corpus.section import Run, Section, byte_span, slice_source
from foregone.corpus.sentences import split_sentences
from tiny_corpus import TEXTS

STRANGE = "\f\r\n\t -|'\"é\u2028\x85\x1f\x00\ufeff\U0001f375[].1A"


def parse(text: str) -> tuple[Section, ...]:
    return parse_rfc("tea", text.encode())


def outline(text: str) -> list[tuple[str, str, tuple[str, ...], str]]:
    return [(section.number, section.title, section.trail, section.text) for section in parse(text)]


def only_text(body: str) -> str:
    (section,) = parse("1.  Tea\n\n" + body)
    return section.text


def test_the_sections_of_the_three_documents() -> None:
    sections = [section for document in sorted(TEXTS) for section in parse_rfc(document, TEXTS[document].encode())]

    assert [(section.id, section.title, section.trail) for section in sections] == [
        ("cups#1", "Cups", ()),
        ("cups#1.1", "Grammar", ("1 Cups",)),
        ("cups#1.2", "Filling", ("1 Cups",)),
        ("cups#A", "Changes", ()),
        ("kettle#1", "Boiling", ()),
        ("kettle#2", "Whistling", ()),
        ("teapot#1", "Introduction", ()),
        ("teapot#1.1", "Pouring", ("1 Introduction",)),
    ]


def test_a_section_is_given_whole() -> None:
    assert parse_rfc("tea", "\ufeff\n1.  Zoë's  Tea\n\n   Brew it\n     well.\n\n\n".encode()) == (
        Section(
            id="tea#1",
            document="tea",
            number="1",
            title="Zoë's Tea",
            trail=(),
            text="Brew it\n  well.",
            runs=(Run(0, 24, 7), Run(8, 35, 7)),
            span=(4, 42),
            has_sentences=False,
        ),
    )


@pytest.mark.parametrize(
    ("heading", "number", "title"),
    [
        ("1.  Tea", "1", "Tea"),
        ("1 Tea", "1", "Tea"),
        ("10.2.33.  Tea", "10.2.33", "Tea"),
        ("Appendix A.  Tea", "A", "Tea"),
        ("APPENDIX B: Tea", "B", "Tea"),
        ("Appendix C - Tea", "C", "Tea"),
        ("Appendix D", "D", ""),
        ("A.1.  Tea", "A.1", "Tea"),
        ("B.2.10 Tea", "B.2.10", "Tea"),
        ("1.  Tea   and\n    Cups", "1", "Tea and Cups"),
        ("1.  Tea and\n      Cups and\n      Pots", "1", "Tea and Cups and Pots"),
    ],
)
def test_a_line_at_the_margin_with_a_number_is_a_heading(heading: str, number: str, title: str) -> None:
    assert outline(f"{heading}\n\n   Green.\n") == [(number, title, (), "Green.")]


@pytest.mark.parametrize(
    "line",
    [
        "   2.  Cups",
        "2020 was a year of tea",
        "A  cup",
        "A. cup",
        "2.",
        "a.1.  Cups",
        "Appendix AB.  Cups",
        "See Appendix A.  Cups",
        "- 2. Cups",
    ],
)
def test_a_line_of_another_form_is_text(line: str) -> None:
    assert [section.number for section in parse(f"1.  Tea\n\n   Green.\n\n{line}\n\n   Black.\n")] == ["1"]


def test_a_number_at_the_margin_inside_a_paragraph_is_no_heading() -> None:
    assert only_text("Tea is poured into\n2 cups\n") == "Tea is poured into\n2 cups"


@pytest.mark.parametrize(
    "title",
    [
        "Abstract",
        "Status of This Memo",
        "Copyright Notice",
        "Table of Contents",
        "Index",
        "Acknowledgments",
        "Acknowledgements",
        "Author's Address",
        "Authors' Addresses",
        "Editors' Addresses",
        "Contributors",
        "Full Copyright Statement",
        "Intellectual Property",
        "Disclaimer",
    ],
)
def test_what_stands_under_an_unnumbered_title_is_left_out(title: str) -> None:
    assert outline(f"1.  Tea\n\n   Green.\n\n{title}\n\n   Zoë.\n\n2.  Cups\n\n   White.\n") == [
        ("1", "Tea", (), "Green."),
        ("2", "Cups", (), "White."),
    ]


def test_an_index_section_with_a_number_is_a_section() -> None:
    assert outline("1.  Index Cards\n\n   White.\n") == [("1", "Index Cards", (), "White.")]


@pytest.mark.parametrize("leader", [" ........................ 2", "  . . . . . . . . . . . . 2", ""])
def test_contents_are_no_sections_with_or_without_dotted_leaders(leader: str) -> None:
    contents = f"Table of Contents\n\n   1.  Tea{leader}\n     1.1.  Cups{leader}\n   Appendix A.  Pots{leader}\n\n"

    assert outline(contents + "1.  Tea\n\n   Green.\n") == [("1", "Tea", (), "Green.")]


@pytest.mark.parametrize("indent", ["   ", ""])
def test_letters_of_an_index_are_no_appendices(indent: str) -> None:
    index = f"Index\n\n{indent}A\n\n{indent}   Assam  Section 1\n\n{indent}B\n\n{indent}   Brew  Section 1\n"

    assert outline("1.  Tea\n\n   Green.\n\n" + index) == [("1", "Tea", (), "Green.")]


def test_a_trail_names_every_section_around_and_passes_over_missing_ones() -> None:
    text = "1.  Tea\n\n1.2.  Green\n\n1.2.3.  Sencha\n\nAppendix A\n\nA.1.  Black\n\nB.1.  White\n"

    assert [section.trail for section in parse(text)] == [(), ("1 Tea",), ("1 Tea", "1.2 Green"), (), ("A",), ()]


def test_a_number_that_comes_again_is_told_apart() -> None:
    assert [section.id for section in parse("1.  Tea\n\n1.  Cups\n\n1.1.  Size\n\n1.  Pots\n")] == [
        "tea#1",
        "tea#1-2",
        "tea#1.1",
        "tea#1-3",
    ]


def test_a_word_that_is_broken_at_a_line_end_is_whole_in_the_published_text() -> None:
    assert only_text("\n   a non-\n   bitter  tea\n\n\n") == "a non-bitter  tea"


def test_a_section_over_a_page_break_maps_back_past_footer_and_header() -> None:
    source = TEXTS["kettle"].encode()
    section = parse_rfc("kettle", source)[0]
    start = section.text.index("A shut lid")
    low, high = byte_span(section, (start, len(section.text)))

    assert (source[low:high].count(b"\f"), slice_source(section, source, (start, len(section.text)))) == (
        1,
        "A shut lid keeps\n   the whistle in tune.",
    )


@pytest.mark.parametrize("text", ["", "\ufeff", "\n\n", "\f", "Tea is green.\n", "   1.  Tea\n", "Index\n\n   2 cups"])
def test_a_text_without_a_heading_has_no_sections(text: str) -> None:
    assert parse(text) == ()


def test_line_ends_of_two_bytes_change_no_text() -> None:
    for document, text in TEXTS.items():
        source = text.replace("\n", "\r\n").encode()
        sections = parse_rfc(document, source)

        assert [section.text for section in sections] == [one.text for one in parse_rfc(document, text.encode())]


def garbled() -> Iterator[str]:
    """A few hundred texts that no author wrote: shuffled, cut, sprinkled, with other line ends."""
    chance = random.Random(3986)
    for text in [TEXTS[document] for document in sorted(TEXTS)] * 60:
        lines = text.splitlines(keepends=True)
        yield "".join(chance.sample(lines, len(lines)))
        start, end = sorted(chance.sample(range(len(text)), 2))
        yield text[start:end]
        letters = list(text)
        for place in chance.sample(range(len(text)), 40):
            letters[place] = chance.choice(STRANGE)
        yield "".join(letters)
        yield text.replace("\n", chance.choice(["\r\n", "\r", "\n\n", "\f\n", " \n", "-\n"]))


def test_any_text_is_parsed_and_every_text_and_sentence_slices_back_out_of_the_bytes() -> None:
    seen = torn = outside = 0
    for source in (text.encode() for text in garbled()):
        for section in parse_rfc("tea", source):
            spans = [(sentence.start, sentence.end) for sentence in split_sentences(section.text)]
            seen += 1
            torn += sum(
                slice_source(section, source, (start, end)) != section.text[start:end]
                for start, end in [(0, len(section.text)), *spans]
            )
            places = [section.span[0], *(byte for span in spans for byte in byte_span(section, span)), section.span[1]]
            outside += places != sorted(places)

    assert (seen > 700, torn, outside) == (True, 0, 0)


def test_ids_are_unique_in_any_text() -> None:
    for text in garbled():
        ids = [section.id for section in parse(text)]

        assert len(set(ids)) == len(ids)
