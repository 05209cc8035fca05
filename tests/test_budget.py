"""Every ceiling stands in the committed file: none has a default, none is unknown, out of its range or at odds."""

from pathlib import Path

import pytest

from foregone.budget import Budget, DraftingPrice, Prices, read_budget
from foregone.errors import Refused
from foregone.located import load_yaml
from tiny_corpus import MONEY, THRESHOLDS

CEILINGS = (
    "request_deadline_ms", "max_request_ms", "max_requests_per_minute", "max_client_burst", "trusted_proxy_hops",
    "max_work", "daily_cap_usd", "max_output_tokens",
)  # fmt: skip
LINES = {name: number for number, name in enumerate(CEILINGS, start=2)}
TIGHT = {"request_deadline_ms": 2, "max_request_ms": 1}
"""The shortest deadline with a bar under it."""


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def load(text: str) -> Budget:
    path = Path("thresholds.yaml")
    path.write_text(text, encoding="utf-8")
    return read_budget(load_yaml(path, mend="write it").mapping(("budget",))["budget"])


def refusal(text: str) -> str:
    with pytest.raises(Refused) as refused:
        load(text)
    return str(refused.value)


def having(**values: object) -> str:
    """The tiny project's budget with other values."""
    lines = THRESHOLDS.splitlines()
    for name, value in values.items():
        lines[LINES[name] - 1] = f"  {name}: {value}"
    return "\n".join(lines)


def without(name: str) -> str:
    return "\n".join(line for line in THRESHOLDS.splitlines() if not line.startswith(f"  {name}:"))


def test_the_budget_is_what_the_file_says() -> None:
    assert load(THRESHOLDS + MONEY) == Budget(
        request_deadline_ms=15_000,
        max_request_ms=50,
        max_requests_per_minute=1,
        max_client_burst=10,
        trusted_proxy_hops=0,
        max_work=5000,
        daily_cap_usd=2.0,
        max_output_tokens=1500,
        max_rebuild_usd=0.01,
        max_rerecord_usd=0.5,
        prices=Prices("2026-12-01", {"tea-net": 0.02}, DraftingPrice("tea-writer", 0.8, 4.0)),
    )


def test_what_the_gate_alone_needs_may_be_left_out() -> None:
    budget = load(THRESHOLDS)

    assert (budget.max_rebuild_usd, budget.max_rerecord_usd, budget.prices) == (None, None, None)


@pytest.mark.parametrize("name", CEILINGS)
def test_no_ceiling_has_a_default(name: str) -> None:
    assert refusal(without(name)) == (
        f"error[missing-key]: budget has no '{name}'\n  --> thresholds.yaml:1\n  mend: add '{name}'"
    )


@pytest.mark.parametrize(
    ("name", "minimum", "maximum", "others"),
    [
        ("request_deadline_ms", 2, 15_000, {"max_request_ms": 1}),
        ("max_request_ms", 1, 7_500, {}),
        ("max_requests_per_minute", 1, 7_500, TIGHT),
        ("max_client_burst", 1, 100_000, {}),
        ("trusted_proxy_hops", 0, 16, {}),
        ("max_work", 1, 1_000_000_000, {}),
        ("max_output_tokens", 1, 1_000_000, {}),
    ],
)
def test_a_ceiling_is_an_integer_within_its_range(
    name: str, minimum: int, maximum: int, others: dict[str, object]
) -> None:
    taken = [getattr(load(having(**others | {name: value})), name) for value in (minimum, maximum)]
    refused = [refusal(having(**others | {name: value})) for value in (minimum - 1, maximum + 1)]

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


@pytest.mark.parametrize("value", ["-0.01", "100000.01", ".nan", "much"])
@pytest.mark.parametrize(("name", "line"), [("daily_cap_usd", 8), ("max_rebuild_usd", 10), ("max_rerecord_usd", 11)])
def test_a_sum_is_an_amount_of_dollars(name: str, line: int, value: str) -> None:
    lines = (THRESHOLDS + MONEY).splitlines()
    lines[line - 1] = f"  {name}: {value}"

    assert refusal("\n".join(lines)) == (
        f"error[bad-number]: budget.{name} is {repr(value) if value == 'much' else value.strip('.')}\n"
        f"  --> thresholds.yaml:{line}\n"
        "  expected a number from 0 to 100000\n"
        "  mend: write such a number"
    )


def test_a_day_may_cost_nothing() -> None:
    assert load(having(daily_cap_usd=0)).daily_cap_usd == 0.0


def test_an_unknown_ceiling_is_refused_at_its_line() -> None:
    assert refusal(THRESHOLDS + "  max_pots: 3\n") == (
        "error[unknown-key]: budget has an unknown key 'max_pots'\n"
        "  --> thresholds.yaml:10\n"
        "  known keys: daily_cap_usd, max_client_burst, max_output_tokens, max_rebuild_usd, max_request_ms, "
        "max_requests_per_minute, max_rerecord_usd, max_work, prices, request_deadline_ms, trusted_proxy_hops\n"
        "  mend: remove the key or correct its spelling"
    )


