"""Parser for plain text: paragraphs, gathered into sections of a bounded length."""

from foregone.corpus.lines import Line, publish_lines, split_lines
from foregone.corpus.section import Section
from foregone.corpus.sentences import has_sentences

SECTION_WORDS = 300
"""A section is closed by the paragraph that brings it to so many words."""
LONGEST_TITLE = 80
"""Code points."""


def parse_plain_text(document: str, source: bytes) -> tuple[Section, ...]:
    """The sections of `source`, numbered from 1: whole paragraphs in order, titled by their first line.

    Text without blank lines is one paragraph. Any UTF-8 text is parsed without an error.
    """
    gathered = _gather(_paragraphs(split_lines(source)))
    return tuple(_section(document, number, lines) for number, lines in enumerate(gathered, start=1))


def _paragraphs(lines: tuple[Line, ...]) -> list[list[Line]]:
    """Runs of lines with text, the blank line behind each kept with it."""
    paragraphs: list[list[Line]] = []
    is_open = False
    for line in lines:
        if line.text.strip():
            if not is_open:
                paragraphs.append([])
            paragraphs[-1].append(line)
            is_open = True
        elif paragraphs:
            paragraphs[-1].append(line)
            is_open = False
    return paragraphs


def _gather(paragraphs: list[list[Line]]) -> list[list[Line]]:
    sections: list[list[Line]] = []
    words = SECTION_WORDS
    for paragraph in paragraphs:
        if words >= SECTION_WORDS:
            sections.append([])
            words = 0
        sections[-1].extend(paragraph)
        words += sum(len(line.text.split()) for line in paragraph)
    return sections


def _section(document: str, number: int, lines: list[Line]) -> Section:
    text, runs = publish_lines(tuple(lines), join_hyphens=False)
    last = next(line for line in reversed(lines) if line.text.strip())
    title = _title(lines[0].text)
    return Section(
        id=f"{document}#{number}",
        document=document,
        number=str(number),
        title=title,
        trail=(),
        text=text,
        runs=runs,
        span=(lines[0].byte_start, last.byte_end),
        has_sentences=has_sentences("", text),
    )


def _title(line: str) -> str:
    words = " ".join(line.split())
    return words if len(words) <= LONGEST_TITLE else words[: LONGEST_TITLE - 1].rstrip() + "…"
