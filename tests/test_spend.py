"""What was spent is counted by day, whatever the clock does."""

from pathlib import Path

import pytest

from foregone.errors import Refused
from foregone.spend import Ledger


def test_a_new_day_begins_at_nothing(tmp_path: Path) -> None:
    Ledger(tmp_path / "spend.json", "2026-12-01", 1.0).reserve(0.75)

    assert Ledger(tmp_path / "spend.json", "2026-12-02", 1.0).spent() == 0.0


def test_a_clock_that_is_set_back_and_forth_forgets_nothing(tmp_path: Path) -> None:
    path = tmp_path / "spend.json"
    Ledger(path, "2026-12-02", 1.0).reserve(0.75)
    Ledger(path, "2026-12-01", 1.0).reserve(0.5)

    assert [Ledger(path, day, 1.0).spent() for day in ("2026-12-01", "2026-12-02")] == [0.5, 0.75]


def test_what_was_not_spent_is_given_back(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "spend.json", "2026-12-01", 1.0)
    ledger.reserve(0.75)

    ledger.settle(0.75, 0.25)
    assert ledger.spent() == 0.25


def test_a_month_is_kept(tmp_path: Path) -> None:
    for day in range(1, 32):
        Ledger(tmp_path / "spend.json", f"2026-12-{day:02d}", 1.0).reserve(0.1)
    Ledger(tmp_path / "spend.json", "2027-01-01", 1.0).reserve(0.1)

    assert (tmp_path / "spend.json").read_text("utf-8").count("2026-12") == 30


def test_the_cap_itself_may_be_spent_and_nothing_more(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "spend.json", "2026-12-01", 0.003)
    ledger.reserve(0.003)

    with pytest.raises(Refused) as refused:
        ledger.reserve(0.0001)
    assert str(refused.value) == (
        "error[daily-cap]: the daily cap would be passed\n"
        "  --> eval/thresholds.yaml: budget.daily_cap_usd\n"
        "  0.0030 USD spent on 2026-12-01, 0.0001 more wanted, 0.0030 allowed\n"
        "  mend: go on tomorrow: what was embedded is kept; or raise the cap"
    )
    assert ledger.spent() == 0.003


def test_what_is_free_needs_no_cap(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "spend.json", "2026-12-01", 0.0)
    ledger.reserve(0.0)

    assert ledger.spent() == 0.0


def test_a_ledger_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "spend.json").write_text('{"2026-12-01": "much"}', encoding="utf-8")

    with pytest.raises(Refused) as refused:
        Ledger(tmp_path / "spend.json", "2026-12-01", 1.0).reserve(0.1)
    assert str(refused.value) == (
        "error[bad-number]: 2026-12-01 is 'much'\n"
        f"  --> {tmp_path}/spend.json:1\n"
        "  expected a number from 0 to 1e+09\n"
        "  mend: write such a number"
    )
