"""The release token in inputs: pages hold it in the place of their release's id, so no input may.

What is looked through is what was read, not the files: a file may change meanwhile, and an escape sequence in it, the
markup of a heading or the making of an anchor can hide the token or put it together.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path

from foregone.corpus.corpus import Corpus
from foregone.draft.draft import Draft, draft_path
from foregone.errors import Refused
from foregone.render.pages import RELEASE_TOKEN
from foregone.retrieve.questions import QuestionSet
from foregone.settings import Settings


@dataclass(frozen=True, slots=True)
class ReadFiles:
    """What was read of the files that reach pages, and where they lie."""

    settings: Settings
    settings_path: Path
    corpus: Corpus
    questions: QuestionSet
    drafts: Mapping[str, Draft]
    """Question id -> draft."""
    drafts_root: Path


def refuse_tokens(read: ReadFiles) -> None:
    """Refused where anything in `read` holds the release token."""
    _refuse_token(read.settings, read.settings_path)
    manifest = read.corpus.manifest
    _refuse_token((manifest.title, manifest.description), manifest.path)
    for document in manifest.documents:
        # Where its pin stands is the project's folder, whose name is of no matter.
        _refuse_token(replace(document, where=""), manifest.path, f"document {document.id}")
    sources = {document.id: manifest.source_path(document) for document in manifest.documents}
    for section in read.corpus.sections:
        texts = (section.id, section.title, section.trail, section.text)
        _refuse_token(texts, sources[section.document], f"section {section.id}")
    for question in read.questions.questions:
        _refuse_token(question, read.questions.path, f"question {question.id}")
    for question_id, draft in read.drafts.items():
        _refuse_token(draft, draft_path(read.drafts_root, question_id))


def _refuse_token(value: object, path: Path, record: str = "") -> None:
    if any(RELEASE_TOKEN in text for text in _texts(value)):
        raise Refused(
            "release-token",
            f"{record or path} holds the text {RELEASE_TOKEN}",
            where=str(path),
            why=("pages hold it in the place of their release's id, so no input may",),
            mend="write it in another way",
        )


def _texts(value: object) -> Iterator[str]:
    """Every text in a record, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _texts((*value.keys(), *value.values()))
    elif isinstance(value, tuple):
        for part in value:
            yield from _texts(part)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _texts(getattr(value, field.name))
