"""A figure of a small set comes with what it may be off by."""

import pytest

from foregone.measure.interval import bootstrap_mean, wilson


@pytest.mark.parametrize(
    ("hits", "n", "bounds"),
    [(18, 20, (0.699, 0.972)), (45, 50, (0.786, 0.957)), (0, 10, (0.0, 0.278)), (10, 10, (0.722, 1.0))],
)
def test_a_rate_lies_in_its_score_interval(hits: int, n: int, bounds: tuple[float, float]) -> None:
    interval = wilson(hits, n)

    assert (interval.value, interval.n) == (hits / n, n)
    assert (round(interval.low, 3), round(interval.high, 3)) == bounds


def test_a_mean_of_equal_values_has_no_spread() -> None:
    interval = bootstrap_mean([0.5] * 7)

    assert (interval.value, interval.low, interval.high, interval.n) == (0.5, 0.5, 0.5, 7)


def test_a_mean_of_many_values_has_the_normal_interval() -> None:
    interval = bootstrap_mean([0.0, 1.0] * 200)

    assert [interval.low, interval.high] == pytest.approx([0.451, 0.549], abs=0.01)


def test_the_same_values_give_the_same_interval() -> None:
    assert bootstrap_mean([0.1, 0.9, 0.4]) == bootstrap_mean([0.1, 0.9, 0.4])
