"""The fixed question set, `eval/questions.yaml`."""

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from foregone.digest import Digest, digest_text
from foregone.located import Located, Source, load_yaml

QUESTION_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
KINDS = ("definition", "how", "when", "which", "edge-case", "comparison", "why")
MAX_QUESTIONS = 100_000
MAX_TEXT = 2000
"""Code points of a question."""

RefusalState = Literal["partial", "unsupported"]


@dataclass(frozen=True, slots=True)
class Question:
    """One question and what is known of its answer."""

    id: str
    """e.g. `etag-weak-or-strong`; part of URLs."""
    text: str
    topic: str
    kind: str
    """One of KINDS."""
    sections: tuple[str, ...]
    """Section ids that support the answer; empty where the corpus does not answer it."""
    match: Literal["any", "all"]
    """Whether each section alone answers, or all are needed together."""
    state: RefusalState | None
    """For a question that the corpus does not answer: the state that it must land in."""
    why: str | None
    """For such a question: what is missing, in one line."""

    @property
    def answerable(self) -> bool:
        """Whether the corpus answers the question."""
        return bool(self.sections)


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """All questions, in the order of the file."""

    questions: tuple[Question, ...]
    source: Source = field(repr=False)
    """The file."""
    digest: Digest
    """Of the file."""

    @property
    def path(self) -> Path:
        """Where the file is."""
        return self.source.path

    def where(self, question: str) -> str:
        """`path:line` of a question of the set."""
        place = next(place for place, one in enumerate(self.questions) if one.id == question)
        return Located(None, self.source, ("questions", place)).where

    @property
    def vectors_digest(self) -> Digest:
        """Over ids and texts: what the question vectors depend on."""
        return digest_text("".join(f"{question.id} {question.text}\n" for question in self.questions))


def load_questions(path: Path, section_ids: Collection[str]) -> QuestionSet:
    """The question set at `path`; Refused with file and line where it is not well formed or names an unknown section."""
    located = load_yaml(path, mend="write the question set there, see docs/inputs.md")
    top = located.mapping(required=("format", "questions"))
    top["format"].integer(1, 1)
    entries = top["questions"].items()
    if not 0 < len(entries) <= MAX_QUESTIONS:
        top["questions"].refuse(
            "no-questions" if not entries else "too-many-questions",
            f"the question set has {len(entries)} questions",
            why=(f"expected 1 to {MAX_QUESTIONS:,}",),
            mend="write at least one question",
        )
    seen: set[str] = set()
    return QuestionSet(
        tuple(_question(entry, section_ids, seen) for entry in entries),
        located.source,
        digest_text(located.source.text),
    )


def _question(entry: Located, section_ids: Collection[str], seen: set[str]) -> Question:
    fields = entry.mapping(required=("id", "text", "topic", "kind"), optional=("sections", "match", "state", "why"))
    if "state" in fields and "sections" in fields:
        entry.refuse(
            "two-expectations",
            f"{entry.name} has both sections and a state",
            mend="give sections where the corpus answers the question, a state where it does not",
        )
    answerable = "sections" in fields
    expected = _answerable(entry, fields, section_ids) if answerable else ()
    state, why = (None, None) if answerable else _refusal(entry, fields)
    return Question(
        id=_id(fields["id"], seen),
        text=_text(fields["text"]),
        topic=_text(fields["topic"]),
        kind=fields["kind"].one_of(*KINDS),
        sections=expected,
        match="all" if "match" in fields and fields["match"].one_of("any", "all") == "all" else "any",
        state=state,
        why=why,
    )


def _id(field: Located, seen: set[str]) -> str:
    name = field.string()
    if not QUESTION_ID.fullmatch(name):
        field.refuse(
            "bad-value",
            f"the question id is {name!r}",
            why=("expected lower-case letters, digits and hyphens, at most 64",),
            mend="choose such an id: it stands in the answer's URL",
        )
    if name in seen:
        field.refuse("duplicate-id", f"the question id {name!r} stands twice", mend="give each question its own id")
    seen.add(name)
    return name


def _text(field: Located) -> str:
    text = field.string()
    if len(text) > MAX_TEXT:
        field.refuse(
            "too-long",
            f"{field.name} has {len(text):,} characters",
            why=(f"at most {MAX_TEXT:,}",),
            mend="shorten the text",
        )
    return " ".join(text.split())


def _answerable(entry: Located, fields: dict[str, Located], section_ids: Collection[str]) -> tuple[str, ...]:
    if "why" in fields:
        fields["why"].refuse("two-expectations", f"{entry.name} is answerable and has a why", mend="remove the why")
    sections = fields["sections"].items()
    if not sections:
        fields["sections"].refuse(
            "no-sections",
            f"{entry.name} lists no section",
            mend="list the sections that answer it, or give the state that it must land in",
        )
    for section in sections:
        if section.string() not in section_ids:
            section.refuse(
                "unknown-section",
                f"{section.name} is {section.value!r}",
                why=("the corpus has no such section with text",),
                mend="`foregone corpus sections` lists them",
            )
    return tuple(section.string() for section in sections)


def _refusal(entry: Located, fields: dict[str, Located]) -> tuple[RefusalState, str]:
    if "state" not in fields:
        entry.refuse(
            "no-expectation",
            f"{entry.name} has neither sections nor a state",
            mend="list the sections that answer it, or give the state that it must land in",
        )
    if "match" in fields:
        fields["match"].refuse("two-expectations", f"{entry.name} has a match but no sections", mend="remove the match")
    if "why" not in fields:
        entry.refuse("missing-key", f"{entry.name} has no 'why'", mend="say in one line what the corpus lacks")
    state = fields["state"].one_of("partial", "unsupported")
    return ("partial" if state == "partial" else "unsupported"), _text(fields["why"])