@pytest.mark.parametrize(("deadline", "bar"), [(150, 75), (151, 75), (2, 1)])
def test_a_bar_of_half_the_deadline_warns_in_time(deadline: int, bar: int) -> None:
    assert load(having(request_deadline_ms=deadline, max_request_ms=bar)).max_request_ms == bar


@pytest.mark.parametrize(("deadline", "bar"), [(150, 76), (151, 76), (3, 2)])
def test_a_bar_above_half_the_deadline_is_refused(deadline: int, bar: int) -> None:
    assert refusal(having(request_deadline_ms=deadline, max_request_ms=bar)) == (
        f"error[late-bar]: budget.max_request_ms is {bar}, more than half the deadline\n"
        "  --> thresholds.yaml:3\n"
        f"  the deadline is {deadline} ms: a bar above half of it warns too late\n"
        f"  mend: write at most {deadline // 2}"
    )


@pytest.mark.parametrize(("deadline", "rate"), [(15_000, 1), (150, 100), (250, 60), (7_000, 2)])
def test_one_client_may_take_a_quarter_of_a_process(deadline: int, rate: int) -> None:
    assert load(having(request_deadline_ms=deadline, max_requests_per_minute=rate)).max_requests_per_minute == rate


@pytest.mark.parametrize(
    ("deadline", "rate", "demanded", "most"),
    [(15_000, 2, "30,000", 1), (150, 101, "15,150", 100), (251, 60, "15,060", 59), (7_501, 2, "15,002", 1)],
)
def test_a_client_that_could_take_more_than_a_quarter_is_refused(
    deadline: int, rate: int, demanded: str, most: int
) -> None:
    assert refusal(having(request_deadline_ms=deadline, max_requests_per_minute=rate)) == (
        f"error[greedy-client]: budget.max_requests_per_minute is {rate}: "
        f"one client could take {demanded} ms of each minute\n"
        "  --> thresholds.yaml:4\n"
        f"  each may take {deadline} ms; a quarter of a minute, 15,000 ms, is allowed\n"
        f"  mend: write at most {most}, or lower the deadline"
    )


def test_prices_of_embedding_are_found_by_model() -> None:
    assert load(THRESHOLDS + MONEY).embedding_prices == {"tea-net": 0.02}


def test_without_prices_no_model_has_one() -> None:
    assert load(THRESHOLDS).embedding_prices == {}


def test_prices_without_a_drafting_model_are_enough_to_embed() -> None:
    drafting = "    drafting: {model: tea-writer, input: 0.80, output: 4.00}\n"

    assert load(THRESHOLDS + MONEY.replace(drafting, "")).prices == Prices("2026-12-01", {"tea-net": 0.02}, None)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            '    date: "2026-12-01"\n',
            "",
            "error[missing-key]: budget.prices has no 'date'\n  --> thresholds.yaml:12\n  mend: add 'date'",
        ),
        (
            'date: "2026-12-01"',
            "date: December",
            (
                "error[bad-value]: budget.prices.date is 'December'\n"
                "  --> thresholds.yaml:13\n"
                "  expected a date such as 2026-12-01\n"
                "  mend: correct the value"
            ),
        ),
        (
            "tea-net: 0.02",
            "tea-net: -0.02",
            (
                "error[bad-number]: budget.prices.usd_per_million_tokens.tea-net is -0.02\n"
                "  --> thresholds.yaml:14\n"
                "  expected a number from 0 to 10000\n"
                "  mend: write such a number"
            ),
        ),
        (
            "tea-net: 0.02",
            "tea-net: .nan",
            (
                "error[bad-number]: budget.prices.usd_per_million_tokens.tea-net is nan\n"
                "  --> thresholds.yaml:14\n"
                "  expected a number from 0 to 10000\n"
                "  mend: write such a number"
            ),
        ),
        (
            "usd_per_million_tokens:",
            "usd_per_token:",
            (
                "error[unknown-key]: budget.prices has an unknown key 'usd_per_token'\n"
                "  --> thresholds.yaml:14\n"
                "  known keys: date, drafting, usd_per_million_tokens\n"
                "  mend: remove the key or correct its spelling"
            ),
        ),
        (
            "model: tea-writer, ",
            "",
            "error[missing-key]: budget.prices.drafting has no 'model'\n  --> thresholds.yaml:15\n  mend: add 'model'",
        ),
        (
            "output: 4.00",
            "output: 10000.01",
            (
                "error[bad-number]: budget.prices.drafting.output is 10000.01\n"
                "  --> thresholds.yaml:15\n"
                "  expected a number from 0 to 10000\n"
                "  mend: write such a number"
            ),
        ),
        (
            "output: 4.00",
            "output: 4.00, cached: 0.08",
            (
                "error[unknown-key]: budget.prices.drafting has an unknown key 'cached'\n"
                "  --> thresholds.yaml:15\n"
                "  known keys: input, model, output\n"
                "  mend: remove the key or correct its spelling"
            ),
        ),
    ],
)
def test_prices_that_cannot_be_are_refused_at_their_line(old: str, new: str, message: str) -> None:
    assert MONEY.count(old) == 1
    assert refusal(THRESHOLDS + MONEY.replace(old, new)) == message
