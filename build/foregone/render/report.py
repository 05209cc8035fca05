"""Reports as one HTML file each, with their style inside: made to be uploaded, mailed, and opened from a disk."""

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

TEMPLATES = Path(__file__).parent / "report_templates"


def render_report(name: str, **values: Any) -> bytes:  # noqa: ANN401 - what a template shows
    """The report by the template `name`; every value is escaped, nothing is loaded from anywhere."""
    return _environment().get_template(name).render(**values).encode()


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
