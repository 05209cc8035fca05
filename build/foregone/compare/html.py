"""A comparison as one HTML file that needs nothing else."""

from foregone.compare.comparison import Comparison
from foregone.compare.words import (
    cause_in_words,
    change_in_words,
    count,
    figure_in_words,
    heading,
    headline,
    inputs_in_words,
    judgement_lines,
    signed,
)
from foregone.render.report import render_report


def html_report(comparison: Comparison) -> bytes:
    """What changed first, then the figures and what they are worth."""
    return render_report(
        "comparison.html.jinja",
        headline=headline(comparison),
        comparison=comparison,
        asked=count(len(comparison.a.questions), "question", "questions"),
        inputs=inputs_in_words(comparison),
        changes=[
            {"id": change.id, "what": tuple(change_in_words(change)), "cause": cause_in_words(change)}
            for change in comparison.changes
        ],
        figures=[
            {
                "name": heading(figure.name),
                "a": figure_in_words(figure.a),
                "b": figure_in_words(figure.b),
                "difference": signed(figure.difference),
            }
            for figure in comparison.figures
        ],
        judgements=tuple(judgement_lines(comparison)),
    )
