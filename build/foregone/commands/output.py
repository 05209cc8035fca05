"""Printing: the one place that writes to standard output, and where what a terminal would obey is made visible."""

import json
import sys
from collections.abc import Mapping
from typing import Any

from foregone.characters import make_visible


def say(line: str = "") -> None:
    """Print one line of a result."""
    sys.stdout.write(f"{make_visible(line)}\n")


def say_json(value: Mapping[str, Any]) -> None:
    """Print a result as one JSON document."""
    say(json.dumps(value, ensure_ascii=False, indent=1))


def note(line: str) -> None:
    """Print one line that is not part of the result, on standard error."""
    sys.stderr.write(f"{make_visible(line)}\n")
