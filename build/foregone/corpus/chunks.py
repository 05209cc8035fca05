"""Chunks: overlapping windows of a section's words, the unit that a retrieval leg scores."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from foregone.corpus.section import Section, Span
from foregone.corpus.sentences import plain
from foregone.digest import Digest, digest_text

WORD = re.compile(r"\S+")

Weigh = Callable[[str, Sequence[Span]], Sequence[int]]
"""Text and the spans of its words -> how much of a chunk each word takes up, e.g. its word pieces."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A window of one section; it never crosses into another."""

    section: str
    """Section id."""
    span: Span
    """Code points of the section's published text."""
    text: str
    """What is indexed: the heading as prefix and the words on one line."""

    @property
    def digest(self) -> Digest:
        """The digest of the indexed text: a chunk with the same one need not be embedded again."""
        return digest_text(self.text)


def count_words(text: str, spans: Sequence[Span]) -> Sequence[int]:
    """Each word weighs one: the Weigh of chunks that are measured in words."""
    del text
    return [1] * len(spans)


def chunk_sections(sections: Iterable[Section], size: int, overlap: int, weigh: Weigh) -> tuple[Chunk, ...]:
    """The chunks of every section that has text, in order of the sections."""
    return tuple(chunk for section in sections for chunk in _chunk_section(section, size, overlap, weigh))


def make_chunk(section: Section, span: Span) -> Chunk:
    """The chunk of `section` at `span` of its published text."""
    return Chunk(section.id, span, f"{section.heading}. {plain(section.text[slice(*span)])}")


def _chunk_section(section: Section, size: int, overlap: int, weigh: Weigh) -> list[Chunk]:
    words = _words(section)
    weights = weigh(section.text, words)
    windows = cut_windows(weights, size, overlap)
    return [make_chunk(section, (words[first][0], words[last - 1][1])) for first, last in windows]


def _words(section: Section) -> list[Span]:
    """Spans of what stands between white space on the lines of the source, so a word broken at a line end is two."""
    return [
        match.span()
        for run in section.runs
        for match in WORD.finditer(section.text, run.text_start, run.text_start + run.length)
    ]


def cut_windows(weights: Sequence[int], size: int, overlap: int) -> list[Span]:
    """Half-open windows over `weights`, each of sum at most `size` (or one word), sharing at most `overlap`.

    The last window ends at the last weight. Less is shared where a heavy word needs the room.

    >>> cut_windows([1] * 10, 4, 1)
    [(0, 4), (3, 7), (6, 10)]
    """
    windows: list[Span] = []
    sums = [0, *accumulate(weights)]
    first, last = 0, 0
    while last < len(weights):
        shared = min(overlap, size - weights[last])
        while first < last and sums[last] - sums[first] > shared:
            first += 1
        last += 1
        while last < len(weights) and sums[last + 1] - sums[first] <= size:
            last += 1
        windows.append((first, last))
        first += 1
    return windows
