"""Verdicts as people read them: every value as one line of printable text, the worst verdicts first."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from foregone.gate.verdict import Outcome, Value, Verdict

MARKS: dict[Outcome, str] = {"failed": "FAILED", "not_measured": "NOT MEASURED", "passed": "ok"}
"""Outcome -> what it is called, the worst first."""
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")
"""What breaks a line, what terminals obey, what XML 1.0 forbids (section 2.2), and what UTF-8 cannot hold."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A verdict in words."""

    name: str
    mark: str
    """One of MARKS."""
    measured: str
    limit: str
    where: str
    why: tuple[str, ...]
    mend: str

    @property
    def held(self) -> str:
        """What was measured beside what it is held to."""
        return f"{self.measured}, limit {self.limit}"


def show(verdict: Verdict) -> Shown:
    """The verdict in words."""
    return Shown(
        name=printable(verdict.name),
        mark=MARKS[verdict.outcome],
        measured=in_words(verdict.measured),
        limit=in_words(verdict.limit),
        where=printable(verdict.where),
        why=tuple(map(printable, verdict.why)),
        mend=printable(verdict.mend),
    )


def worst_first(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """What failed, then what was not measured, then what passed; each in the order of the checks."""
    order = list(MARKS)
    return sorted(verdicts, key=lambda verdict: order.index(verdict.outcome))


def in_words(value: Value) -> str:
    """A value as a person reads it.

    >>> [in_words(value) for value in (None, 0.8194444, 1.0, 5000, "as asked")]
    ['-', '0.819444', '1', '5000', 'as asked']
    """
    if value is None:
        return "-"
    return f"{value:.6g}" if isinstance(value, float) else printable(str(value))


def printable(text: str) -> str:
    r"""`text` on one line: a character that reports cannot hold stands as its escape.

    >>> printable("a\x1b[31m\nb")
    'a\\x1b[31m\\nb'
    """
    return UNPRINTABLE.sub(lambda match: ascii(match[0])[1:-1], text)
