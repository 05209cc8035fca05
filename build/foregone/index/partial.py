"""Vectors of an index that is not finished: each batch is kept at once, so that a stopped build goes on where it was.

A batch is a file: the digest of what follows, the digest of each text, a blank line, the vectors as .npy.
"""

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from foregone.digest import Digest, address, digest_bytes
from foregone.files import write_atomically
from foregone.index.embedder import Embedder, EmbedderIdentity, TextKind, embed_texts
from foregone.index.store import npy_bytes, read_npy


@dataclass(frozen=True, slots=True)
class PartialVectors:
    """A folder of batches by one embedder."""

    folder: Path

    def load(self) -> dict[Digest, npt.NDArray[np.float16]]:
        """Digest of a text -> its vector; a batch that is not whole is passed over and embedded again."""
        known: dict[Digest, npt.NDArray[np.float16]] = {}
        for path in sorted(self.folder.glob("*.batch")):
            digest, _, body = path.read_bytes().partition(b"\n")
            if digest != digest_bytes(body).encode():
                path.unlink()
                continue
            names, _, rows = body.partition(b"\n\n")
            digests = [Digest(name) for name in names.decode().split("\n")]
            known |= dict(zip(digests, read_npy(rows, path), strict=True))
        return known

    def keep(self, digests: Sequence[Digest], vectors: npt.NDArray[np.float16]) -> None:
        """Add a batch; `vectors`: (n_digests, dimension), rows of unit length."""
        body = "\n".join(digests).encode() + b"\n\n" + npy_bytes(vectors)
        content = digest_bytes(body).encode() + b"\n" + body
        write_atomically(self.folder / f"{address(digests[0])}.batch", content)

    def clear(self) -> None:
        """Forget all batches: the index is written."""
        shutil.rmtree(self.folder, ignore_errors=True)


def partial_vectors(work: Path, embedder: EmbedderIdentity, kind: TextKind) -> PartialVectors:
    """The batches of this embedder and kind of text below the project's work folder."""
    return PartialVectors(work / "vectors" / f"{kind}-{address(embedder.model)}-{address(embedder.tokenizer)}")


def embed_missing(
    embedder: Embedder,
    texts: Mapping[Digest, str],
    kind: TextKind,
    partial: PartialVectors | None,
    advance: Callable[[int], None],
) -> dict[Digest, npt.NDArray[np.float16]]:
    """Digest of each text -> its vector; each batch is kept in `partial` before the next is begun.

    `advance` is told the number of texts in each batch. Without texts the embedder need not be one that can be loaded.
    """
    if not texts:
        return {}
    digests = tuple(texts)
    vectors: dict[Digest, npt.NDArray[np.float16]] = {}

    def keep(places: Sequence[int], rows: npt.NDArray[np.float16]) -> None:
        done = [digests[place] for place in places]
        vectors.update(zip(done, rows, strict=True))
        if partial:
            partial.keep(done, rows)
        advance(len(places))

    embed_texts(embedder, tuple(texts.values()), kind, keep)
    return vectors
