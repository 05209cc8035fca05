"""What an embedder is: texts in, unit vectors out, and an identity that names its exact model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from foregone.corpus.chunks import Weigh
from foregone.digest import Digest
from foregone.errors import Refused

NORM_TOLERANCE = 2.0**-8
"""How far from 1 the norm of a stored vector may lie."""

TextKind = Literal["document", "query"]
"""Some models are trained with another prefix for each."""


@dataclass(frozen=True, slots=True)
class EmbedderIdentity:
    """Names the model to the byte: two embedders of one identity agree within float noise."""

    name: str
    model: Digest
    """Of the model file, of the folder that holds it, or of base URL, model name and dimension of an API."""
    tokenizer: Digest
    """Of the tokenizer file; as `model` where the two are not told apart."""
    dimension: int


class Embedder(Protocol):
    """A loaded model."""

    @property
    def identity(self) -> EmbedderIdentity:
        """The exact model that is loaded."""

    @property
    def batch_size(self) -> int:
        """Texts that are best embedded together."""

    @property
    def weigh(self) -> Weigh:
        """Measures each word in the unit of this embedder's chunks: word pieces, or words."""

    def embed(self, texts: Sequence[str], kind: TextKind) -> npt.NDArray[np.float32]:
        """(n_texts, dimension) rows in the order of `texts`, not yet of unit length."""


def embed_texts(
    embedder: Embedder,
    texts: Sequence[str],
    kind: TextKind,
    done: Callable[[Sequence[int], npt.NDArray[np.float16]], None],
) -> npt.NDArray[np.float16]:
    """(n_texts, dimension) rows of unit length; `done` is told the places and the rows of each batch.

    Texts of like length go together, so that little is padded.
    """
    rows = np.zeros((len(texts), embedder.identity.dimension), dtype=np.float16)
    by_length = sorted(range(len(texts)), key=lambda place: (len(texts[place]), place))
    for first in range(0, len(by_length), embedder.batch_size):
        places = by_length[first : first + embedder.batch_size]
        raw = embedder.embed([texts[place] for place in places], kind)
        rows[places] = to_unit_halves(raw, (len(places), embedder.identity.dimension), embedder.identity.name)
        done(places, rows[places])
    return rows


def to_unit_halves(vectors: npt.NDArray[np.float32], shape: tuple[int, int], source: str) -> npt.NDArray[np.float16]:
    """`vectors` scaled to unit length as float16; Refused where they are not `shape`, not finite, or zero."""
    if vectors.shape != shape:
        _refuse_vectors(
            source, f"expected {shape[0]} vectors of {shape[1]} numbers", f"found the shape {vectors.shape}"
        )
    wide = vectors.astype(np.float64)
    norms = np.linalg.norm(wide, axis=1, keepdims=True)
    if not np.isfinite(norms).all() or not (norms > 0).all():
        _refuse_vectors(source, "expected finite numbers, not all of them 0", "found others")
    halves: npt.NDArray[np.float16] = (wide / norms).astype(np.float16)
    check_norms(halves, source)
    return halves


def check_norms(halves: npt.NDArray[np.float16], source: str) -> None:
    """Refused where a row of `halves` (n, d) is not finite or not of unit length."""
    norms = np.sqrt(np.square(halves.astype(np.float64)).sum(axis=1))
    good = np.abs(norms - 1.0) <= NORM_TOLERANCE
    if not good.all():
        row = int(np.flatnonzero(~good)[0])
        raise Refused(
            "bad-vector",
            f"row {row} of {source} is not of unit length",
            where=source,
            why=(f"expected a norm of 1 within {NORM_TOLERANCE:g}, found {norms[row]:g}",),
            mend="run `foregone index build`",
        )


def score_rows(rows: npt.NDArray[np.float16], queries: npt.NDArray[np.float16]) -> npt.NDArray[np.float64]:
    """(n_queries, n_rows) exact dot products.

    A product of two float16 numbers is a multiple of 2^-48 below 2^5, so float64 sums of them round nothing away:
    any order of summation, thread count and BLAS gives the same bits.
    """
    return queries.astype(np.float64) @ rows.astype(np.float64).T


def _refuse_vectors(source: str, expected: str, found: str) -> None:
    raise Refused(
        "bad-vector",
        f"the embedder {source} gave vectors that cannot be used",
        where=source,
        why=(expected, found),
        mend="look at the model and its dimension in foregone.yaml; what was embedded before is kept",
    )
