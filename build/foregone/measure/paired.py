"""Two runs over the same questions: is a difference more than chance, and how small a one could be seen at all?"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from math import comb, sqrt
from statistics import stdev

import numpy as np
import numpy.typing as npt

ALPHA = 0.05
"""A p-value up to this one counts as more than chance; two-sided everywhere."""
POWER_80 = 2.8
"""Standard errors of a difference that is seen in 80 % of runs: the normal quantiles .975 and .8, 1.96 + 0.84."""
MOST_ENUMERATED = 16
"""Pairs that differ, of which every assignment of signs is tried (65,536); of more, a sample."""
RESAMPLES = 10_000
BLOCK = 1_000
"""Resamples at a time: all at once would take a gigabyte for some thousand questions."""
SEED = 20_261_201
UNIT = 2**40
"""Differences are summed as integers in this unit, so that a sum is the same in every order and on every machine."""

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SignFlip:
    """What the permutation test says of paired differences."""

    differing: int
    """Pairs that are not equal."""
    p: float | None
    """None: no pair differs, so there is nothing to test."""
    exact: bool
    """Whether every assignment of signs was tried."""


def mcnemar(only_a: int, only_b: int) -> float | None:
    """The exact two-sided p-value of so many questions that only one run gets right (McNemar, Psychometrika 12, 1947).

    None where the runs agree on every question.

    >>> mcnemar(6, 0), mcnemar(3, 2)
    (0.03125, 1.0)
    """
    n = only_a + only_b
    if n == 0:
        return None
    tail = sum(comb(n, hits) for hits in range(min(only_a, only_b) + 1))
    return min(1.0, 2 * tail / (1 << n))


def fewest_changes(n: int) -> int | None:
    """The fewest questions of `n` that, changed all one way, are more than chance; None: no change of `n` is.

    >>> fewest_changes(100), fewest_changes(5)
    (6, None)
    """
    fewest = next(changed for changed in count(1) if (mcnemar(changed, 0) or 0.0) <= ALPHA)
    return fewest if fewest <= n else None


def sign_flip(differences: Sequence[float]) -> SignFlip:
    """The two-sided test of a mean difference of 0, by exchanging A and B within pairs (Fisher, 1935, section 21).

    A sampled p-value counts the sample that was observed, so it is never 0 (Phipson and Smyth, SAGMB 9, 2010).
    """
    scaled: Integers = np.rint(np.array(differences, dtype=np.float64) * UNIT).astype(np.int64)
    # The order of the pairs and which run is A must not matter, and a size flips as well as a signed difference does.
    sizes = np.sort(np.abs(scaled[scaled != 0]))
    # Each size is off by at most half a unit: sums that are equal in real numbers stay equal.
    bar = abs(int(scaled.sum())) - len(sizes)
    if len(sizes) == 0:
        return SignFlip(0, None, exact=True)
    if len(sizes) <= MOST_ENUMERATED:
        return SignFlip(len(sizes), float((np.abs(_all_sums(sizes)) >= bar).mean()), exact=True)
    return SignFlip(len(sizes), (1 + _sampled_above(sizes, bar)) / (1 + RESAMPLES), exact=False)


def detectable_mean(differences: Sequence[float]) -> float | None:
    """The mean difference that so many pairs of this spread show in 80 % of runs; None: no pair differs from another.

    >>> detectable_mean([0.0, 0.0, 0.0])
    >>> round(detectable_mean([0.5, -0.5, 0.0, 0.0]), 3)
    0.572
    """
    spread = stdev(differences) if len(differences) > 1 else 0.0
    return POWER_80 * spread / sqrt(len(differences)) if spread else None


def _all_sums(sizes: Integers) -> Integers:
    """The sum under every assignment of signs."""
    sums: Integers = np.zeros(1, dtype=np.int64)
    for size in sizes:
        sums = np.concatenate((sums - size, sums + size))
    return sums


def _sampled_above(sizes: Integers, bar: int) -> int:
    """Of RESAMPLES random assignments of signs: those whose sum is at least `bar` from 0."""
    chance = np.random.default_rng(SEED)
    above = 0
    for _ in range(RESAMPLES // BLOCK):
        signs = 2 * chance.integers(0, 2, size=(BLOCK, len(sizes))) - 1
        above += int((np.abs(signs @ sizes) >= bar).sum())
    return above
