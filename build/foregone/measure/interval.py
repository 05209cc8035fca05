"""Intervals of confidence for figures of small sets."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

Z = 1.959963984540054
"""The 97.5 % quantile of the normal distribution: intervals are of 95 %."""
RESAMPLES = 10_000
SEED = 20_261_201


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure between its bounds."""

    value: float
    low: float
    high: float
    n: int
    """What it was measured on."""


def wilson(hits: int, n: int) -> Interval:
    """The rate `hits / n` with its score interval (Wilson, JASA 22, 1927); `n` is at least 1.

    >>> [round(bound, 2) for bound in (wilson(18, 20).low, wilson(18, 20).high)]
    [0.7, 0.97]
    """
    rate = hits / n
    centre = rate + Z * Z / (2 * n)
    spread = Z * sqrt(rate * (1 - rate) / n + Z * Z / (4 * n * n))
    scale = 1 + Z * Z / n
    return Interval(rate, max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale), n)


def bootstrap_mean(values: Sequence[float]) -> Interval:
    """The mean of `values` with its percentile bootstrap interval (Efron, 1979); the same for the same values."""
    table = np.array(values)
    places = np.random.default_rng(SEED).integers(0, len(table), size=(RESAMPLES, len(table)))
    low, high = np.percentile(table[places].mean(axis=1), [2.5, 97.5])
    return Interval(float(table.mean()), float(low), float(high), len(table))
