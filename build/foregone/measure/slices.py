"""Parts of the question set: by topic, by kind, and by the documents that answer."""

from collections.abc import Iterator, Sequence

from foregone.retrieve.questions import Question

SLICES = ("document", "kind", "topic")


def slice_questions(questions: Sequence[Question]) -> dict[str, dict[str, tuple[Question, ...]]]:
    """Slice -> its part -> questions, parts by name.

    A question that sections of two documents answer is in both; one that the corpus does not answer is in none of the
    documents.
    """
    return {name: _parts(name, questions) for name in SLICES}


def _parts(name: str, questions: Sequence[Question]) -> dict[str, tuple[Question, ...]]:
    parts: dict[str, list[Question]] = {}
    for question in questions:
        for part in _parts_of(name, question):
            parts.setdefault(part, []).append(question)
    return {part: tuple(found) for part, found in sorted(parts.items())}


def _parts_of(name: str, question: Question) -> Iterator[str]:
    match name:
        case "document":
            yield from dict.fromkeys(section.split("#", 1)[0] for section in question.sections)
        case "kind":
            yield question.kind
        case _:
            yield question.topic
