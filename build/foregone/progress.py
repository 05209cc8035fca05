"""Progress on standard error: the one module that imports tqdm; silent where it is not a terminal."""

import sys
from types import TracebackType
from typing import Self

from tqdm import tqdm


class Progress:
    """A bar that shows what is done of a known total."""

    def __init__(self, title: str, total: int | None = None) -> None:
        self._bar = tqdm(
            desc=title, total=total, disable=None, file=sys.stderr, leave=False, unit="", dynamic_ncols=True
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._bar.close()

    def advance(self, done: int) -> None:
        """So many more are done."""
        self._bar.update(done)

    def reach(self, done: int, total: int) -> None:
        """So many of the total are done."""
        self._bar.total = total
        self._bar.update(done - self._bar.n)

    def step(self, title: str) -> None:
        """A new step begins."""
        self._bar.set_description(title)
