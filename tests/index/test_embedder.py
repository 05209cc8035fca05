"""Vectors are of unit length, and a dense score is the exact dot product."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest

from foregone.corpus.chunks import Weigh, count_words
from foregone.digest import Digest
from foregone.errors import Refused
from foregone.index.embedder import EmbedderIdentity, TextKind, check_norms, embed_texts, score_rows, to_unit_halves

IDENTITY = EmbedderIdentity("tea-net", Digest("sha256:0e"), Digest("sha256:0f"), 2)


@dataclass
class CountingEmbedder:
    """A text's vector is its number of letters and 1; which texts came together is kept."""

    identity: EmbedderIdentity = IDENTITY
    batch_size: int = 2
    weigh: Weigh = count_words
    batches: list[tuple[TextKind, list[str]]] = field(default_factory=list)

    def embed(self, texts: Sequence[str], kind: TextKind) -> npt.NDArray[np.float32]:
        self.batches.append((kind, list(texts)))
        return np.array([[len(text), 1.0] for text in texts], dtype=np.float32)


def unit_rows(n_rows: int, seed: int) -> npt.NDArray[np.float16]:
    rows = np.random.default_rng(seed).standard_normal((n_rows, 384))
    unit: npt.NDArray[np.float16] = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float16)
    return unit


@pytest.mark.parametrize("norm", [1 - 2**-8, 1.0, 1 + 2**-8])
def test_a_norm_within_the_tolerance_is_taken(norm: float) -> None:
    row = np.array([[norm, 0.0]], dtype=np.float16)

    assert row.tolist() == [[norm, 0.0]]
    check_norms(row, "tea")


@pytest.mark.parametrize(
    ("norm", "found"),
    [(1 - 9 * 2**-11, "0.995605"), (1 + 5 * 2**-10, "1.00488"), (0.0, "0"), (np.nan, "nan"), (np.inf, "inf")],
)
def test_another_norm_is_refused_with_its_row(norm: float, found: str) -> None:
    rows = np.array([[1.0, 0.0], [norm, 0.0]], dtype=np.float16)

    with pytest.raises(Refused) as refused:
        check_norms(rows, "dense-00000.npy")

    assert str(refused.value) == (
        "error[bad-vector]: row 1 of dense-00000.npy is not of unit length\n"
        "  --> dense-00000.npy\n"
        f"  expected a norm of 1 within 0.00390625, found {found}\n"
        "  mend: run `foregone index build`"
    )


@pytest.mark.parametrize("scale", [1e-30, 1.0, 1e30])
def test_vectors_are_scaled_to_unit_length(scale: float) -> None:
    vectors = np.array([[3.0, 4.0], [0.0, -2.0]], dtype=np.float32) * np.float32(scale)

    expected = np.array([[0.6, 0.8], [0.0, -1.0]], dtype=np.float16)
    assert to_unit_halves(vectors, (2, 2), "tea").tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("vectors", "expected", "found"),
    [
        ([[1.0, 0.0]], "expected 2 vectors of 2 numbers", "found the shape (1, 2)"),
        ([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], "expected 2 vectors of 2 numbers", "found the shape (2, 3)"),
        ([1.0, 0.0], "expected 2 vectors of 2 numbers", "found the shape (2,)"),
        ([[1.0, 0.0], [0.0, 0.0]], "expected finite numbers, not all of them 0", "found others"),
        ([[1.0, 0.0], [np.nan, 1.0]], "expected finite numbers, not all of them 0", "found others"),
        ([[1.0, 0.0], [-np.inf, 1.0]], "expected finite numbers, not all of them 0", "found others"),
    ],
    ids=["too few", "too wide", "flat", "zero", "no number", "infinite"],
)
def test_vectors_that_have_no_direction_or_another_shape_are_refused(
    vectors: list[object], expected: str, found: str
) -> None:
    with pytest.raises(Refused) as refused:
        to_unit_halves(np.array(vectors, dtype=np.float32), (2, 2), "tea-net")

    assert str(refused.value) == (
        "error[bad-vector]: the embedder tea-net gave vectors that cannot be used\n"
        "  --> tea-net\n"
        f"  {expected}\n"
        f"  {found}\n"
        "  mend: look at the model and its dimension in foregone.yaml; what was embedded before is kept"
    )


def test_texts_of_like_length_go_together() -> None:
    embedder = CountingEmbedder()

    embed_texts(embedder, ["oolong", "tea", "a pot of tea", "cup", "pot"], "query", lambda _places, _rows: None)
    assert embedder.batches == [("query", ["tea", "cup"]), ("query", ["pot", "oolong"]), ("query", ["a pot of tea"])]


def test_rows_come_in_the_order_of_the_texts_and_each_batch_is_told_with_its_places() -> None:
    told: list[tuple[list[int], list[list[float]]]] = []
    rows = embed_texts(
        CountingEmbedder(),
        ["oolong", "tea", "pot"],
        "document",
        lambda places, batch: told.append((list(places), batch.tolist())),
    )

    expected = to_unit_halves(np.array([[6, 1], [3, 1], [3, 1]], dtype=np.float32), (3, 2), "").tolist()
    assert rows.tolist() == expected
    assert told == [([1, 2], expected[1:]), ([0], expected[:1])]


def test_of_no_texts_no_batch_is_embedded() -> None:
    embedder = CountingEmbedder()

    rows = embed_texts(embedder, [], "document", lambda _places, _rows: None)
    assert (rows.shape, rows.dtype.str, embedder.batches) == ((0, 2), "<f2", [])


def test_no_rows_at_all_are_of_unit_length() -> None:
    check_norms(np.zeros((0, 384), dtype=np.float16), "nothing")


def test_a_score_is_the_exact_sum_of_the_products() -> None:
    rows, queries = unit_rows(5, seed=1), unit_rows(2, seed=2)

    exact = [
        [sum(Fraction(a) * Fraction(b) for a, b in zip(query, row, strict=True)) for row in rows.tolist()]
        for query in queries.tolist()
    ]
    assert [[Fraction(score) for score in line] for line in score_rows(rows, queries).tolist()] == exact


def test_the_order_of_the_dimensions_changes_no_bit() -> None:
    rows, queries = unit_rows(200, seed=3), unit_rows(7, seed=4)
    expected = score_rows(rows, queries).tobytes()

    for seed in range(5):
        order = np.random.default_rng(seed).permutation(384)
        assert score_rows(rows[:, order], queries[:, order]).tobytes() == expected


@pytest.mark.parametrize("block", [1, 7, 64, 200])
def test_scoring_in_blocks_of_rows_changes_no_bit(block: int) -> None:
    rows, queries = unit_rows(200, seed=5), unit_rows(3, seed=6)

    parts = [score_rows(rows[first : first + block], queries) for first in range(0, 200, block)]
    assert np.hstack(parts).tobytes() == score_rows(rows, queries).tobytes()


@pytest.mark.parametrize("cut", [1, 100, 383])
def test_summing_in_blocks_of_dimensions_changes_no_bit(cut: int) -> None:
    rows, queries = unit_rows(50, seed=7), unit_rows(3, seed=8)

    halves = score_rows(rows[:, :cut], queries[:, :cut]) + score_rows(rows[:, cut:], queries[:, cut:])
    assert halves.tobytes() == score_rows(rows, queries).tobytes()
