"""Vectors of an index that is not finished: each batch is kept at once, so that a stopped build goes on where it was."""

import io
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from foregone.digest import Digest, address
from foregone.files import write_atomically
from foregone.index.embedder import EmbedderIdentity


@dataclass(frozen=True, slots=True)
class PartialVectors:
    """A folder of batches by one embedder."""

    folder: Path

    def load(self) -> dict[Digest, npt.NDArray[np.float16]]:
        """Digest of a text -> its vector; a batch that cannot be read is passed over and embedded again."""
        known: dict[Digest, npt.NDArray[np.float16]] = {}
        for path in sorted(self.folder.glob("*.npz")):
            try:
                with np.load(path, allow_pickle=False) as batch:
                    digests, vectors = batch["digests"], batch["vectors"]
                known |= {Digest(str(digest)): row for digest, row in zip(digests, vectors, strict=True)}
            except (OSError, ValueError, KeyError, EOFError, BadZipFile):
                path.unlink()
        return known

    def keep(self, digests: Sequence[Digest], vectors: npt.NDArray[np.float16]) -> None:
        """Add a batch; `vectors`: (n_digests, dimension)."""
        buffer = io.BytesIO()
        np.savez(buffer, digests=np.array(digests), vectors=vectors)
        write_atomically(self.folder / f"{address(digests[0])}.npz", buffer.getvalue())

    def clear(self) -> None:
        """Forget all batches: the index is written."""
        shutil.rmtree(self.folder, ignore_errors=True)


def partial_vectors(work: Path, embedder: EmbedderIdentity) -> PartialVectors:
    """The batches of this embedder below the project's work folder."""
    return PartialVectors(work / "vectors" / f"{address(embedder.model)}-{address(embedder.tokenizer)}")
