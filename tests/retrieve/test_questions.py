"""The question set is refused with file and line where it expects the impossible."""

from pathlib import Path

import pytest

from foregone.errors import Refused
from foregone.retrieve.questions import Question, load_questions

SECTIONS = {"kettle#1", "kettle#2", "teapot#1"}
HEAD = "format: 1\nquestions:\n"
WHISTLE = """\
  - id: whistle
    text: When does a kettle whistle?
    topic: kettles
    kind: when
    match: any
    sections: [kettle#2]
"""
COLOUR = """\
  - id: colour
    text: Which colour
      should a teapot be?
    topic: teapots
    kind: which
    state: unsupported
    why: Nothing is said of colours.
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "questions.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_questions_are_read_in_the_order_of_the_file(tmp_path: Path) -> None:
    loaded = load_questions(write(tmp_path, HEAD + WHISTLE + COLOUR), SECTIONS)

    assert loaded.questions == (
        Question(
            "whistle", "When does a kettle whistle?", "kettles", "when", ("kettle#2",), "any", state=None, why=None
        ),
        Question(
            "colour",
            "Which colour should a teapot be?",
            "teapots",
            "which",
            (),
            "any",
            state="unsupported",
            why="Nothing is said of colours.",
        ),
    )
    assert [question.answerable for question in loaded.questions] == [True, False]


def test_all_sections_may_be_needed_and_any_is_the_rule(tmp_path: Path) -> None:
    text = WHISTLE.replace("any", "all").replace("[kettle#2]", "[kettle#2, kettle#1]")
    plain = WHISTLE.replace("whistle\n", "other\n").replace("    match: any\n", "")

    loaded = load_questions(write(tmp_path, HEAD + text + plain), SECTIONS)
    assert [(question.match, question.sections) for question in loaded.questions] == [
        ("all", ("kettle#2", "kettle#1")),
        ("any", ("kettle#2",)),
    ]


def test_vectors_depend_on_ids_texts_and_their_order_alone(tmp_path: Path) -> None:
    def digest(text: str) -> str:
        return load_questions(write(tmp_path, HEAD + text), SECTIONS).vectors_digest

    same = digest(WHISTLE + COLOUR.replace("teapots", "pots").replace("\n      should", " should"))
    changed = [
        digest(COLOUR + WHISTLE),
        digest(WHISTLE.replace("id: whistle", "id: whistles") + COLOUR),
        digest(WHISTLE.replace("a kettle", "the kettle") + COLOUR),
    ]
    assert same == digest(WHISTLE + COLOUR)
    assert len({same, *changed}) == 4


REFUSED: list[tuple[str, str, str]] = [
    (
        "unknown section",
        HEAD + WHISTLE.replace("[kettle#2]", "\n      - kettle#2\n      - kettle#9"),
        (
            "error[unknown-section]: questions[0].sections[1] is 'kettle#9'\n"
            "  --> {0}:10\n"
            "  the corpus has no such section with text\n"
            "  mend: `foregone corpus sections` lists them"
        ),
    ),
    (
        "duplicate id",
        HEAD + WHISTLE + COLOUR.replace("id: colour", "id: whistle"),
        (
            "error[duplicate-id]: the question id 'whistle' stands twice\n"
            "  --> {0}:9\n"
            "  mend: give each question its own id"
        ),
    ),
    (
        "id that no URL holds",
        HEAD + WHISTLE.replace("id: whistle", "id: Whistle?"),
        (
            "error[bad-value]: the question id is 'Whistle?'\n"
            "  --> {0}:3\n"
            "  expected lower-case letters, digits and hyphens, at most 64\n"
            "  mend: choose such an id: it stands in the answer's URL"
        ),
    ),
    (
        "id of 65 letters",
        HEAD + WHISTLE.replace("id: whistle", "id: " + "w" * 65),
        "error[bad-value]: the question id is '" + "w" * 65 + "'\n"
        "  --> {0}:3\n"
        "  expected lower-case letters, digits and hyphens, at most 64\n"
        "  mend: choose such an id: it stands in the answer's URL",
    ),
    (
        "neither sections nor state",
        HEAD + WHISTLE.replace("    match: any\n    sections: [kettle#2]\n", ""),
        (
            "error[no-expectation]: questions[0] has neither sections nor a state\n"
            "  --> {0}:3\n"
            "  mend: list the sections that answer it, or give the state that it must land in"
        ),
    ),
    (
        "refusal without state",
        HEAD + COLOUR.replace("    state: unsupported\n", ""),
        (
            "error[no-expectation]: questions[0] has neither sections nor a state\n"
            "  --> {0}:3\n"
            "  mend: list the sections that answer it, or give the state that it must land in"
        ),
    ),
    (
        "no section listed",
        HEAD + WHISTLE.replace("[kettle#2]", "[]"),
        (
            "error[no-sections]: questions[0] lists no section\n"
            "  --> {0}:8\n"
            "  mend: list the sections that answer it, or give the state that it must land in"
        ),
    ),
    (
        "sections and state",
        HEAD + WHISTLE + "    state: partial\n",
        (
            "error[two-expectations]: questions[0] has both sections and a state\n"
            "  --> {0}:3\n"
            "  mend: give sections where the corpus answers the question, a state where it does not"
        ),
    ),
    (
        "sections and why",
        HEAD + WHISTLE + "    why: Because.\n",
        "error[two-expectations]: questions[0] is answerable and has a why\n  --> {0}:9\n  mend: remove the why",
    ),
    (
        "match without sections",
        HEAD + COLOUR + "    match: all\n",
        "error[two-expectations]: questions[0] has a match but no sections\n  --> {0}:10\n  mend: remove the match",
    ),
    (
        "state without why",
        HEAD + COLOUR.replace("    why: Nothing is said of colours.\n", ""),
        ("error[missing-key]: questions[0] has no 'why'\n  --> {0}:3\n  mend: say in one line what the corpus lacks"),
    ),
    (
        "grounded expected",
        HEAD + COLOUR.replace("unsupported", "grounded"),
        (
            "error[unknown-value]: questions[0].state is 'grounded'\n"
            "  --> {0}:8\n"
            "  expected one of: partial, unsupported\n"
            "  mend: use one of the expected values"
        ),
    ),
    (
        "no_context expected",
        HEAD + COLOUR.replace("unsupported", "no_context"),
        (
            "error[unknown-value]: questions[0].state is 'no_context'\n"
            "  --> {0}:8\n"
            "  expected one of: partial, unsupported\n"
            "  mend: use one of the expected values"
        ),
    ),
    (
        "unknown match",
        HEAD + WHISTLE.replace("match: any", "match: some"),
        (
            "error[unknown-value]: questions[0].match is 'some'\n"
            "  --> {0}:7\n"
            "  expected one of: any, all\n"
            "  mend: use one of the expected values"
        ),
    ),
    (
        "unknown kind",
        HEAD + WHISTLE.replace("kind: when", "kind: whence"),
        (
            "error[unknown-value]: questions[0].kind is 'whence'\n"
            "  --> {0}:6\n"
            "  expected one of: definition, how, when, which, edge-case, comparison, why\n"
            "  mend: use one of the expected values"
        ),
    ),
    (
        "unknown key",
        HEAD + WHISTLE + "    answer: soon\n",
        (
            "error[unknown-key]: questions[0] has an unknown key 'answer'\n"
            "  --> {0}:9\n"
            "  known keys: id, kind, match, sections, state, text, topic, why\n"
            "  mend: remove the key or correct its spelling"
        ),
    ),
    (
        "key twice",
        HEAD + WHISTLE + "    kind: how\n",
        (
            "error[yaml-syntax]: {0} cannot be parsed\n"
            "  --> {0}:9\n"
            "  the key 'kind' stands twice\n"
            "  mend: correct the file at this line"
        ),
    ),
    (
        "blank text",
        HEAD + WHISTLE.replace("When does a kettle whistle?", "' '"),
        "error[blank-text]: questions[0].text is blank or holds a NUL\n  --> {0}:4\n  mend: write the text",
    ),
    (
        "text too long",
        HEAD + WHISTLE.replace("When does a kettle whistle?", "w" * 2001),
        (
            "error[too-long]: questions[0].text has 2,001 characters\n"
            "  --> {0}:4\n"
            "  at most 2,000\n"
            "  mend: shorten the text"
        ),
    ),
    (
        "empty set",
        HEAD.replace("questions:", "questions: []"),
        (
            "error[no-questions]: the question set has 0 questions\n"
            "  --> {0}:2\n"
            "  expected 1 to 100,000\n"
            "  mend: write at least one question"
        ),
    ),
    (
        "no list",
        HEAD,
        "error[wrong-type]: questions is not a list\n  --> {0}:2\n  found nothing\n  mend: write a list",
    ),
    (
        "empty file",
        "",
        "error[wrong-type]: the file is not a mapping\n  --> {0}:1\n  found nothing\n  mend: write a mapping",
    ),
    (
        "a later format",
        (HEAD + WHISTLE).replace("format: 1", "format: 2"),
        ("error[bad-number]: format is 2\n  --> {0}:1\n  expected an integer from 1 to 1\n  mend: write such a number"),
    ),
]


@pytest.mark.parametrize(("text", "message"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_a_question_set_is_refused_with_file_and_line(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path, text)

    with pytest.raises(Refused) as refused:
        load_questions(path, SECTIONS)

    assert str(refused.value) == message.format(path)


def test_a_question_set_that_is_not_there_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "questions.yaml"

    with pytest.raises(Refused) as refused:
        load_questions(path, SECTIONS)

    assert str(refused.value) == (
        f"error[unreadable]: {path} cannot be read\n"
        f"  --> {path}\n"
        "  No such file or directory\n"
        "  mend: write the question set there, see docs/inputs.md"
    )
