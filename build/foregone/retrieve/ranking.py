"""Rankings of sections: each leg's, and their fusion."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class ScoredSection:
    """One place of a ranking."""

    section: str
    """Section id."""
    score: float


Ranking = tuple[ScoredSection, ...]
"""Best first; ties by section id."""


def rank_sections(chunk_sections: Sequence[str], scores: npt.NDArray[np.float64], floor: float | None) -> Ranking:
    """Every section by the score of its best chunk; sections at or below `floor` are absent.

    `scores`: (n_chunks,) float64, in the order of `chunk_sections`.
    """
    best: dict[str, float] = {}
    for section, score in zip(chunk_sections, scores.tolist(), strict=True):
        if score > best.get(section, -np.inf):
            best[section] = score
    return _sorted({section: score for section, score in best.items() if floor is None or score > floor})


def fuse(rankings: Sequence[Ranking], k: int) -> Ranking:
    """Reciprocal rank fusion: the sum of 1/(k + rank), rank from 1, absent = 0 (Cormack et al., SIGIR 2009).

    >>> a, b = (ScoredSection("x", 2.0), ScoredSection("y", 1.0)), (ScoredSection("y", 0.5),)
    >>> [place.section for place in fuse([a, b], 10)]
    ['y', 'x']
    """
    total: dict[str, float] = {}
    for ranking in rankings:
        for rank, place in enumerate(ranking, start=1):
            total[place.section] = total.get(place.section, 0.0) + 1.0 / (k + rank)
    return _sorted(total)


def ranks_of(ranking: Ranking) -> dict[str, int]:
    """Section id -> rank, from 1."""
    return {place.section: rank for rank, place in enumerate(ranking, start=1)}


def _sorted(scores: Mapping[str, float]) -> Ranking:
    ordered = sorted(scores.items(), key=lambda entry: (-entry[1], entry[0]))
    return tuple(ScoredSection(section, score) for section, score in ordered)
