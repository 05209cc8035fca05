"""The BM25 leg (Robertson and Zaragoza 2009; Lucene's variant as in Kamphuis et al., ECIR 2020).

Weights are float64 rounded to 2^-20 before they are summed, so a score is an exact sum: the same bits on every machine.
"""

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass

import bm25s
import numpy as np
import numpy.typing as npt
import Stemmer
from bm25s.stopwords import STOPWORDS_EN
from bm25s.tokenization import Tokenized

from foregone.corpus.chunks import Chunk

TOKEN = re.compile(r"\w\w+")
K1 = 1.5
B = 0.75
WEIGHT_STEP = 2.0**-20

logging.getLogger("bm25s").setLevel(logging.WARNING)


@dataclass(frozen=True, slots=True)
class Bm25Index:
    """Term weights by chunk, column by column (CSC)."""

    vocabulary: dict[str, int]
    """Stem -> column."""
    weights: npt.NDArray[np.float64]
    """(n_entries,) multiples of 2^-20."""
    rows: npt.NDArray[np.int32]
    """(n_entries,) chunk of each weight."""
    columns: npt.NDArray[np.int64]
    """(n_terms + 1,) where the entries of each column start."""
    n_chunks: int
    stemmer: str

    def score(self, query: str) -> npt.NDArray[np.float64]:
        """(n_chunks,) exact scores; a chunk that shares no stem with the query has 0."""
        scores = np.zeros(self.n_chunks)
        for stem in stems_of(query, self.stemmer):
            column = self.vocabulary.get(stem)
            if column is not None:
                entries = slice(self.columns[column], self.columns[column + 1])
                scores[self.rows[entries]] += self.weights[entries]
        return scores


def build_bm25(chunks: Sequence[Chunk], stemmer: str) -> Bm25Index:
    """The index of `chunks`, in their order."""
    raw, vocabulary = weigh_terms(chunks, stemmer)
    return Bm25Index(
        vocabulary=vocabulary,
        weights=np.round(raw["data"] / WEIGHT_STEP) * WEIGHT_STEP,
        rows=raw["indices"].astype(np.int32),
        columns=raw["indptr"].astype(np.int64),
        n_chunks=len(chunks),
        stemmer=stemmer,
    )


def weigh_terms(chunks: Sequence[Chunk], stemmer: str) -> tuple[dict[str, npt.NDArray[np.float64]], dict[str, int]]:
    """Unrounded weights as bm25s computes them (`data`, `indices`, `indptr`), and the vocabulary."""
    stems = [stems_of(chunk.text, stemmer) for chunk in chunks]
    vocabulary = {stem: column for column, stem in enumerate(sorted({stem for row in stems for stem in row}))}
    tokenized = Tokenized(ids=[[vocabulary[stem] for stem in row] for row in stems], vocab=vocabulary)
    engine = bm25s.BM25(k1=K1, b=B, method="lucene", dtype="float64")
    engine.index(tokenized, create_empty_token=False, show_progress=False)
    return engine.scores, vocabulary


def stems_of(text: str, stemmer: str) -> list[str]:
    """Lower-case stems of the words of `text`, stop words left out, in order and with repetitions."""
    words = [word for word in TOKEN.findall(text.lower()) if word not in STOPWORDS_EN]
    return list(Stemmer.Stemmer(stemmer).stemWords(words))
