"""Pins: a document is read only where its bytes are those that the manifest names."""

import os
from pathlib import Path

from foregone.corpus.manifest import Document, Manifest
from foregone.digest import Digest, digest_bytes
from foregone.errors import Refused
from foregone.files import read_bytes

FETCH = "run `foregone corpus fetch`"


def read_pinned(manifest: Manifest, document: Document) -> bytes:
    """The bytes of the fetched file of `document`; Refused where it is absent, lies elsewhere or is not as pinned."""
    path = manifest.source_path(document)
    _refuse_outside(path, document)
    if not path.exists():
        raise Refused("not-fetched", f"{path} is not there", where=document.where, mend=FETCH)
    return check_pin(read_bytes(path, mend="make it a readable file, or delete it and " + FETCH), document, path)


def check_pin(content: bytes, document: Document, path: Path) -> bytes:
    """`content`, read from `path`, where it has the length and digest of the pin; Refused otherwise."""
    if is_pinned(content, document):
        return content
    raise Refused(
        "pin-mismatch",
        f"{path} does not match its pin",
        where=document.where,
        why=mismatch(content, document),
        mend="delete the file and run `foregone corpus fetch`, or review the change and pin it in the manifest",
    )


def is_pinned(content: bytes, document: Document) -> bool:
    """Whether `content` has the length and digest of the pin."""
    return len(content) == document.length and digest_bytes(content) == document.digest


def mismatch(content: bytes, document: Document) -> tuple[str, str]:
    """The pin and what `content` has instead, a line each."""
    return (
        f"expected {_in_words(document.digest, document.length)}",
        f"found    {_in_words(digest_bytes(content), len(content))}",
    )


def _in_words(digest: Digest, length: int) -> str:
    return f"{digest}  ({length:,} bytes)"


def _refuse_outside(path: Path, document: Document) -> None:
    real = Path(os.path.realpath(path))
    if not real.is_relative_to(os.path.realpath(path.parent)):
        raise Refused(
            "outside-sources",
            f"{path} is a link that leads outside {path.parent}",
            where=document.where,
            why=(f"it leads to {real}",),
            mend="delete the link and " + FETCH,
        )
