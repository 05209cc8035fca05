"""Sentences are what can be quoted: they end where a reader would end them, and blocks are quoted whole."""

import pytest

from foregone.corpus.sentences import has_sentences, plain, split_sentences


def sentences(text: str) -> list[str]:
    return [text[sentence.start : sentence.end] for sentence in split_sentences(text)]


def kinds(text: str) -> list[str]:
    return [sentence.kind for sentence in split_sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The tea is hot.  The cup is not.", ["The tea is hot.", "The cup is not."]),
        ("Is the tea hot?  It is!  The cup is not.", ["Is the tea hot?", "It is!", "The cup is not."]),
        ("The tea is\nhot.  The cup is not.", ["The tea is\nhot.", "The cup is not."]),
        ('She calls it "hot."  He does not.', ['She calls it "hot."', "He does not."]),
        ("The tea is hot (too hot.)  The cup is not.", ["The tea is hot (too hot.)", "The cup is not."]),
        ('The tea is hot.  "Pour it," he says.', ["The tea is hot.", '"Pour it," he says.']),
        ("The tea is hot.  [1] says otherwise.", ["The tea is hot.", "[1] says otherwise."]),
        ("The tea is hot.  200 ml are enough.", ["The tea is hot.", "200 ml are enough."]),
        ("The tea is hot.  but not too hot.", ["The tea is hot.  but not too hot."]),
    ],
)
def test_a_sentence_ends_at_its_mark_before_a_capital_a_digit_or_a_bracket(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Teas, e.g. Assam, are black.",
        "The best tea, i.e. Assam, is black.",
        "The pot is in Fig. 2 of the book.",
        "The pot of J. Boiler is old.",
        "It is said in Sec. 2.5. of the book.",
        "It is said in Section 2.5.1 of the book.",
        "Boiler et al. 1850 is the book.",
        "The file is at kitchen.example/Tea.Txt for all.",
        "The teas, etc. Assam among them, are black.",
    ],
)
def test_a_point_inside_a_sentence_does_not_end_it(text: str) -> None:
    assert sentences(text) == [text]


@pytest.mark.parametrize("marker", ["o", "*", "-", "+", "1.", "12)", "(3)"])
def test_the_marker_of_a_list_item_is_not_part_of_its_sentence(marker: str) -> None:
    text = f"The teas are:\n\n{marker}  the green one, which is mild;\n{marker}  the black one.  It is strong."

    assert sentences(text) == [
        "The teas are:",
        "the green one, which is mild;",
        "the black one.",
        "It is strong.",
    ]


@pytest.mark.parametrize("marker", ["a.", "(b)", "C."])
def test_a_letter_marks_an_item_where_a_paragraph_begins(marker: str) -> None:
    assert sentences(f"{marker}  The tea is hot.  Wait.") == ["The tea is hot.", "Wait."]


def test_a_marker_alone_is_a_block() -> None:
    assert (sentences("*"), kinds("*")) == (["*"], ["block"])


def test_items_of_nested_lists_are_apart() -> None:
    text = "1.  Warm the pot, then:\n\n    *  empty it, and\n\n    *  dry it.\n\n2.  Put the tea in."

    assert sentences(text) == ["Warm the pot, then:", "empty it, and", "dry it.", "Put the tea in."]


def test_a_paragraph_ends_a_sentence_that_has_no_mark() -> None:
    assert sentences("The tea is in the pot\n\nThe pot is hot") == ["The tea is in the pot", "The pot is hot"]


def test_a_boxed_note_is_split_without_the_bars_around_it() -> None:
    text = "|  The tea is hot.  The cup\n|  is not.\n|\n|  The pot is of iron."

    assert sentences(text) == ["The tea is hot.", "The cup\n|  is not.", "The pot is of iron."]


