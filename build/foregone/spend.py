"""What the commands that call an API have spent today, against the committed daily cap."""

import json
from dataclasses import dataclass
from pathlib import Path

from foregone.errors import Refused
from foregone.files import write_atomically
from foregone.located import load_json

KEPT_DAYS = 31


@dataclass(frozen=True, slots=True)
class Ledger:
    """A file of dates and US dollars; one command at a time may use it."""

    path: Path
    today: str
    """Date, e.g. `2026-12-01`."""
    cap_usd: float

    def spent(self) -> float:
        """US dollars of today."""
        return self._days().get(self.today, 0.0)

    def reserve(self, usd: float) -> None:
        """Count `usd` as spent before it is; Refused where today's cap would be passed."""
        spent = self.spent()
        if spent + usd > self.cap_usd:
            raise Refused(
                "daily-cap",
                "the daily cap would be passed",
                where="eval/thresholds.yaml: budget.daily_cap_usd",
                why=(f"{spent:.4f} USD spent on {self.today}, {usd:.4f} more wanted, {self.cap_usd:.4f} allowed",),
                mend="go on tomorrow: what was embedded is kept; or raise the cap",
            )
        self._write(spent + usd)

    def settle(self, reserved: float, actual: float) -> None:
        """Put what was spent in the place of what was reserved."""
        self._write(max(0.0, self.spent() - reserved + actual))

    def _days(self) -> dict[str, float]:
        """Date -> US dollars; days that lie ahead stay too, for a clock may be set back."""
        if not self.path.exists():
            return {}
        days = load_json(self.path, mend="delete the file; the cap then counts from nothing").any_mapping()
        return {day: usd.number(0, 1e9) for day, usd in days.items()}

    def _write(self, usd: float) -> None:
        days = {**self._days(), self.today: round(usd, 9)}
        kept = {day: days[day] for day in sorted(days)[-KEPT_DAYS:]}
        write_atomically(self.path, (json.dumps(kept, indent=1) + "\n").encode())
