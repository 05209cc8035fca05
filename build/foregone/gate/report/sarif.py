"""The report as SARIF 2.1.0 (OASIS Standard with Errata 01), which code hosts show beside the line concerned."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from foregone import __version__
from foregone.digest import digest_text
from foregone.gate.checks import CHECKS
from foregone.gate.report.place import place_of
from foregone.gate.report.shown import show
from foregone.gate.verdict import Verdict

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
BASE = "%SRCROOT%"
"""What relative paths start from (section 3.4.4): the folder of the run."""
FINGERPRINT = "primaryLocationLineHash"
"""The one that GitHub looks at; without it, an alert would be another one whenever a floor moves to another line."""


def sarif_report(verdicts: Sequence[Verdict]) -> bytes:
    """One run; a rule for each check, a result for each verdict that is red."""
    driver = {
        "name": "foregone gate",
        "version": __version__,
        "rules": [_rule(name, check.asks) for check in CHECKS for name in check.names],
    }
    results = [_result(verdict) for verdict in verdicts if not verdict.ok]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    report = {"version": "2.1.0", "$schema": SCHEMA, "runs": [run]}
    return (json.dumps(report, ensure_ascii=False, indent=1) + "\n").encode()


def _rule(name: str, asks: str) -> dict[str, Any]:
    """A rule with all that GitHub requires of one."""
    text = {"text": _message(asks)}
    return {"id": name, "shortDescription": text, "fullDescription": text, "help": text}


def _result(verdict: Verdict) -> dict[str, Any]:
    shown = show(verdict)
    lines = (f"{shown.name}: {shown.held}", *shown.why, f"mend: {shown.mend}")
    return {
        "ruleId": verdict.check,
        "level": "error",
        "message": {"text": _message("\n".join(lines))},
        "locations": [{"physicalLocation": _location(verdict.where)}],
        "partialFingerprints": {FINGERPRINT: digest_text(shown.name)},
    }


def _location(where: str) -> dict[str, Any]:
    """The place as URI and line; GitHub requires a line of a whole file, a folder and a missing file too."""
    place = place_of(where)
    path = Path(place.path)
    artifact = {"uri": path.as_uri()} if path.is_absolute() else {"uri": _relative(path), "uriBaseId": BASE}
    return {"artifactLocation": artifact, "region": {"startLine": place.line or 1}}


def _relative(path: Path) -> str:
    """A relative reference (RFC 3986 section 4.2): its colons are encoded, so that none ends a scheme."""
    return quote(os.fsencode(path.as_posix()))


def _message(text: str) -> str:
    """`text` as a message string, in which braces are doubled (section 3.11.5), and no `](` makes a link (3.11.6)."""
    return text.replace("{", "{{").replace("}", "}}").replace("](", "] (")
