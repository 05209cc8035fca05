"""Sentences of a published text, with their spans."""

import re
from dataclasses import dataclass
from typing import Literal

SPLITTER_VERSION = 1
"""Counted up when spans of sentences change; drafts record it."""

FENCE = re.compile(r"^ {0,3}(`{3,}(?![^\n]*`)|~{3,}).*?(?:^ {0,3}\1`*~*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
"""Fenced code of Markdown (CommonMark 0.31 section 4.5): a block, blank lines and all; code in a line is none."""
BLOCK_BREAK = re.compile(r"\n[ \t|]*\n")
MARKER = re.compile(r"(?:[o*+-]|\(?\d{1,2}[.)]|\(?[a-z][.)]|[A-Z]\.)[ \t]+")
ITEM_START = re.compile(r"\n[ \t|]*(?=(?:[o*+-]|\(?\d{1,2}[.)])[ \t]+\S)")
SENTENCE_BREAK = re.compile(r"[.!?][\"')\]]*(\s[\s|]*)(?=[\"'(\[*_<]*[A-Z0-9])")
ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|cf|vs|al|etc|Fig|No|Sec|St|Jr|Sr|Inc|ed|eds|pp?|[A-Z]))\.$")
REFERENCE_TITLE = re.compile(r"(?:normative |informative )?references", re.IGNORECASE)
CODE_SIGN = re.compile(r"^\s*[A-Za-z][\w-]*\s+=/?\s|^\s*[/+|;<{}\[\]]|\S {3,}\S|^\s*[\w-]+:\s\S", re.MULTILINE)
PLAIN_WORD = re.compile(
    r"\b(?:the|a|an|of|to|is|are|be|in|for|that|this|with|by|and|or|not|as|it|from|has|have|can|may|must|should)\b",
    re.IGNORECASE,
)

Kind = Literal["sentence", "block"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, or a block such as ABNF, a table or art that is quoted only whole."""

    start: int
    """Code points from the start of the published text."""
    end: int
    """Half-open."""
    kind: Kind


def split_sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a published text in order; they do not overlap, and between them stands no word but list markers.

    >>> [sentence.start for sentence in split_sentences("Use it, e.g. Here.  Then stop.")]
    [0, 20]
    """
    sentences: list[Sentence] = []
    position = 0
    for fence in FENCE.finditer(text):
        sentences.extend(_between(text, position, fence.start()))
        sentences.append(Sentence(*_shrink(text, *fence.span()), "block"))
        position = fence.end()
    sentences.extend(_between(text, position, len(text)))
    return tuple(sentences)


def has_sentences(title: str, text: str) -> bool:
    """Whether a section states anything: False for references and where every block is ABNF, art or an address."""
    if REFERENCE_TITLE.fullmatch(title):
        return False
    return any(
        sentence.kind == "sentence" and len(PLAIN_WORD.findall(text[sentence.start : sentence.end])) >= 2
        for sentence in split_sentences(text)
    )


def plain(text: str) -> str:
    r"""`text` on one line: white space folded, the bars of boxed notes taken out.

    >>> plain("A note\n  |  in a box.")
    'A note in a box.'
    """
    return " ".join(word for word in text.split() if word != "|")


def _between(text: str, low: int, high: int) -> list[Sentence]:
    """The sentences of `text[low:high]`, which holds no fenced code."""
    sentences: list[Sentence] = []
    for start, end in _blocks(text, low, high):
        if _is_code(text[start:end]):
            sentences.append(Sentence(start, end, "block"))
        else:
            sentences.extend(Sentence(*span, "sentence") for span in _in_prose(text, start, end))
    return sentences


def _blocks(text: str, low: int, high: int) -> list[tuple[int, int]]:
    """Spans of paragraphs and list items of `text[low:high]`, without the white space and bars around them."""
    breaks = (match.end() for pattern in (BLOCK_BREAK, ITEM_START) for match in pattern.finditer(text, low, high))
    cuts = sorted(set(breaks))
    pieces = zip([low, *cuts], [*cuts, high], strict=True)
    return [span for start, end in pieces for span in (_shrink(text, start, end),) if span[0] < span[1]]


def _in_prose(text: str, start: int, end: int) -> list[tuple[int, int]]:
    marker = MARKER.match(text, start, end)
    spans: list[tuple[int, int]] = []
    low = marker.end() if marker and marker.end() < end else start
    for found in SENTENCE_BREAK.finditer(text, low, end):
        if not ABBREVIATION.search(text, low, found.start() + 1):
            spans.append(_shrink(text, low, found.start(1)))
            low = found.end(1)
    return [*spans, _shrink(text, low, end)]


def _is_code(block: str) -> bool:
    """Whether a block is ABNF, a table, a message or art: its signs, or no plain word, and no end of a sentence."""
    words = PLAIN_WORD.findall(block)
    ends = re.search(r"[.?!:;,][\"')\]]*$", block) is not None
    if not words:
        return not ends or len(block.split()) < 3 or CODE_SIGN.search(block) is not None
    lines = block.count("\n") + 1
    return len(CODE_SIGN.findall(block)) * 2 >= lines and not (ends and len(words) >= 2 * lines)


def _shrink(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and (text[start].isspace() or text[start] == "|"):
        start += 1
    while start < end and (text[end - 1].isspace() or text[end - 1] == "|"):
        end -= 1
    return start, end
