"""What was spent is counted by day, whatever the clock does."""

from pathlib import Path

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
