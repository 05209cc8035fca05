"""Every ceiling stands in the committed file: none has a default, and none may be unknown or out of its range."""

from pathlib import Path

import pytest

from foregone.digest import digest_text
from foregone.errors import Refused
from foregone.thresholds import Budget, Thresholds, load_thresholds
from tiny_corpus import THRESHOLDS

BUDGET = Budget(
    request_deadline_ms=60_000,
    max_request_ms=50,
    max_requests_per_minute=60,
    max_client_burst=10,
    trusted_proxy_hops=0,
    max_work=5000,
    daily_cap_usd=2.0,
    max_output_tokens=1500,
    prices={},
)
CEILINGS = tuple(name for name in Budget.__slots__ if name != "prices")
LINES = {name: number for number, name in enumerate(CEILINGS, start=2)}


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def load(text: str) -> Thresholds:
    Path("thresholds.yaml").write_text(text, encoding="utf-8")
    return load_thresholds(Path("thresholds.yaml"))


def refusal(text: str) -> str:
    with pytest.raises(Refused) as refused:
        load(text)
    return str(refused.value)


def with_value(name: str, value: str) -> str:
    lines = THRESHOLDS.splitlines()
    lines[LINES[name] - 1] = f"  {name}: {value}"
    return "\n".join(lines)


def without(name: str) -> str:
    return "\n".join(line for line in THRESHOLDS.splitlines() if not line.startswith(f"  {name}:"))


def test_the_thresholds_are_what_the_file_says() -> None:
    assert load(THRESHOLDS) == Thresholds(BUDGET, digest_text(THRESHOLDS))


@pytest.mark.parametrize("name", CEILINGS)
def test_no_ceiling_has_a_default(name: str) -> None:
    assert refusal(without(name)) == (
        f"error[missing-key]: budget has no '{name}'\n  --> thresholds.yaml:1\n  mend: add '{name}'"
    )


@pytest.mark.parametrize(
    ("name", "minimum", "maximum"),
    [
        ("request_deadline_ms", 1, 60_000),
        ("max_request_ms", 1, 60_000),
        ("max_requests_per_minute", 1, 100_000),
        ("max_client_burst", 1, 100_000),
        ("trusted_proxy_hops", 0, 16),
        ("max_work", 1, 1_000_000_000),
        ("max_output_tokens", 1, 1_000_000),
    ],
)
def test_a_ceiling_is_an_integer_within_its_range(name: str, minimum: int, maximum: int) -> None:
    taken = [getattr(load(with_value(name, str(value))).budget, name) for value in (minimum, maximum)]
    refused = [refusal(with_value(name, str(value))) for value in (minimum - 1, maximum + 1)]

    assert (taken, refused) == (
        [minimum, maximum],
        [
            f"error[bad-number]: budget.{name} is {value}\n"
            f"  --> thresholds.yaml:{LINES[name]}\n"
            f"  expected an integer from {minimum} to {maximum}\n"
            "  mend: write such a number"
            for value in (minimum - 1, maximum + 1)
        ],
    )


@pytest.mark.parametrize("value", ["-0.01", "100000.01", "much"])
def test_the_daily_cap_is_an_amount_of_dollars(value: str) -> None:
    shown = repr(value) if value == "much" else value

    assert refusal(with_value("daily_cap_usd", value)) == (
        f"error[bad-number]: budget.daily_cap_usd is {shown}\n"
        f"  --> thresholds.yaml:{LINES['daily_cap_usd']}\n"
        "  expected a number from 0 to 100000\n"
        "  mend: write such a number"
    )


def test_a_day_may_cost_nothing() -> None:
    assert load(with_value("daily_cap_usd", "0")).budget.daily_cap_usd == 0.0


def test_an_unknown_ceiling_is_refused_at_its_line() -> None:
    assert refusal(THRESHOLDS + "  max_pots: 3\n") == (
        "error[unknown-key]: budget has an unknown key 'max_pots'\n"
        "  --> thresholds.yaml:10\n"
        "  known keys: daily_cap_usd, max_client_burst, max_output_tokens, max_request_ms, max_requests_per_minute, "
        "max_work, prices, request_deadline_ms, trusted_proxy_hops\n"
        "  mend: remove the key or correct its spelling"
    )


PRICES = """\
  prices:
    date: 2026-12-01
    usd_per_million_tokens:
      tea-net: 0.02
      pot-net: 0
"""


def test_prices_are_committed_with_their_date() -> None:
    assert load(THRESHOLDS + PRICES).budget.prices == {
        "tea-net": 0.02,
        "pot-net": 0,
    }


def test_without_prices_no_model_has_one() -> None:
    assert load(THRESHOLDS).budget.prices == {}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "    date: 2026-12-01\n",
            "",
            "error[missing-key]: budget.prices has no 'date'\n  --> thresholds.yaml:10\n  mend: add 'date'",
        ),
        (
            "date: 2026-12-01",
            "date: December",
            (
                "error[bad-value]: budget.prices.date is 'December'\n"
                "  --> thresholds.yaml:11\n"
                "  expected a date such as 2026-12-01\n"
                "  mend: correct the value"
            ),
        ),
        (
            "tea-net: 0.02",
            "tea-net: -0.02",
            (
                "error[bad-number]: budget.prices.usd_per_million_tokens.tea-net is -0.02\n"
                "  --> thresholds.yaml:13\n"
                "  expected a number from 0 to 10000\n"
                "  mend: write such a number"
            ),
        ),
        (
            "tea-net: 0.02",
            "tea-net: .nan",
            (
                "error[bad-number]: budget.prices.usd_per_million_tokens.tea-net is nan\n"
                "  --> thresholds.yaml:13\n"
                "  expected a number from 0 to 10000\n"
                "  mend: write such a number"
            ),
        ),
        (
            "usd_per_million_tokens:",
            "usd_per_token:",
            (
                "error[unknown-key]: budget.prices has an unknown key 'usd_per_token'\n"
                "  --> thresholds.yaml:12\n"
                "  known keys: date, usd_per_million_tokens\n"
                "  mend: remove the key or correct its spelling"
            ),
        ),
    ],
)
def test_prices_that_cannot_be_are_refused_at_their_line(old: str, new: str, message: str) -> None:
    assert refusal(THRESHOLDS + PRICES.replace(old, new)) == message
