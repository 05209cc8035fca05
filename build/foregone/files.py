"""Reading and writing whole files: a write is there completely or not at all."""

import os
import tempfile
from pathlib import Path

from foregone.errors import Refused


def write_atomically(path: Path, content: bytes) -> None:
    """Put `content` at `path` by renaming a synced temporary file over it; the folder is made if it is absent."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=".tmp-", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as temporary:
            temporary.write(content)
            temporary.flush()
            os.fsync(temporary.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def read_bytes(path: Path, *, mend: str) -> bytes:
    """The bytes of the file at `path`; Refused where it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise Refused(
            "unreadable", f"{path} cannot be read", where=str(path), why=(str(error.strerror),), mend=mend
        ) from error


def read_text(path: Path, *, mend: str) -> str:
    """The text of the UTF-8 file at `path` without its byte order mark; Refused where it is not UTF-8."""
    return decode_utf8(read_bytes(path, mend=mend), path)


def decode_utf8(content: bytes, path: Path) -> str:
    """`content` as text, its byte order mark taken off; Refused with line and byte where it is not UTF-8."""
    try:
        return content.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise Refused(
            "not-utf8",
            f"{path} is not UTF-8 text",
            where=f"{path}:{line}",
            why=(f"byte {error.start} is 0x{content[error.start]:02x}: {error.reason}",),
            mend="save the file as UTF-8",
        ) from error
