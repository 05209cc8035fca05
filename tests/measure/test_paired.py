"""Whether two runs differ by more than chance, against sums that are written out."""

from itertools import product
from math import comb

import pytest

from foregone.measure.paired import (
    RESAMPLES,
    SignFlip,
    detectable_mean,
    fewest_changes,
    mcnemar,
    sign_flip,
)


def binomial_p(only_a: int, only_b: int) -> float:
    """The chance that a fair coin is at least as lopsided, outcome by outcome."""
    n, off = only_a + only_b, abs(only_a - only_b)
    return sum(comb(n, heads) / (1 << n) for heads in range(n + 1) if abs(n - 2 * heads) >= off)


def enumerated_p(differences: list[float]) -> float:
    """The share of all exchanges of A and B whose mean is at least as far from 0."""
    observed = abs(sum(differences))
    sums = [
        abs(sum(sign * one for sign, one in zip(signs, differences, strict=True)))
        for signs in product((-1, 1), repeat=len(differences))
    ]
    return sum(one >= observed - 1e-9 for one in sums) / len(sums)


def reciprocal_changes(count: int) -> list[float]:
    """Changes of a reciprocal rank, each by one place, two of three downwards."""
    return [(1 if place % 3 else -1) * (1 / (place + 1) - 1 / (place + 2)) for place in range(count)]


@pytest.mark.parametrize(
    ("only_a", "only_b", "p"),
    [(5, 0, 0.0625), (6, 0, 0.03125), (0, 6, 0.03125), (1, 9, 0.021484375), (10, 10, 1.0), (0, 1, 1.0)],
)
def test_mcnemar_gives_the_published_values(only_a: int, only_b: int, p: float) -> None:
    assert mcnemar(only_a, only_b) == p


def test_mcnemar_is_the_binomial_test_of_the_questions_that_changed() -> None:
    for only_a, only_b in product(range(13), repeat=2):
        if only_a + only_b:
            assert mcnemar(only_a, only_b) == pytest.approx(binomial_p(only_a, only_b), abs=1e-12)


def test_mcnemar_has_nothing_to_test_where_no_question_changed() -> None:
    assert mcnemar(0, 0) is None


def test_mcnemar_can_count_thousands_of_questions() -> None:
    assert (mcnemar(4000, 4000), mcnemar(6000, 0)) == (1.0, 0.0)


@pytest.mark.parametrize(("n", "fewest"), [(0, None), (5, None), (6, 6), (1000, 6)])
def test_fewer_than_six_questions_show_no_change(n: int, fewest: int | None) -> None:
    assert fewest_changes(n) == fewest


@pytest.mark.parametrize("count", [1, 2, 3, 7, 10])
def test_the_permutation_test_tries_every_exchange(count: int) -> None:
    differences = reciprocal_changes(count)

    assert sign_flip([0.0, *differences, 0.0]) == SignFlip(count, enumerated_p(differences), exact=True)


def test_sums_that_are_equal_in_real_numbers_count_as_equal() -> None:
    assert sign_flip([1 / 2, 1 / 3, 1 / 6, -1 / 3, -1 / 6]).p == enumerated_p([1 / 2, 1 / 3, 1 / 6, -1 / 3, -1 / 6])


def test_sixteen_pairs_are_enumerated_and_seventeen_sampled() -> None:
    one_way = [sign_flip([0.25] * count) for count in (16, 17)]

    assert one_way == [SignFlip(16, 2 / 2**16, exact=True), SignFlip(17, 1 / (1 + RESAMPLES), exact=False)]


def test_a_sampled_p_value_is_near_the_exact_one() -> None:
    differences = reciprocal_changes(20)

    sampled = sign_flip(differences)
    assert sampled.p == pytest.approx(enumerated_by_halves(differences), abs=0.015)


def enumerated_by_halves(differences: list[float]) -> float:
    """`enumerated_p` for up to twenty pairs, sums kept and not signs."""
    sums = [0.0]
    for one in differences:
        sums = [total + flipped for total in sums for flipped in (one, -one)]
    observed = abs(sum(differences))
    return sum(abs(total) >= observed - 1e-9 for total in sums) / len(sums)


@pytest.mark.parametrize("count", [9, 40])
def test_neither_the_order_of_pairs_nor_which_run_is_a_moves_a_p_value(count: int) -> None:
    differences = reciprocal_changes(count)

    expected = sign_flip(differences)
    assert sign_flip(differences[::-1]) == expected
    assert sign_flip(sorted(differences)) == expected
    assert sign_flip([-one for one in differences]) == expected


def test_where_no_pair_differs_there_is_nothing_to_test() -> None:
    assert [sign_flip([]), sign_flip([0.0] * 3)] == [SignFlip(0, None, exact=True)] * 2


def test_the_detectable_mean_is_so_many_standard_errors() -> None:
    assert detectable_mean([1.0, -1.0] * 50) == pytest.approx(2.8 * (100 / 99) ** 0.5 / 10)


@pytest.mark.parametrize("differences", [[], [0.5], [0.0] * 9, [0.25] * 9])
def test_differences_without_spread_tell_no_detectable_mean(differences: list[float]) -> None:
    assert detectable_mean(differences) is None
