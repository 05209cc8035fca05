"""A slice is a part of the question set; a question stands wherever it belongs."""

from foregone.measure.slices import slice_questions
from tiny_rankings import question_of

POUR = question_of("pour", "teapot#1", "cups#1.2", "teapot#2", topic="teapots", kind="how")
WHISTLE = question_of("whistle", "kettle#2", topic="kettles", kind="when")
COLOUR = question_of("colour", topic="teapots", kind="when")


def test_questions_are_sliced_by_document_kind_and_topic_each_part_by_name() -> None:
    slices = slice_questions([POUR, WHISTLE, COLOUR])

    assert slices == {
        "document": {"cups": (POUR,), "kettle": (WHISTLE,), "teapot": (POUR,)},
        "kind": {"how": (POUR,), "when": (WHISTLE, COLOUR)},
        "topic": {"kettles": (WHISTLE,), "teapots": (POUR, COLOUR)},
    }
    assert [list(parts) for parts in slices.values()] == [
        ["cups", "kettle", "teapot"],
        ["how", "when"],
        ["kettles", "teapots"],
    ]


def test_no_questions_have_no_parts() -> None:
    assert slice_questions([]) == {"document": {}, "kind": {}, "topic": {}}
