"""The report as one HTML file that needs nothing else: no script, no other file, no other host."""

from collections.abc import Sequence

from foregone.gate.report.shown import show, worst_first
from foregone.gate.verdict import Verdict
from foregone.render.report import render_report


def html_report(verdicts: Sequence[Verdict]) -> bytes:
    """What is red first, then what passed."""
    red = [show(verdict) for verdict in worst_first(verdicts) if not verdict.ok]
    passed = [show(verdict) for verdict in verdicts if verdict.ok]
    return render_report("gate.html.jinja", red=red, passed=passed)
