"""Which release is served: the last one that was whole when it became current."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from foregone.errors import Refused
from foregone.release.publish import read_current
from foregone.release.verify import verify_release

Signature = tuple[int, int, int]
"""Inode, size and nanoseconds of change of `current.json`."""


@dataclass(frozen=True, slots=True)
class Served:
    """The release that a request reads from its first byte to its last."""

    release: str
    folder: Path
    pointer: bytes
    """`current.json` as it stood when this release became the served one."""


class CurrentSite:
    """Follows `current.json`; may be asked from several threads at once."""

    def __init__(self, dist: Path, report: Callable[[str], None]) -> None:
        self._dist = dist
        self._report = report
        self._lock = threading.Lock()
        self._seen: Signature | None = None
        self._served: Served | None = None

    def acquire(self) -> Served | None:
        """The release for one request; None: nothing whole was published yet.

        A pointer that has moved is followed once every file of the new release was checked; a release that is not whole
        is reported and passed over, and the one before goes on being served.
        """
        with self._lock:
            signature = self._signature()
            if signature is not None and signature != self._seen:
                self._seen = signature
                self._served = self._follow() or self._served
            return self._served

    def _signature(self) -> Signature | None:
        try:
            stat = (self._dist / "current.json").stat()
        except OSError:
            return None
        return stat.st_ino, stat.st_size, stat.st_mtime_ns

    def _follow(self) -> Served | None:
        try:
            pointer = (self._dist / "current.json").read_bytes()
            kept = read_current(self._dist)[0]
            findings = verify_release(self._dist, kept)
        except (Refused, OSError, IndexError) as error:
            self._report(f"the new release cannot be read and is passed over: {error}")
            return None
        if findings:
            first = findings[0]
            self._report(f"release {kept.release} is not whole and is passed over: {first.kind} {first.path}")
            return None
        if self._served and self._served.release != kept.release:
            self._report(f"serving release {kept.release} from now on")
        return Served(kept.release, self._dist / "v" / kept.release, pointer)
