"""Digests: `sha256:<64 hex>` in data, the first 12 hex digits in addresses (FIPS 180-4)."""

import hashlib
import re
from typing import NewType

Digest = NewType("Digest", str)
"""`sha256:` and 64 lower-case hexadecimal digits."""

DIGEST_PATTERN = re.compile(r"sha256:[0-9a-f]{64}")


def digest_bytes(content: bytes) -> Digest:
    """The digest of `content`.

    >>> digest_bytes(b"")[:19]
    'sha256:e3b0c44298fc'
    """
    return Digest("sha256:" + hashlib.sha256(content).hexdigest())


def digest_text(text: str) -> Digest:
    """The digest of `text` in UTF-8."""
    return digest_bytes(text.encode())


def digest_words(text: str) -> Digest:
    """The digest of the words of `text` joined by single spaces, so that line breaks and indents do not matter."""
    return digest_text(" ".join(text.split()))


def address(digest: str) -> str:
    """The first 12 hexadecimal digits of a digest, as they stand in paths.

    >>> address("sha256:0123456789abcdef")
    '0123456789ab'
    """
    return digest.removeprefix("sha256:")[:12]
