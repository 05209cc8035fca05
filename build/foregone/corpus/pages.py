"""Lines of an RFC text without its page breaks (RFC 2223 section 3: 58-line pages with footer, form feed and header)."""

import re

from foregone.corpus.lines import Line

FOOTER = re.compile(r"\S.*\[Page (\d+|[ivxlc]+)\]\s*")
SENTENCE_END = re.compile(r"[.!?:;][\")\]']*$")
LIST_ITEM = re.compile(r"\s*([o*+-]|\(?[0-9]{1,2}[.)]|\(?[a-z][.)]|[A-Z]\.|\[[^\]]+\])\s")
NOT_PROSE = re.compile(r"[=|/]\s|\s{3,}\S|^\s*[|+/\\]|%x|::|[{}]|^\s*;|^\s*\S+://\S+$|<[a-z]+>$")
FULL_LINE = 72
"""Columns that RFC text fills (RFC 2223 section 3)."""


def remove_page_breaks(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """`lines` without footers, form feeds and headers.

    A paragraph that runs over a page is joined again; between two paragraphs one blank line is left.
    """
    kept: list[Line] = []
    position = 0
    while position < len(lines):
        if FOOTER.fullmatch(lines[position].text) or "\f" in lines[position].text:
            position = _end_of_break(lines, position)
            _close_gap(kept, lines[position] if position < len(lines) else None)
        else:
            kept.append(lines[position])
            position += 1
    return tuple(kept)


def _end_of_break(lines: tuple[Line, ...], position: int) -> int:
    """The place of the first line of text on the next page."""
    seen_feed = False
    while position < len(lines):
        text = lines[position].text
        if "\f" in text:
            seen_feed = True
            text = text.rpartition("\f")[2]
            if text.strip():
                position += 1
                break
        elif text.strip() and not FOOTER.fullmatch(text):
            position += seen_feed
            break
        position += 1
    while position < len(lines) and not lines[position].text.strip():
        position += 1
    return position


def _close_gap(kept: list[Line], following: Line | None) -> None:
    while kept and not kept[-1].text.strip():
        kept.pop()
    if kept and following is not None and not _is_one_paragraph(kept[-1].text, following.text):
        kept.append(Line("", kept[-1].byte_end))


def _is_one_paragraph(before: str, after: str) -> bool:
    """Whether a paragraph goes on behind a page break: equal indents, and the sentence or the line was not at its end."""
    if _indent(before) != _indent(after) or _indent(after) == 0 or LIST_ITEM.match(after):
        return False
    if NOT_PROSE.search(before.strip()) or NOT_PROSE.search(after.strip()):
        return False
    first_word = after.split(maxsplit=1)[0]
    return not SENTENCE_END.search(before) or len(before.rstrip()) + 1 + len(first_word) > FULL_LINE


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())
