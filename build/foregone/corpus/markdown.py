"""Parser for Markdown (CommonMark 0.31 with tables): document bytes become sections by heading.

The only module that imports markdown-it-py. The published text is the Markdown itself, line by line, so that code,
tables and lists stay as they were written and every letter has its byte. HTML is not interpreted.
"""

import re
import unicodedata
from dataclasses import dataclass
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

from foregone.corpus.lines import Line, publish_lines, split_lines
from foregone.corpus.section import Section
from foregone.corpus.sentences import has_sentences

FRONT_MATTER = re.compile(r"---[ \t]*")
FRONT_TITLE = re.compile(r"title:\s*(?:\"([^\"]+)\"|'([^']+)'|(\S.*?))\s*")
FRONT_LINE = re.compile(r"|\s.*|#.*|-(?: .*)?|[\]}].*|[^\s:]+:(?: .*)?")
"""Blank, indented, a comment, an item, a bracket that closes, or a key: other text makes it no front matter."""
IN_ANCHOR = ("L", "M", "Nd", "Nl", "Pc")
"""Unicode categories of the letters that GitHub keeps, besides the space and the hyphen."""
LONGEST_ANCHOR = 200
"""Bytes; an anchor is part of a file name, of which most file systems take 255."""
MAX_NESTING = 100
"""Of blocks, a list counting twice; a heading behind a deeper list belongs to that list."""
PREAMBLE = "Preamble"
"""Title of the text before the first heading."""
BREAKS = ("softbreak", "hardbreak")
SHOWN = ("text", "code_inline", *BREAKS)
"""Types of inline tokens whose content is read; that of an image is not."""
UNTITLED = "Untitled"
"""Title of a heading without words."""


@dataclass(frozen=True, slots=True)
class _Heading:
    """A heading and the lines that it takes up."""

    level: int
    """1 to 6; 0: none, it stands for the text before the first one."""
    words: str
    """As they are shown, line breaks and all; the anchor is made of them."""
    first: int
    """Line, from 0."""
    end: int
    """Line behind its last one."""

    @property
    def title(self) -> str:
        """The words on one line."""
        return " ".join(self.words.split()) or UNTITLED


def parse_markdown(document: str, source: bytes) -> tuple[Section, ...]:
    """The sections of `source` in order: what stands before the first heading, then each heading with its own text.

    A section's number is its anchor as GitHub makes it, `-1`, `-2` behind one that stood before. Front matter is left
    out; its `title` names the text before the first heading, whose anchor gives way to those of headings. Any UTF-8
    text is parsed without an error.
    """
    lines = split_lines(source)
    body_start, title = _front_matter(lines)
    headings = _headings(lines, body_start)
    preamble = _Heading(0, title or PREAMBLE, body_start, body_start)
    *anchors, preamble_anchor = unique_anchors([heading.words for heading in (*headings, preamble)])
    first, *ends = [*(heading.first for heading in headings), len(lines)]
    pieces = list(zip(headings, ends, anchors, _trails(headings), strict=True))
    if _has_text(lines[body_start:first]):
        pieces.insert(0, (preamble, first, preamble_anchor, ()))
    return tuple(
        _section(document, lines[heading.first : end], heading, anchor=anchor, trail=trail)
        for heading, end, anchor, trail in pieces
    )


def anchor_of(title: str) -> str:
    """The anchor that GitHub gives a heading: lower case, punctuation dropped, spaces as hyphens.

    >>> anchor_of("What's new in 2.0?")
    'whats-new-in-20'
    """
    kept = (letter for letter in title.lower() if letter in " -" or unicodedata.category(letter).startswith(IN_ANCHOR))
    anchor = "".join(kept).replace(" ", "-")
    return anchor.encode()[:LONGEST_ANCHOR].decode(errors="ignore") or "section"


def unique_anchors(titles: list[str]) -> list[str]:
    """The anchors of headings in order, a repeated one with `-1`, `-2`, ... behind it."""
    taken: set[str] = set()
    counts: dict[str, int] = {}
    anchors = []
    for title in titles:
        base = anchor = anchor_of(title)
        while anchor in taken:
            counts[base] = counts.get(base, 0) + 1
            anchor = f"{base}-{counts[base]}"
        taken.add(anchor)
        anchors.append(anchor)
    return anchors


def _front_matter(lines: tuple[Line, ...]) -> tuple[int, str | None]:
    """The line where the body begins, and the title that a YAML front matter gives."""
    if not lines or not FRONT_MATTER.fullmatch(lines[0].text):
        return 0, None
    for place, line in enumerate(lines[1:], start=1):
        if FRONT_MATTER.fullmatch(line.text):
            found = (FRONT_TITLE.fullmatch(entry.text) for entry in lines[1:place])
            match = next((match for match in found if match), None)
            return place + 1, next((text for text in match.groups() if text), None) if match else None
        if not FRONT_LINE.fullmatch(line.text):
            break
    return 0, None


def _headings(lines: tuple[Line, ...], start: int) -> list[_Heading]:
    """The headings that stand at the outermost level: none of a list or a quotation."""
    text = "\n".join(line.text.replace("\r", " ") for line in lines[start:])
    tokens = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING}).enable("table").parse(text)
    return [_heading(opening, inline, start) for opening, inline in pairwise(tokens) if _is_heading(opening)]


def _is_heading(token: Token) -> bool:
    return token.type == "heading_open" and token.level == 0 and token.map is not None


def _heading(opening: Token, inline: Token, start: int) -> _Heading:
    assert opening.map is not None
    children = inline.children or ()
    words = "".join("\n" if child.type in BREAKS else child.content for child in children if child.type in SHOWN)
    return _Heading(int(opening.tag[1]), words, start + opening.map[0], start + opening.map[1])


def _trails(headings: list[_Heading]) -> list[tuple[str, ...]]:
    open_headings: list[_Heading] = []
    trails = []
    for heading in headings:
        open_headings = [outer for outer in open_headings if outer.level < heading.level]
        trails.append(tuple(outer.title for outer in open_headings))
        open_headings.append(heading)
    return trails


def _section(
    document: str, lines: tuple[Line, ...], heading: _Heading, *, anchor: str, trail: tuple[str, ...]
) -> Section:
    text, runs = publish_lines(lines[heading.end - heading.first :], join_hyphens=False)
    last = next(line for line in reversed(lines) if line.text.strip())
    return Section(
        id=f"{document}#{anchor}",
        document=document,
        number=anchor,
        title=heading.title,
        trail=trail,
        text=text,
        runs=runs,
        span=(lines[0].byte_start, last.byte_end),
        has_sentences=has_sentences(heading.title, text),
    )


def _has_text(lines: tuple[Line, ...]) -> bool:
    return any(line.text.strip() for line in lines)
