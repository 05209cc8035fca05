"""Plain text becomes sections of whole paragraphs, titled by their first line."""

import random

import pytest

from foregone.corpus.plain_text import parse_plain_text
from foregone.corpus.section import Run, Section, slice_source
from foregone.corpus.sentences import split_sentences

STRANGE = "\r\n\t \f\x00\u2028\x85\x1f\ufeff\U0001f375é."


def parse(text: str) -> tuple[Section, ...]:
    return parse_plain_text("tea", text.encode())


def words(count: int, word: str = "tea") -> str:
    return " ".join([word] * count)


def test_a_section_is_given_whole() -> None:
    assert parse_plain_text("tea", "\ufeff\n  Zoë's  tea\n  is hot.\n\n\n  The pot is not.\n\n".encode()) == (
        Section(
            id="tea#1",
            document="tea",
            number="1",
            title="Zoë's tea",
            trail=(),
            text="Zoë's  tea\nis hot.\n\nThe pot is not.",
            runs=(Run(0, 6, 10), Run(11, 20, 7), Run(20, 32, 15)),
            span=(4, 47),
            has_sentences=True,
        ),
    )


@pytest.mark.parametrize("text", ["", "\ufeff", "\n\n", " \t\r\n"])
def test_a_text_without_words_has_no_sections(text: str) -> None:
    assert parse(text) == ()


@pytest.mark.parametrize(
    ("paragraphs", "sections"),
    [
        ([299, 1, 1], [2, 1]),
        ([300, 1], [1, 1]),
        ([1, 299, 300, 1], [2, 1, 1]),
        ([1, 1, 1], [3]),
        ([1, 5000], [2]),
        ([5000, 1], [1, 1]),
    ],
)
def test_a_paragraph_that_brings_a_section_to_300_words_closes_it(paragraphs: list[int], sections: list[int]) -> None:
    parsed = parse("\n\n".join(words(count) for count in paragraphs))

    assert [section.text.count("\n\n") + 1 for section in parsed] == sections
    assert [section.id for section in parsed] == [f"tea#{number}" for number in range(1, len(sections) + 1)]


def test_text_without_blank_lines_is_one_section() -> None:
    (section,) = parse("\n".join(["The tea is hot."] * 1000))

    assert section.text.count("\n") == 999


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("  The   tea\tis hot.  ", "The tea is hot."),
        ("a" * 80, "a" * 80),
        ("a" * 81, "a" * 79 + "…"),
        (words(40), words(20)[:79] + "…"),
        ("é" * 78 + " hot", "é" * 78 + "…"),
        ("# Tea", "# Tea"),
    ],
    ids=["white space", "80", "81", "words", "at a space", "Markdown"],
)
def test_the_title_is_the_first_line_of_at_most_80_letters(line: str, title: str) -> None:
    assert [section.title for section in parse(f"\n{line}\nGreen.\n")] == [title]


def test_a_hyphen_at_a_line_end_stays_there() -> None:
    assert [section.text for section in parse("a non-\nbitter tea\n")] == ["a non-\nbitter tea"]


def test_line_ends_of_two_bytes_change_no_text() -> None:
    text = f"{words(300)}\n\nThe pot\n  is hot.\n"

    assert [one.text for one in parse(text.replace("\n", "\r\n"))] == [one.text for one in parse(text)]


def test_any_text_is_parsed_and_every_text_and_sentence_slices_back_out_of_the_bytes() -> None:
    chance = random.Random(1345)
    for _ in range(200):
        letters = [chance.choice(STRANGE + "\n a") for _ in range(60)]
        source = "".join(letters).join([words(150, "thé"), words(160), words(20)]).encode()
        sections = parse_plain_text("tea", source)
        places = [byte for section in sections for byte in section.span]
        for section in sections:
            spans = [(0, len(section.text)), *((one.start, one.end) for one in split_sentences(section.text))]
            assert [slice_source(section, source, span) for span in spans] == [section.text[a:b] for a, b in spans]
        assert places == sorted(places)
        assert len({section.id for section in sections}) == len(sections)
