"""Markdown becomes sections by heading, each under the anchor that GitHub gives it, its text as it was written."""

import random
from collections.abc import Iterator

import pytest

from foregone.corpus.markdown import anchor_of, parse_markdown, unique_anchors
from foregone.corpus.section import Run, Section, slice_source
from foregone.corpus.sentences import split_sentences

GUIDE = """\
---
title: "The tea guide"
tags: [tea, pots]
---

Tea is a drink that is made of leaves.

# Brewing

Warm the pot before the leaves are put in.

```sh
# no heading
brew --minutes 3


pour
```

## Green *tea* & `water`

| tea   | degrees |
| ----- | ------- |
| green | 80      |

- Use soft water.
  - Let it cool.

### Zoë's pot

# Pouring
"""
STRANGE = '\r\n\t #=-`~>*_|<&[]"\\\x00\u2028\x85\x1f\ufeff\U0001f375é1.'


def parse(text: str) -> tuple[Section, ...]:
    return parse_markdown("tea", text.encode())


def outline(text: str) -> list[tuple[str, str, tuple[str, ...], str]]:
    return [(section.number, section.title, section.trail, section.text) for section in parse(text)]


def anchors(text: str) -> list[str]:
    return [section.number for section in parse(text)]


def only_text(body: str) -> str:
    (section,) = parse("# Tea\n\n" + body)
    return section.text


def test_a_document_is_cut_at_its_headings_and_nothing_else_is_changed() -> None:
    assert outline(GUIDE) == [
        ("the-tea-guide", "The tea guide", (), "Tea is a drink that is made of leaves."),
        (
            "brewing",
            "Brewing",
            (),
            "Warm the pot before the leaves are put in.\n\n```sh\n# no heading\nbrew --minutes 3\n\npour\n```",
        ),
        (
            "green-tea--water",
            "Green tea & water",
            ("Brewing",),
            "| tea   | degrees |\n| ----- | ------- |\n| green | 80      |\n\n- Use soft water.\n  - Let it cool.",
        ),
        ("zoës-pot", "Zoë's pot", ("Brewing", "Green tea & water"), ""),
        ("pouring", "Pouring", (), ""),
    ]


def test_a_section_is_given_whole() -> None:
    assert parse_markdown("tea", "\ufeff\n## Zoë's  *Tea*\n\n  Brew it\n    well.\n\n\n".encode()) == (
        Section(
            id="tea#zoës--tea",
            document="tea",
            number="zoës--tea",
            title="Zoë's Tea",
            trail=(),
            text="Brew it\n  well.",
            runs=(Run(0, 24, 7), Run(8, 34, 7)),
            span=(4, 41),
            has_sentences=False,
        ),
    )


@pytest.mark.parametrize(
    ("title", "anchor"),
    [
        ("alpha", "alpha"),
        ("bravoCharlie", "bravocharlie"),
        ("What's new in 2.0?", "whats-new-in-20"),
        ("a - dash", "a---dash"),
        ("an _ underscore", "an-_-underscore"),
        ("bind(exchange, routing [, callback])", "bindexchange-routing--callback"),
        ("I ♥ unicode", "i--unicode"),
        ("en\u2013dash", "endash"),
        ("😄 unicode", "-unicode"),
        ("Привет 你好", "привет-你好"),
        ("Élan ÎLE", "élan-île"),
        ("E\u0301lan", "e\u0301lan"),
        ("हिन्दी", "हिन्दी"),
        ("ไม่", "ไม่"),
        ("x² and ½", "x-and-"),
        ("Ⅻ hours", "ⅻ-hours"),
        ("a\u200db", "ab"),
        ("two\nlines", "twolines"),
        ("!!!", "section"),
        ("", "section"),
    ],
)
def test_an_anchor_is_that_of_github(title: str, anchor: str) -> None:
    assert anchor_of(title) == anchor


@pytest.mark.parametrize(
    ("titles", "expected"),
    [
        (["echo", "echo", "echo 1", "echo-1", "echo"], ["echo", "echo-1", "echo-1-1", "echo-1-2", "echo-2"]),
        (["foxtrot-1", "foxtrot", "foxtrot"], ["foxtrot-1", "foxtrot", "foxtrot-2"]),
        (["Tea", "tea", "TEA!"], ["tea", "tea-1", "tea-2"]),
        (["?", "!"], ["section", "section-1"]),
    ],
)
def test_an_anchor_that_comes_again_is_told_apart_as_github_does(titles: list[str], expected: list[str]) -> None:
    assert unique_anchors(titles) == expected


