"""Where a verdict points, as code hosts want it: a path from the folder of the run, and a line."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

FORM = re.compile(r"(.*?)(?::([1-9][0-9]{0,8})|: [a-z_.]+)?", re.DOTALL)
"""A path, then a line or the name of a value; a path may hold colons of its own."""


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file, or a file or folder, be it there or not."""

    path: str
    """From the folder of the run, with strokes between its parts; absolute where it lies outside of that folder."""
    line: int | None


def place_of(where: str) -> Place:
    """The place that `path:line` or a path names.

    >>> place_of("eval/questions.yaml:12")
    Place(path='eval/questions.yaml', line=12)
    """
    match = FORM.fullmatch(where)
    assert match is not None
    here = Path.cwd()
    path = Path(os.path.normpath(here / match[1]))
    shown = path.relative_to(here) if path.is_relative_to(here) else path
    return Place(shown.as_posix(), int(match[2]) if match[2] else None)
