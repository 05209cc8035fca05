"""`foregone gate`: is everything at least as good as what is committed? 0 green, 1 regressed, 2 could not run."""

import os
import time
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from foregone.commands.output import note, say, say_json
from foregone.errors import Misused, Refused
from foregone.gate.checks import CHECKS, run_checks
from foregone.gate.observe import observe
from foregone.gate.report.github import annotations, summary
from foregone.gate.report.html import html_report
from foregone.gate.report.json_report import report_value
from foregone.gate.report.junit import junit_report
from foregone.gate.report.sarif import sarif_report
from foregone.gate.report.terminal import report_lines
from foregone.gate.verdict import Verdict
from foregone.progress import Progress
from foregone.project import load_project

Renderer = Callable[[tuple[Verdict, ...]], bytes]
REPORTS: dict[str, Renderer] = {"junit": junit_report, "sarif": sarif_report, "html": html_report}
"""Option that names a file -> what is written there."""


def gate(arguments: Namespace) -> int:
    """Run every check, report every verdict."""
    if arguments.list:
        for check in CHECKS:
            say(f"{', '.join(check.names)}: {check.asks}")
        return 0
    try:
        verdicts = _verdicts(arguments)
    except Refused as refused:
        raise Misused(refused.code, refused.what, where=refused.where, why=refused.why, mend=refused.mend) from refused
    if not verdicts:
        raise Misused(
            "no-check", f"no check is named {', '.join(arguments.only)}", mend="`foregone gate --list` names them"
        )
    _report(arguments, verdicts)
    return 0 if all(verdict.ok for verdict in verdicts) else 1


def _verdicts(arguments: Namespace) -> tuple[Verdict, ...]:
    project = load_project(arguments.project)
    with Progress("gate") as progress:
        return run_checks(observe(project, time.monotonic, progress.step), arguments.only or ())


def _report(arguments: Namespace, verdicts: tuple[Verdict, ...]) -> None:
    if arguments.json:
        say_json(report_value(verdicts))
    else:
        for line in report_lines(verdicts):
            say(line)
    for option, render in REPORTS.items():
        path: Path | None = getattr(arguments, option)
        if path:
            _write(path, render(verdicts), "wb")
    if os.environ.get("GITHUB_ACTIONS") == "true":
        for line in annotations(verdicts):
            note(line)
        if page := os.environ.get("GITHUB_STEP_SUMMARY"):
            # The file is the workflow's own, and the step may have written to it before.
            _write(Path(page), summary(verdicts).encode(), "ab")


def _write(path: Path, content: bytes, mode: Literal["wb", "ab"]) -> None:
    """A report that cannot be written is no regression: the command fails as one that could not run."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open(mode) as file:
            file.write(content)
    except OSError as error:
        raise Misused(
            "unwritable",
            f"the report {path} cannot be written",
            where=str(path),
            why=(str(error.strerror),),
            mend="name a file that can be written",
        ) from error
