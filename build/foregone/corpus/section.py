"""Sections: the unit that is retrieved, cited and published, and the map from its text to the bytes of its source."""

import re
from dataclasses import dataclass

from foregone.digest import Digest, digest_bytes

NUMBER = re.compile(r"(?:\d+|[A-Z])(?:\.\d+)*(?:-\d+)?")
"""What a reader takes for a section number; an anchor is none."""
Span = tuple[int, int]
"""Half-open: (start, end)."""


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of published text that stands letter by letter, as UTF-8, in the source."""

    text_start: int
    """Code points from the start of the published text."""
    byte_start: int
    """Bytes from the start of the pinned file, its byte order mark counted."""
    length: int
    """Code points."""


@dataclass(frozen=True, slots=True)
class Section:
    """One numbered section without its subsections."""

    id: str
    """e.g. `rfc9110#9.2.1`; unique in the corpus."""
    document: str
    number: str
    """e.g. `9.2.1` or `A`."""
    title: str
    trail: tuple[str, ...]
    """Number and title of every section around it, outermost first, e.g. ('9 Methods', '9.2 Common Properties')."""
    text: str
    """Published text: page breaks and indents taken out, line-end hyphens joined; empty for a heading alone."""
    runs: tuple[Run, ...]
    """In order of text; what stands between two runs in `text` is a separator that has no bytes of its own."""
    span: Span
    """Bytes of the pinned file from the heading to the end of the body."""
    has_sentences: bool
    """False for pure ABNF, art, addresses and references: nothing there can be quoted as a statement."""

    @property
    def digest(self) -> Digest:
        """The digest of the published text."""
        return digest_bytes(self.text.encode())

    @property
    def heading(self) -> str:
        """The heading as embedders and readers see it, e.g. `RFC 9110 §9.2.1 Safe Methods`."""
        place = f"§{self.number} " if NUMBER.fullmatch(self.number) else ""
        return f"{document_label(self.document)} {place}{self.title}".rstrip()


def document_label(document: str) -> str:
    """How a document is called in prose.

    >>> document_label("rfc9110")
    'RFC 9110'
    """
    digits = document.removeprefix("rfc")
    return f"RFC {digits}" if digits.isdigit() else document


def byte_span(section: Section, span: Span) -> Span:
    """The bytes of the pinned file from the first to the last letter of `section.text[span]`; the span is not empty."""
    start, end = span
    first = next(run for run in section.runs if run.text_start + run.length > start)
    last = next(run for run in reversed(section.runs) if run.text_start < end)
    return (
        _byte_offset(section.text, first, max(start, first.text_start)),
        _byte_offset(section.text, last, min(end, last.text_start + last.length)),
    )


def slice_source(section: Section, source: bytes, span: Span) -> str:
    """`section.text[span]` read back from the bytes of the pinned file, run by run."""
    start, end = span
    parts: list[str] = []
    position = start
    for run in section.runs:
        low, high = max(start, run.text_start), min(end, run.text_start + run.length)
        if low < high:
            parts.append(section.text[position:low])
            parts.append(_run_bytes(section, source, run, (low, high)).decode())
            position = high
    return "".join(parts) + section.text[position:end]


def _run_bytes(section: Section, source: bytes, run: Run, span: Span) -> bytes:
    return source[_byte_offset(section.text, run, span[0]) : _byte_offset(section.text, run, span[1])]


def _byte_offset(text: str, run: Run, position: int) -> int:
    return run.byte_start + len(text[run.text_start : position].encode())
