"""One command at a time: the one module that imports filelock."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from foregone.errors import Refused


@contextmanager
def sole(work: Path, what: str) -> Iterator[None]:
    """Hold the lock `what` of the project's work folder; Refused at once where another process holds it.

    The system releases it when the process ends, however it ends.
    """
    work.mkdir(parents=True, exist_ok=True)
    path = work / f"{what.replace(' ', '-')}.lock"
    try:
        with FileLock(path).acquire(timeout=0):
            yield
    except Timeout as error:
        raise Refused(
            "busy",
            f"another `foregone {what}` is running on this project",
            where=str(path),
            mend="wait until it ends, then run this again",
        ) from error
