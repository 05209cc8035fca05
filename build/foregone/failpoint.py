"""A way for tests to stop the program dead: SIGKILL at a chosen step, as a crash or a lost machine would."""

import os
import signal
from collections.abc import Callable, Mapping
from itertools import count

FAILPOINT = "FOREGONE_FAILPOINT"
"""Number of the step, from 1, at which this process is killed."""


def failpoint(environment: Mapping[str, str]) -> Callable[[str], None]:
    """Takes steps as they are done; does nothing unless FAILPOINT is set."""
    chosen = environment.get(FAILPOINT)
    steps = count(1)

    def step(_: str) -> None:
        if chosen is not None and next(steps) == int(chosen):
            os.kill(os.getpid(), signal.SIGKILL)

    return step
