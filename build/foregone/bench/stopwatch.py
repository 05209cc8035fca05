"""Timing a function: several runs, the median and the worst."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds of several runs."""

    seconds: tuple[float, ...]

    def in_words(self, unit: str = "ms") -> str:
        """Median and worst, e.g. `0.12 ms (worst 0.30 ms, 5 runs)`."""
        scale = {"s": 1.0, "ms": 1e3, "us": 1e6}[unit]
        middle, worst = median(self.seconds) * scale, max(self.seconds) * scale
        return f"{middle:.3g} {unit} (worst {worst:.3g} {unit}, {len(self.seconds)} runs)"


def time_runs(function: Callable[[], object], runs: int) -> Times:
    """The times of `runs` calls, after one that is not counted."""
    function()
    return Times(tuple(_time(function) for _ in range(runs)))


def _time(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start
