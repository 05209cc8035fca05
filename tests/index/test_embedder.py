"""Vectors are of unit length, and a dense score is the exact dot product."""

from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest

from foregone.errors import Refused
from foregone.index.embedder import check_norms, round_to_half, score_rows


def unit_rows(n_rows: int, seed: int) -> npt.NDArray[np.float16]:
    rows = np.random.default_rng(seed).standard_normal((n_rows, 384))
    unit: npt.NDArray[np.float16] = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float16)
    return unit


@pytest.mark.parametrize("norm", [1 - 2**-8, 1.0, 1 + 2**-8])
def test_a_norm_within_the_tolerance_is_taken(norm: float) -> None:
    row = np.array([[norm, 0.0]], dtype=np.float32)

    assert round_to_half(row, "tea").tolist() == [[norm, 0.0]]


@pytest.mark.parametrize(
    ("norm", "found"),
    [(1 - 9 * 2**-11, "0.995605"), (1 + 5 * 2**-10, "1.00488"), (0.0, "0"), (np.nan, "nan"), (np.inf, "inf")],
)
def test_another_norm_is_refused_with_its_row(norm: float, found: str) -> None:
    rows = np.array([[1.0, 0.0], [norm, 0.0]], dtype=np.float32)

    with pytest.raises(Refused) as refused:
        round_to_half(rows, "dense-00000.npy")

    assert str(refused.value) == (
        "error[bad-vector]: row 1 of dense-00000.npy is not of unit length\n"
        "  --> dense-00000.npy\n"
        f"  expected a norm of 1 within 0.00390625, found {found}\n"
        "  mend: run `foregone index build`"
    )


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
