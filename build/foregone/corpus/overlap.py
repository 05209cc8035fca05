"""Runs of words that a text shares with the corpus: the repository holds no sentence of it."""

import re
from collections.abc import Iterable

from foregone.characters import strip_invisible
from foregone.corpus.section import Section

RUN = 12
"""Words in a row that count as copied."""
EDGE = re.compile(r"^\W+|\W+$")
"""Punctuation around a word: what stands between white space is one word, an address or a field line too."""


def corpus_runs(sections: Iterable[Section]) -> frozenset[int]:
    """Hashes of every run of RUN words of the sections' published texts; of use within one process only."""
    return frozenset(hash(run) for section in sections for run in _runs(section.text))


def copied_run(text: str, runs: frozenset[int]) -> str | None:
    """The first run of RUN words of `text` that stands in the corpus, or None."""
    return next((run for run in _runs(text) if hash(run) in runs), None)


def _runs(text: str) -> Iterable[str]:
    words = [word for word in (EDGE.sub("", part) for part in strip_invisible(text).lower().split()) if word]
    return (" ".join(words[first : first + RUN]) for first in range(len(words) - RUN + 1))
