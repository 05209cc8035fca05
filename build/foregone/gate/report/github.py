"""The report in GitHub Actions: annotations at the line concerned, and a step summary in Markdown.

Workflow commands: GitHub Docs, Workflow commands for GitHub Actions, "Setting an error message"; their escapes are
those of the package @actions/core, command.ts.
"""

from collections.abc import Iterator, Sequence

from foregone.gate.report.place import place_of
from foregone.gate.report.shown import printable, show, worst_first
from foregone.gate.verdict import Verdict

DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})
CELL = str.maketrans({character: f"&#{ord(character)};" for character in "&<>|`\\*_~[]$"})
"""What ends a cell, or is markup within it; a character reference stands for the character alone (CommonMark 2.5)."""


def annotations(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """An error for each red verdict, at the line of the question or threshold concerned; GitHub shows the first ten."""
    for verdict in worst_first(verdicts):
        if not verdict.ok:
            shown = show(verdict)
            place = place_of(verdict.where)
            line = "" if place.line is None else f",line={place.line}"
            message = "\n".join((shown.held, *shown.why, f"mend: {shown.mend}")).translate(DATA)
            title = f"gate: {shown.name}".translate(PROPERTY)
            yield f"::error file={printable(place.path).translate(PROPERTY)}{line},title={title}::{message}"


def summary(verdicts: Sequence[Verdict]) -> str:
    """The report in Markdown: red verdicts in full, the others counted."""
    red = [verdict for verdict in worst_first(verdicts) if not verdict.ok]
    passed = len(verdicts) - len(red)
    lines = [f"## Gate {'red' if red else 'green'}", "", f"{passed} of {len(verdicts)} checks passed."]
    if red:
        lines += ["", "| check | outcome | measured | limit | where | why | mend |", "|---|---|---|---|---|---|---|"]
        lines += [_row(verdict) for verdict in red]
    return "\n".join(lines) + "\n"


def _row(verdict: Verdict) -> str:
    shown = show(verdict)
    cells = [shown.name, shown.mark, shown.measured, shown.limit, shown.where]
    why = "<br>".join(line.translate(CELL) for line in shown.why)
    return "| " + " | ".join((*(cell.translate(CELL) for cell in cells), why, shown.mend.translate(CELL))) + " |"
