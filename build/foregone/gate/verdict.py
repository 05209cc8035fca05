"""What one check says."""

from dataclasses import dataclass
from typing import Literal

Outcome = Literal["passed", "failed", "not_measured"]
Value = float | int | str | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """One thing that was checked."""

    name: str
    """e.g. `recall@10`, or `rank/<question>`."""
    outcome: Outcome
    """What could not be measured has not passed."""
    measured: Value
    """None: not measured, or not in the ranking."""
    limit: Value
    """What it is held to; None: nothing that can be said as one value."""
    where: str
    """`path:line` of the threshold, question or draft concerned, or a path."""
    why: tuple[str, ...]
    """What is wrong, a line each; empty where it passed."""
    mend: str
    """How to mend it; empty where it passed."""

    @property
    def ok(self) -> bool:
        """Whether it passed."""
        return self.outcome == "passed"

    @property
    def check(self) -> str:
        """The check that gave it: the name up to its first stroke."""
        return self.name.split("/", 1)[0]


def judge(
    name: str, *, ok: bool, measured: Value, limit: Value, where: str, why: tuple[str, ...] = (), mend: str
) -> Verdict:
    """The verdict on something measured; `why` and `mend` are kept only where it failed."""
    if ok:
        return Verdict(name, "passed", measured, limit, where, (), "")
    return Verdict(name, "failed", measured, limit, where, why, mend)


def not_measured(name: str, why: tuple[str, ...], where: str, mend: str, limit: Value = None) -> Verdict:
    """The verdict on something that could not be measured."""
    return Verdict(name, "not_measured", None, limit, where, why, mend)
