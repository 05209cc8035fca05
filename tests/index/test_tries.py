"""A request that failed is made again where that may help, behind the wait that the endpoint asks for."""

from datetime import UTC, datetime

import pytest

from foregone.index.tries import wait_before_next

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize("status", [None, 408, 409, 429, 500, 503, 529])
def test_a_failure_that_may_pass_is_tried_again(status: int | None) -> None:
    assert wait_before_next(status, {}, 1, NOON) == 0.5


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_a_failure_that_stays_is_not_tried_again(status: int) -> None:
    assert wait_before_next(status, {"retry-after": "1"}, 1, NOON) is None


def test_the_wait_doubles_up_to_a_minute() -> None:
    assert [wait_before_next(500, {}, tried, NOON) for tried in (1, 2, 3, 20)] == [0.5, 1.0, 2.0, 60.0]


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "9", "retry-after-ms": "250"}, 0.25),
        ({"retry-after": "Tue, 01 Dec 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Tue, 01 Dec 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "60"}, 60.0),
        ({"retry-after": "61"}, None),
        ({"retry-after": "Wed, 02 Dec 2026 12:00:00 GMT"}, None),
        ({"retry-after": "soon"}, 0.5),
        ({"retry-after": "nan"}, 0.5),
        ({"retry-after": "-1"}, 0.5),
    ],
)
def test_retry_after_is_kept_up_to_a_minute(headers: dict[str, str], wait: float | None) -> None:
    assert wait_before_next(429, headers, 1, NOON) == wait


@pytest.mark.parametrize(("told", "status", "wait"), [("false", 429, None), ("true", 400, 0.5)])
def test_an_endpoint_that_says_whether_to_try_again_is_believed(told: str, status: int, wait: float | None) -> None:
    assert wait_before_next(status, {"x-should-retry": told}, 1, NOON) == wait
