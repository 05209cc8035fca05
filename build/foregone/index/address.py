"""The index version: a content address over everything that a ranking depends on, the question aside."""

import json
from dataclasses import asdict, dataclass
from typing import Any

from foregone.corpus.chunks import Chunk
from foregone.digest import Digest, address, digest_bytes
from foregone.index.bm25 import K1, B
from foregone.index.embedder import EmbedderIdentity
from foregone.settings import Bm25Settings, DenseSettings

HEADING_PREFIX = "{document} §{number} {title}. "
"""What is put before the words of a chunk; named here because it is part of the address."""


@dataclass(frozen=True, slots=True)
class IndexIdentity:
    """What the version is taken over, as it is written into `index.json`."""

    corpus: Digest
    """Corpus fingerprint."""
    documents: dict[str, Digest]
    """Document id -> digest of its pinned file; so that a stale index can name what changed."""
    sections: Digest
    """Of everything that the parsers gave."""
    legs: dict[str, dict[str, Any]]
    """Leg name -> its parameters and the digest of its chunk table."""

    @property
    def version(self) -> str:
        """The index version: 12 hexadecimal digits."""
        return address(digest_bytes(json.dumps(asdict(self), separators=(",", ":"), sort_keys=True).encode()))


def identify_bm25(settings: Bm25Settings, table: Digest) -> dict[str, Any]:
    """The parameters of a BM25 leg whose chunk table has the digest `table`."""
    return {
        "unit": "word",
        "size": settings.chunk_words,
        "overlap": settings.overlap_words,
        "prefix": HEADING_PREFIX,
        "stemmer": settings.stemmer,
        "method": "lucene",
        "k1": K1,
        "b": B,
        "chunks": table,
    }


def identify_dense(settings: DenseSettings, embedder: EmbedderIdentity, table: Digest) -> dict[str, Any]:
    """The parameters of a dense leg whose chunk table has the digest `table`."""
    return {
        "unit": settings.unit,
        "size": settings.chunk_size,
        "overlap": settings.overlap,
        "prefix": HEADING_PREFIX,
        "model": embedder.name,
        "model_sha256": embedder.model,
        "tokenizer_sha256": embedder.tokenizer,
        "dimension": embedder.dimension,
        "chunks": table,
    }


def digest_table(chunks: tuple[Chunk, ...]) -> Digest:
    """The digest of a chunk table: a line `section start end digest-of-text` a chunk, in order."""
    lines = (f"{chunk.section} {chunk.span[0]} {chunk.span[1]} {chunk.digest}\n" for chunk in chunks)
    return digest_bytes("".join(lines).encode())


def differences(committed: IndexIdentity, wanted: IndexIdentity) -> tuple[str, ...]:
    """What separates two identities, in words, e.g. `document rfc9111 has other bytes`."""
    found = [*_document_differences(committed.documents, wanted.documents)]
    if committed.corpus != wanted.corpus and not found:
        found.append("the corpus has another fingerprint")
    if committed.sections != wanted.sections and not found:
        found.append("the parser gives other sections")
    for leg in sorted({*committed.legs, *wanted.legs}):
        found.extend(_leg_differences(leg, committed.legs.get(leg), wanted.legs.get(leg)))
    return tuple(found)


def _document_differences(committed: dict[str, Digest], wanted: dict[str, Digest]) -> list[str]:
    found = []
    for document in sorted({*committed, *wanted}):
        if document not in committed:
            found.append(f"document {document} was added")
        elif document not in wanted:
            found.append(f"document {document} was removed")
        elif committed[document] != wanted[document]:
            found.append(f"document {document} has other bytes")
    return found


def _leg_differences(leg: str, committed: dict[str, Any] | None, wanted: dict[str, Any] | None) -> list[str]:
    if committed is None or wanted is None:
        return [f"leg {leg} was {'added' if committed is None else 'removed'}"]
    return [
        f"{leg}: {name} is {wanted.get(name)!r}, the index has {committed.get(name)!r}"
        for name in sorted({*committed, *wanted} - {"chunks"})
        if committed.get(name) != wanted.get(name)
    ] or ([f"{leg}: its chunks differ"] if committed["chunks"] != wanted["chunks"] else [])
