"""The report as JUnit XML, in the form that the viewers of Jenkins, GitLab and GitHub have in common.

No standard describes it; this is a part of Jenkins' own schema, junit-10.xsd of its xUnit plugin.
"""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from foregone.gate.report.shown import show
from foregone.gate.verdict import Verdict

NAME = "foregone gate"


def junit_report(verdicts: Sequence[Verdict]) -> bytes:
    """One suite, a case for each verdict; what could not be measured is an error, what regressed a failure."""
    counts = {
        "tests": str(len(verdicts)),
        "failures": str(sum(verdict.outcome == "failed" for verdict in verdicts)),
        "errors": str(sum(verdict.outcome == "not_measured" for verdict in verdicts)),
    }
    suites = ET.Element("testsuites", {"name": NAME, **counts, "time": "0"})
    suite = ET.SubElement(suites, "testsuite", {"name": NAME, **counts, "skipped": "0", "time": "0"})
    for verdict in verdicts:
        _add_case(suite, verdict)
    ET.indent(suites)
    text: str = ET.tostring(suites, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def _add_case(suite: ET.Element, verdict: Verdict) -> None:
    shown = show(verdict)
    check = shown.name.split("/", 1)[0]
    case = ET.SubElement(suite, "testcase", classname=f"gate.{check}", name=shown.name, time="0")
    if not verdict.ok:
        kind = "failure" if verdict.outcome == "failed" else "error"
        red = ET.SubElement(case, kind, type=check, message=shown.held)
        red.text = "\n".join((shown.where, *shown.why, f"mend: {shown.mend}"))
