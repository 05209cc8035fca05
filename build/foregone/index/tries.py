"""Whether a request that failed is made again, and how long is waited before."""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

LONGEST_WAIT_S = 60.0
"""Who asks for more is not waited for."""
FIRST_WAIT_S = 0.5
"""Doubled with each try, where the endpoint does not say how long."""
PASSING = (408, 409, 429)
"""Statuses that may be another the next time (RFC 9110 section 15.5, RFC 6585 section 4); so may all from 500 on."""


def wait_before_next(status: int | None, headers: Mapping[str, str], tried: int, now: datetime) -> float | None:
    """Seconds to wait behind the try number `tried`, from 1; None: it is of no use to try again.

    `status` is None where the connection broke. An endpoint that says in `x-should-retry` whether to is believed.
    """
    told = headers.get("x-should-retry")
    is_passing = status is None or status in PASSING or status >= 500
    if told == "false" or not (is_passing or told == "true"):
        return None
    asked = _asked_wait(headers, now)
    if asked is None:
        return min(FIRST_WAIT_S * 2.0 ** (tried - 1), LONGEST_WAIT_S)
    return asked if asked <= LONGEST_WAIT_S else None


def _asked_wait(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds by the header Retry-After (RFC 9110 section 10.2.3), or its finer form in milliseconds."""
    fine, field = headers.get("retry-after-ms"), headers.get("retry-after")
    for text, unit in ((fine, 0.001), (field, 1.0)):
        seconds = _number(text)
        if seconds is not None:
            return seconds * unit
    return _until(field, now)


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if number >= 0 else None


def _until(text: str | None, now: datetime) -> float | None:
    try:
        date = parsedate_to_datetime(text or "")
    except ValueError:
        return None
    aware = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (aware - now).total_seconds())
