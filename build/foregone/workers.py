"""Spreading work over processes: the same results in the same order for any number of them."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

Result = TypeVar("Result")

BATCHES_PER_WORKER = 4
"""Smaller batches even out, larger ones send what they share less often."""


@dataclass(frozen=True, slots=True)
class Workers:
    """How many processes work, and what is told of their progress."""

    count: int
    """1: everything runs in this process."""
    advance: Callable[[int], None]
    """Told how many ids each finished batch had."""

    def map_batches(self, work: Callable[[tuple[str, ...]], Result], ids: Sequence[str]) -> Iterable[Result]:
        """`work` applied to consecutive batches of `ids`; results in order. `work` must be picklable."""
        batches = self._cut(ids)
        if self.count == 1:
            yield from self._counted(map(work, batches), batches)
            return
        with ProcessPoolExecutor(self.count) as executor:
            yield from self._counted(executor.map(work, batches), batches)

    def _cut(self, ids: Sequence[str]) -> list[tuple[str, ...]]:
        size = max(1, -(-len(ids) // (self.count * BATCHES_PER_WORKER)))
        return [tuple(ids[start : start + size]) for start in range(0, len(ids), size)]

    def _counted(self, results: Iterable[Result], batches: list[tuple[str, ...]]) -> Iterable[Result]:
        for result, batch in zip(results, batches, strict=True):
            self.advance(len(batch))
            yield result