@pytest.mark.parametrize("letter", ["a", "é", "你", "\U00020000"])
def test_an_anchor_fits_into_a_file_name_and_is_cut_between_letters(letter: str) -> None:
    anchor = anchor_of(letter * 300)

    assert anchor == letter * (200 // len(letter.encode()))


@pytest.mark.parametrize(
    "text",
    [
        "Tea\n===\n\nGreen.\n",
        "Tea\n---\n\nGreen.\n",
        "# Tea #\n\nGreen.\n",
        "   ###### Tea\nGreen.\n",
        "# Tea\nGreen.",
    ],
)
def test_every_form_of_a_heading_is_one(text: str) -> None:
    assert outline(text) == [("tea", "Tea", (), "Green.")]


@pytest.mark.parametrize(
    ("heading", "title", "anchor"),
    [
        ("# A **bold** tea", "A bold tea", "a-bold-tea"),
        ("# [Tea](https://kitchen.example) leaves", "Tea leaves", "tea-leaves"),
        ("# `code` of tea", "code of tea", "code-of-tea"),
        ("# Tea &amp; milk \\* cups", "Tea & milk * cups", "tea--milk--cups"),
        ("# ![a pot](pot.png) Tea", "Tea", "-tea"),
        ("Tea and\nmilk\n===", "Tea and milk", "tea-andmilk"),
        ("# Tea <b>hot</b>", "Tea <b>hot</b>", "tea-bhotb"),
        ("#", "Untitled", "section"),
    ],
)
def test_a_title_is_what_a_reader_sees(heading: str, title: str, anchor: str) -> None:
    assert outline(f"{heading}\n\nGreen.\n") == [(anchor, title, (), "Green.")]


@pytest.mark.parametrize(
    "block",
    [
        "- # Cups",
        "1. Cups\n   ===",
        "> # Cups",
        "```\n# Cups\n```",
        "~~~\n# Cups",
        "tea\n\n    # Cups",
        "#Cups",
        "####### Cups",
        "\\# Cups",
        "***",
        "| a |\n| --- |\n| # Cups |",
    ],
    ids=[
        "list",
        "list setext",
        "quote",
        "fence",
        "open fence",
        "indented",
        "no space",
        "seven",
        "escaped",
        "rule",
        "table",
    ],
)
def test_what_looks_like_a_heading_inside_of_something_else_is_text(block: str) -> None:
    assert only_text(f"{block}\n") == block


def test_html_stays_text() -> None:
    assert only_text("<details>\n<b>Hot</b> & <script>alert(1)</script>\n") == (
        "<details>\n<b>Hot</b> & <script>alert(1)</script>"
    )


def test_a_heading_alone_has_no_text_and_ends_at_itself() -> None:
    first, second = parse("# Tea\n\n\n## Cups\n")

    assert [(first.text, first.runs, first.span), (second.text, second.span)] == [("", (), (0, 5)), ("", (8, 15))]


def test_a_trail_names_every_heading_around_whatever_levels_are_left_out() -> None:
    text = "### a\n# b\n### c\n###### d\n#### e\n## f\n"

    assert [section.trail for section in parse(text)] == [(), (), ("b",), ("b", "c"), ("b", "c"), ("b",)]


@pytest.mark.parametrize("text", ["", "\ufeff", "\n\n", " \n\t\n", "---\ntitle: Tea\n---\n"])
def test_a_document_without_text_and_headings_has_no_sections(text: str) -> None:
    assert parse(text) == ()


def test_nothing_before_the_first_heading_makes_no_section() -> None:
    assert anchors("\n\n# Tea\n\nGreen.\n") == ["tea"]


def test_text_before_the_first_heading_is_a_section_that_encloses_nothing() -> None:
    assert outline("Green.\n\n## Cups\n\nWhite.\n") == [
        ("preamble", "Preamble", (), "Green."),
        ("cups", "Cups", (), "White."),
    ]


def test_the_anchor_of_what_has_no_heading_gives_way_to_that_of_a_heading() -> None:
    assert anchors("---\ntitle: Tea\n---\nGreen.\n\n# Tea\n\n# Tea\n") == ["tea-2", "tea", "tea-1"]


@pytest.mark.parametrize(
    ("front", "title"),
    [
        ("title: Tea", "Tea"),
        ("title: 'Tea: hot'", "Tea: hot"),
        ('title: "Tea"', "Tea"),
        ("# a comment\nlayout: page\ntags:\n- tea\n- pot\nmap: {\n}\n\ntitle:   Tea  ", "Tea"),
        ("description: |\n  title: cups\ntitle: Tea", "Tea"),
        ("layout: page", "Preamble"),
        ("title:", "Preamble"),
        ("", "Preamble"),
    ],
)
def test_front_matter_is_left_out_and_its_title_is_kept(front: str, title: str) -> None:
    assert [(section.title, section.text) for section in parse(f"---\n{front}\n---\nGreen.\n")] == [(title, "Green.")]


@pytest.mark.parametrize(
    "text",
    [
        "---\ntitle: Tea\n\nGreen.",
        "---\n\nHot tea is green.\n\n---\n\nGreen.",
        "\n---\ntitle: Tea\n\n---\n\nGreen.",
    ],
    ids=["not closed", "prose between rules", "not at the top"],
)
def test_what_is_no_front_matter_is_text(text: str) -> None:
    assert [section.text for section in parse(text)] == [text.strip()]


def test_line_ends_of_two_bytes_change_no_text() -> None:
    assert outline(GUIDE.replace("\n", "\r\n")) == outline(GUIDE)


def test_a_byte_order_mark_is_passed_over() -> None:
    assert outline("\ufeff" + GUIDE) == outline(GUIDE)


def test_a_lone_carriage_return_moves_no_heading() -> None:
    assert outline("# Tea\rGreen.\n\nHot.\n\n# Cups\n") == [
        ("tea-green", "Tea Green.", (), "Hot."),
        ("cups", "Cups", (), ""),
    ]


def test_fenced_code_is_one_block_blank_lines_and_all() -> None:
    text = parse(GUIDE)[1].text

    assert [(text[one.start : one.end], one.kind) for one in split_sentences(text)] == [
        ("Warm the pot before the leaves are put in.", "sentence"),
        ("```sh\n# no heading\nbrew --minutes 3\n\npour\n```", "block"),
    ]


def test_only_a_section_that_states_something_has_sentences() -> None:
    assert [section.has_sentences for section in parse(GUIDE)] == [True, True, False, False, False]


def garbled() -> Iterator[str]:
    """A few hundred texts that no author wrote: shuffled, cut, sprinkled, with other line ends."""
    chance = random.Random(7763)
    for _ in range(100):
        lines = GUIDE.splitlines(keepends=True)
        yield "".join(chance.sample(lines, len(lines)))
        start, end = sorted(chance.sample(range(len(GUIDE)), 2))
        yield GUIDE[start:end]
        letters = list(GUIDE)
        for place in chance.sample(range(len(GUIDE)), 40):
            letters[place] = chance.choice(STRANGE)
        yield "".join(letters)
        yield "".join(chance.choice(STRANGE + "\n#") for _ in range(80))


def test_any_text_is_parsed_and_every_text_and_sentence_slices_back_out_of_the_bytes() -> None:
    seen = 0
    for source in (text.encode() for text in garbled()):
        sections = parse_markdown("tea", source)
        places = [byte for section in sections for byte in section.span]
        seen += len(sections)
        for section in sections:
            spans = [(0, len(section.text)), *((one.start, one.end) for one in split_sentences(section.text))]
            assert [slice_source(section, source, span) for span in spans] == [section.text[a:b] for a, b in spans]
        assert places == sorted(places)
    assert seen > 700


def test_ids_are_unique_in_any_text() -> None:
    for text in garbled():
        ids = [section.id for section in parse(text)]

        assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("marker", ["- ", "> "])
def test_a_heading_behind_deep_nesting_is_found(marker: str) -> None:
    assert anchors(marker * 40 + "# Cups\n\n# Tea\n") == ["preamble", "tea"]


@pytest.mark.parametrize("marker", ["- ", "> ", "[", "*a _b ", "`", "![a]("])
def test_nesting_without_end_is_parsed_and_no_text_is_lost(marker: str) -> None:
    text = "# Tea\n\n" + marker * 3000 + "\nGreen."

    assert next(section.text for section in parse(text)).endswith("\nGreen.")
