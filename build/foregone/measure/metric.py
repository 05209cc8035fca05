"""One figure: a value with its interval and denominator, or the reason why it was not measured.

Never a silent zero and never NaN: what nothing stands below the line of is not measured.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from foregone.measure.interval import Interval, bootstrap_mean, wilson

Status = Literal["measured", "not_measured"]
DECIMALS = 6
"""Of every published figure."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A figure of the results files."""

    value: float | None
    n: int
    """What it was measured on."""
    low: float | None
    """Bounds of the 95 % interval; None: a figure that has none."""
    high: float | None
    reason: str | None
    """Why it was not measured; None: it was."""

    @property
    def status(self) -> Status:
        """Whether there is a value."""
        return "not_measured" if self.value is None else "measured"

    def as_json(self) -> dict[str, Any]:
        """As it is published."""
        return {
            "value": rounded(self.value),
            "n": self.n,
            "low": rounded(self.low),
            "high": rounded(self.high),
            "status": self.status,
            "reason": self.reason,
        }


def rate(hits: int, n: int, *, nothing: str) -> Metric:
    """`hits` of `n` with its Wilson interval; `nothing` says why there is none where `n` is 0.

    >>> rate(0, 0, nothing="no question is answerable").status
    'not_measured'
    """
    return _of_interval(wilson(hits, n)) if n else not_measured(nothing)


def mean(values: Sequence[float], *, nothing: str) -> Metric:
    """The mean of `values` with its bootstrap interval; `nothing` says why there is none where there are no values."""
    return _of_interval(bootstrap_mean(values)) if values else not_measured(nothing)


def plain(value: float | None, n: int, *, nothing: str) -> Metric:
    """A figure without an interval."""
    return not_measured(nothing) if value is None else Metric(value, n, None, None, None)


def not_measured(reason: str) -> Metric:
    """No figure, and why."""
    return Metric(None, 0, None, None, reason)


def rounded(value: float | None) -> float | None:
    """`value` as it is published."""
    return None if value is None else round(value, DECIMALS)


def _of_interval(interval: Interval) -> Metric:
    return Metric(interval.value, interval.n, interval.low, interval.high, None)
