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


@dataclass(frozen=True, slots=True)
class NotServed:
    """Why a request cannot be given a release."""

    why: str
    """In words, e.g. `nothing is published yet: run foregone build`."""


NOTHING_YET = NotServed("nothing is published yet: run foregone build")


class CurrentSite:
    """Follows `current.json`; may be asked from several threads at once."""

    def __init__(self, dist: Path, report: Callable[[str], None]) -> None:
        self._dist = dist
        self._report = report
        self._lock = threading.Lock()
        self._accepted: Signature | None = None
        self._refused = ""
        self._served: Served | NotServed = NOTHING_YET

    def acquire(self) -> Served | NotServed:
        """The release for one request, or why there is none.

        A pointer that has moved is followed once every file of the new release was checked; a release that is not whole
        is reported once and passed over, and the one before goes on being served. It is checked again at each request,
        since a repair in place does not move the pointer.
        """
        with self._lock:
            signature = self._signature()
            if signature is not None and signature != self._accepted:
                found = self._follow()
                if isinstance(found, Served):
                    self._accept(found, signature)
                else:
                    self._refuse(found)
            return self._served

    def _accept(self, found: Served, signature: Signature) -> None:
        if isinstance(self._served, Served) and self._served.release != found.release:
            self._report(f"serving release {found.release} from now on")
        self._served, self._accepted, self._refused = found, signature, ""

    def _refuse(self, found: NotServed) -> None:
        if found.why != self._refused:
            self._report(found.why)
        self._refused = found.why
        if isinstance(self._served, NotServed):
            self._served = found

    def _signature(self) -> Signature | None:
        try:
            stat = (self._dist / "current.json").stat()
        except OSError:
            return None
        return stat.st_ino, stat.st_size, stat.st_mtime_ns

    def _follow(self) -> Served | NotServed:
        try:
            pointer = (self._dist / "current.json").read_bytes()
            kept = read_current(self._dist)[0]
            findings = verify_release(self._dist, kept)
        except (Refused, OSError, IndexError) as error:
            return NotServed(f"the new release cannot be read and is passed over: {error}")
        if findings:
            first = findings[0]
            return NotServed(f"release {kept.release} is not whole and is passed over: {first.kind} {first.path}")
        return Served(kept.release, self._dist / "v" / kept.release, pointer)
