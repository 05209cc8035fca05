"""The report for a terminal: what is red with where and how to mend it, then every verdict in a line."""

from collections.abc import Iterator, Sequence

from foregone.gate.report.shown import MARKS, show, worst_first
from foregone.gate.verdict import Verdict
from foregone.table import table


def report_lines(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """All lines; checks that give a verdict for each question are counted where they passed."""
    red = [verdict for verdict in worst_first(verdicts) if not verdict.ok]
    for verdict in red:
        yield from _red_lines(verdict)
    if red:
        yield ""
    yield from table([("", "check", "measured", "limit"), *_rows(verdicts)], left=2)
    counts = {outcome: sum(verdict.outcome == outcome for verdict in verdicts) for outcome in MARKS}
    parts = [f"{counts['passed']} passed", f"{counts['failed']} failed", f"{counts['not_measured']} not measured"]
    yield f"gate {'red' if red else 'green'}: {', '.join(parts)}"


def _red_lines(verdict: Verdict) -> Iterator[str]:
    shown = show(verdict)
    yield f"{shown.mark} {shown.name}: {shown.held}"
    yield f"  --> {shown.where}"
    yield from (f"  {line}" for line in shown.why)
    yield f"  mend: {shown.mend}"


def _rows(verdicts: Sequence[Verdict]) -> Iterator[tuple[str, ...]]:
    for verdict in worst_first(verdicts):
        if not (verdict.ok and "/" in verdict.name):
            shown = show(verdict)
            yield shown.mark, shown.name, shown.measured, shown.limit
    for check in dict.fromkeys(verdict.check for verdict in verdicts if "/" in verdict.name):
        of_check = [verdict for verdict in verdicts if verdict.check == check]
        passed = sum(verdict.ok for verdict in of_check)
        mark = MARKS["passed"] if passed == len(of_check) else ""
        yield mark, f"{check}/*", f"{passed} of {len(of_check)}", "each its own"
