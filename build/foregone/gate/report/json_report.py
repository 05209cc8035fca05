"""The report as data: `foregone gate --json`."""

from collections.abc import Sequence
from typing import Any

from foregone.gate.verdict import Verdict


def report_value(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """The report; its schema is published as `gate`."""
    return {
        "format": 1,
        "ok": all(verdict.ok for verdict in verdicts),
        "counts": {
            outcome: sum(verdict.outcome == outcome for verdict in verdicts)
            for outcome in ("passed", "failed", "not_measured")
        },
        "checks": [
            {
                "name": verdict.name,
                "ok": verdict.ok,
                "outcome": verdict.outcome,
                "measured": verdict.measured,
                "limit": verdict.limit,
                "where": verdict.where,
                "why": list(verdict.why),
                "mend": verdict.mend,
            }
            for verdict in verdicts
        ],
    }