@pytest.mark.parametrize(
    "block",
    [
        'cup = handle bowl\nhandle = "c" / "C"',
        "tea =/ leaf",
        "POUR /tea HTTP/1.1\nHost: kitchen.example\nMilk: none",
        "+------+-----+\n| Tea  | Cup |\n+------+-----+",
        "Tea      Cup      Pot\ngreen    white    iron",
        "Zoë Boiler\n3 Kitchen Lane",
        "https://kitchen.example/tea",
        '{ "tea": "green",\n  "cup": true }',
        "None.",
    ],
    ids=["grammar", "added rule", "message", "table", "columns", "address", "URL", "object", "one word"],
)
def test_grammar_messages_tables_and_addresses_are_blocks(block: str) -> None:
    text = f"The tea is hot.\n\n{block}\n\nThe cup is not."

    assert (sentences(text), kinds(text)) == (
        ["The tea is hot.", block, "The cup is not."],
        ["sentence", "block", "sentence"],
    )


@pytest.mark.parametrize(
    "text",
    [
        "The tea = leaf rule is for the cook, and it is short.",
        "Whoever pours      the tea is the host.",
        "Nobody drinks cold leaves, surely.",
    ],
    ids=["sign in prose", "gap in prose", "no small word"],
)
def test_prose_with_a_sign_of_grammar_is_a_sentence(text: str) -> None:
    assert kinds(text) == ["sentence"]


@pytest.mark.parametrize("text", ["", " \n\n ", "|\n|", "\n|  |\n"])
def test_a_text_without_words_has_no_sentences(text: str) -> None:
    assert split_sentences(text) == ()


@pytest.mark.parametrize(
    ("title", "text", "states"),
    [
        ("Tea", "The tea is hot.", True),
        ("Tea", "tea = leaf\n\nThe rule is for the cook.", True),
        ("Tea", "", False),
        ("Tea", "tea = leaf water", False),
        ("Changes", "None.", False),
        ("Address", "Zoë Boiler\n3 Kitchen Lane", False),
        ("References", "[TEA] Boiler, Z., The Book of the Tea, which is old.", False),
        ("Normative References", "[TEA] Boiler, Z., The Book of the Tea, which is old.", False),
        ("INFORMATIVE REFERENCES", "[TEA] Boiler, Z., The Book of the Tea, which is old.", False),
        ("Cross References", "[TEA] is the book that this is from.", True),
    ],
)
def test_a_section_of_grammar_addresses_or_references_states_nothing(title: str, text: str, *, states: bool) -> None:
    assert has_sentences(title, text) == states


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("The tea\n   is  hot.", "The tea is hot."),
        ("|  The tea\n|  is hot.", "The tea is hot."),
        ("green || black |", "green || black"),
        ("", ""),
    ],
)
def test_plain_text_stands_on_one_line_without_bars(text: str, line: str) -> None:
    assert plain(text) == line


@pytest.mark.parametrize(
    "fence",
    [
        "```\nThe tea is hot.\n\nIt is.\n```",
        "```sh\nThe tea is hot.\n\nIt is.\n```",
        "~~~\nThe tea is hot.\n\n```\nIt is.\n~~~",
        "````\nThe tea is hot.\n```\n\nIt is.\n````",
        "   ```\n   The tea is hot.\n\n   It is.\n   ```",
        "```\nThe tea is hot.\n\n- It is.\n`````",
    ],
    ids=["plain", "with a language", "tildes", "longer", "indented", "closed by more"],
)
def test_fenced_code_is_one_block(fence: str) -> None:
    text = f"The tea is this.\n\n{fence}\n\nThe cup is not."

    assert sentences(text) == ["The tea is this.", fence.strip(), "The cup is not."]
    assert kinds(text) == ["sentence", "block", "sentence"]


def test_fenced_code_without_an_end_reaches_to_the_end() -> None:
    text = "The tea is this.\n```\nThe tea is hot.\n\nThe cup is not."

    assert sentences(text) == ["The tea is this.", "```\nThe tea is hot.\n\nThe cup is not."]


@pytest.mark.parametrize("code", ["```tea``` is the code of it.", "    ``` is a fence.", "The fence is ``` of course."])
def test_what_opens_no_fence_is_a_sentence(code: str) -> None:
    assert sentences(f"{code}\n\nThe cup is not.") == [code.strip(), "The cup is not."]
