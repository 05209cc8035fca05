"""A report is one file that a browser shows and loads nothing for."""

import re
from pathlib import Path

import pytest
from jinja2 import UndefinedError

from foregone.render.report import TEMPLATES, render_report


def test_a_report_whose_value_is_missing_is_not_written() -> None:
    with pytest.raises(UndefinedError):
        render_report("gate.html.jinja", red=[])


@pytest.mark.parametrize("path", sorted(TEMPLATES.iterdir()), ids=lambda path: path.name)
def test_no_template_refers_to_anything_or_lets_text_through_as_markup(path: Path) -> None:
    assert (
        re.findall(r"<script|<link|<img|src=|href=|url\(|@import|\|\s*safe|autoescape", path.read_text("utf-8")) == []
    )
