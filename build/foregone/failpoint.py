"""A way for tests to stop the program dead: SIGKILL at a chosen step, as a crash or a lost machine would."""

import os
import re
import signal
from collections.abc import Callable, Mapping
from itertools import count

from foregone.errors import Misused

FAILPOINT = "FOREGONE_FAILPOINT"
"""Number of the step, from 1, at which this process is killed."""


def failpoint(environment: Mapping[str, str]) -> Callable[[str], None]:
    """Takes steps as they are done; does nothing unless FAILPOINT is set; Misused where that is no number of a step."""
    chosen = _number(environment.get(FAILPOINT))
    steps = count(1)

    def step(_: str) -> None:
        if chosen is not None and next(steps) == chosen:
            os.kill(os.getpid(), signal.SIGKILL)

    return step


def _number(text: str | None) -> int | None:
    if text is None:
        return None
    if not re.fullmatch("[1-9][0-9]{0,8}", text):
        raise Misused(
            "bad-failpoint",
            f"{FAILPOINT} is {text!r}",
            where=f"the environment variable {FAILPOINT}",
            why=("expected the number of a step, from 1",),
            mend="unset it: it is there for tests alone",
        )
    return int(text)
