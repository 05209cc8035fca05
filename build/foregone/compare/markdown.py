"""A comparison as Markdown, made to be posted on a pull request (GitHub Flavored Markdown, version 0.29).

What a run says of itself stands in code spans, where nothing is a link, a mention or HTML.
"""

import re
from collections.abc import Iterable, Iterator

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

SHOWN = 50
"""Questions in the table; a comment may hold 65,536 characters."""
SHOWN_IDS = 10
SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&])")


def markdown(comparison: Comparison) -> str:
    """The report; one sentence where nothing changed."""
    if comparison.is_same:
        return f"{text(headline(comparison))}.\n"
    parts = [f"## {text(headline(comparison))}", "\n".join(_sets(comparison))]
    if comparison.unexplained:
        parts.append(f"**Unexplained: no input accounts for what changed of {_ids(comparison.unexplained)}.**")
    if comparison.changes:
        parts.append("\n".join(_changes(comparison)))
    if comparison.shared:
        parts.append("\n".join(_figures(comparison)))
        parts.append("\n".join(f"- {text(line)}" for line in judgement_lines(comparison)))
    return "\n\n".join(parts) + "\n"


def text(words: str) -> str:
    """Words as they are, nothing in them a sign of Markdown."""
    return SPECIAL.sub(r"\\\1", words)


def code(value: str) -> str:
    """A value as a code span, whatever it holds (CommonMark 0.31, section 6.1).

    >>> print(code("a`b"))
    `` a`b ``
    """
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", value)), default=0))
    return f"{fence} {value} {fence}" if "`" in value else f"{fence}{value}{fence}"


def _sets(comparison: Comparison) -> Iterator[str]:
    a, b = comparison.a, comparison.b
    asked = count(len(a.questions), "question", "questions")
    yield f"A is {code(a.name)} with {asked}, B is {code(b.name)} with {len(b.questions)}."
    yield f"Questions that both asked are paired, and every figure is over these {len(comparison.shared)} alone."
    for run, ids in (("A", comparison.only_a), ("B", comparison.only_b)):
        if ids:
            yield f"Only in {run}: {_ids(ids)}."
    if comparison.turned:
        yield f"Answerable in one run alone, so in no figure that needs it: {_ids(comparison.turned)}."
    if comparison.legs_of_one:
        yield f"Only one run has the ranks of {', '.join(map(code, comparison.legs_of_one))}."
    if comparison.inputs:
        yield f"Inputs that differ, and of how many questions: {text(inputs_in_words(comparison))}."


def _changes(comparison: Comparison) -> Iterator[str]:
    yield from _head("question", "what changed", "cause")
    for change in comparison.changes[:SHOWN]:
        yield _row(code(change.id), text("; ".join(change_in_words(change))), text(cause_in_words(change)))
    more = len(comparison.changes) - SHOWN
    if more > 0:
        yield _row("…", f"{count(more, 'question', 'questions')} more, see `--json`", "")


def _figures(comparison: Comparison) -> Iterator[str]:
    yield from _head("figure", "A", "B", "B - A")
    for figure in comparison.figures:
        values = (figure_in_words(figure.a), figure_in_words(figure.b), signed(figure.difference))
        yield _row(text(heading(figure.name)), *map(text, values))


def _head(*cells: str) -> Iterable[str]:
    return _row(*cells), _row(*("---" for _ in cells))


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _ids(ids: tuple[str, ...]) -> str:
    """Ids, the first of them where there are many."""
    more = len(ids) - SHOWN_IDS
    return ", ".join((*map(code, ids[:SHOWN_IDS]), *((f"and {more} more",) if more > 0 else ())))
