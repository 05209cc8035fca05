"""What the commands that call an API have spent today, against the committed daily cap."""

import json
from dataclasses import dataclass
from pathlib import Path

from foregone.errors import Refused
from foregone.files import write_atomically
from foregone.located import load_json


@dataclass(frozen=True, slots=True)
class Ledger:
    """A file of dates and US dollars; one command at a time may use it."""

    path: Path
    today: str
    """Date, e.g. `2026-12-01`."""
    cap_usd: float

    def spent(self) -> float:
        """US dollars of today."""
        if not self.path.exists():
            return 0.0
        days = load_json(self.path, mend="delete the file; the cap then counts from nothing").any_mapping()
        return days[self.today].number(0, 1e9) if self.today in days else 0.0

    def reserve(self, usd: float) -> None:
        """Count `usd` as spent before it is; Refused where today's cap would be passed."""
        spent = self.spent()
        if spent + usd > self.cap_usd:
            raise Refused(
                "daily-cap",
                "the daily cap would be passed",
                where="eval/thresholds.yaml: budget.daily_cap_usd",
                why=(f"{spent:.4f} USD spent on {self.today}, {usd:.4f} more wanted, {self.cap_usd:.2f} allowed",),
                mend="go on tomorrow: what was embedded is kept; or raise the cap",
            )
        self._write(spent + usd)

    def settle(self, reserved: float, actual: float) -> None:
        """Put what was spent in the place of what was reserved."""
        self._write(max(0.0, self.spent() - reserved + actual))

    def _write(self, usd: float) -> None:
        write_atomically(self.path, (json.dumps({self.today: round(usd, 9)}) + "\n").encode())
