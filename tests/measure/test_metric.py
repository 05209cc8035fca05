"""A figure has its denominator, or says why there is none: it is never NaN and never a silent zero."""

import pytest

from foregone.measure.metric import Metric, mean, not_measured, plain, rate, rounded

NOTHING = Metric(None, 0, None, None, "there is no tea")


def test_a_rate_stands_between_its_bounds_on_its_denominator() -> None:
    assert rate(1, 3, nothing="there is no tea").as_json() == {
        "value": 0.333333,
        "n": 3,
        "low": 0.061492,
        "high": 0.79234,
        "status": "measured",
        "reason": None,
    }


def test_a_rate_of_0_is_measured() -> None:
    metric = rate(0, 4, nothing="there is no tea")

    assert (metric.value, metric.n, metric.low, metric.status, metric.reason) == (0.0, 4, 0.0, "measured", None)


def test_a_mean_stands_between_its_bounds_on_its_denominator() -> None:
    assert mean([0.25, 0.25], nothing="there is no tea") == Metric(0.25, 2, 0.25, 0.25, None)


def test_a_figure_without_an_interval_has_no_bounds() -> None:
    assert plain(0.0, 7, nothing="there is no tea") == Metric(0.0, 7, None, None, None)


@pytest.mark.parametrize(
    "metric",
    [
        rate(0, 0, nothing="there is no tea"),
        mean([], nothing="there is no tea"),
        plain(None, 0, nothing="there is no tea"),
        not_measured("there is no tea"),
    ],
    ids=["rate", "mean", "plain", "not_measured"],
)
def test_what_nothing_stands_below_is_not_measured(metric: Metric) -> None:
    assert metric == NOTHING
    assert metric.as_json() == {
        "value": None,
        "n": 0,
        "low": None,
        "high": None,
        "status": "not_measured",
        "reason": "there is no tea",
    }


@pytest.mark.parametrize(("value", "published"), [(2 / 3, 0.666667), (0.0000004, 0.0), (1.0, 1.0), (None, None)])
def test_figures_are_published_with_six_decimals(value: float | None, published: float | None) -> None:
    assert rounded(value) == published
