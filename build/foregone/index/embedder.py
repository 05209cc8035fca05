"""What an embedder is: texts in, unit vectors out, and an identity that names its exact model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from foregone.corpus.chunks import Weigh
from foregone.digest import Digest
from foregone.errors import Refused

NORM_TOLERANCE = 2.0**-8
"""How far from 1 the norm of a stored vector may lie."""


@dataclass(frozen=True, slots=True)
class EmbedderIdentity:
    """Names the model to the byte: two embedders of one identity agree within float noise."""

    name: str
    model: Digest
    """Of the model file."""
    tokenizer: Digest
    """Of the tokenizer file."""
    dimension: int


class Embedder(Protocol):
    """A loaded model."""

    @property
    def identity(self) -> EmbedderIdentity:
        """The exact model that is loaded."""

    @property
    def weigh(self) -> Weigh:
        """Counts the word pieces of each word."""

    def embed(self, texts: Sequence[str], advance: Callable[[int], None]) -> npt.NDArray[np.float32]:
        """(n_texts, dimension) rows of unit length; `advance` is told the number of texts after each batch."""


def round_to_half(vectors: npt.NDArray[np.float32], source: str) -> npt.NDArray[np.float16]:
    """`vectors` (n, d) as float16; Refused where one is not finite or its norm is not 1 within NORM_TOLERANCE."""
    halves = vectors.astype(np.float16)
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
