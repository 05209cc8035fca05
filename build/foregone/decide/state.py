"""The states of an answer, and what decides them."""

from collections.abc import Sequence
from typing import Literal

from foregone.draft.draft import Outcome
from foregone.ground.outcome import Verdict

State = Literal["grounded", "partial", "unsupported", "no_context"]
STATES: tuple[State, ...] = ("grounded", "partial", "unsupported", "no_context")
STATUS: dict[State, int] = {"grounded": 200, "partial": 200, "unsupported": 200, "no_context": 503}
"""HTTP status (RFC 9110 section 15) of an answer in each state."""
ABANDONED_STATUS = 503


def decide_state(outcome: Outcome, verdicts: Sequence[Verdict]) -> State:
    """The state of an answer whose passages could be retrieved.

    `grounded` needs the outcome `answered` and every claim kept; otherwise any kept claim gives `partial`, none
    gives `unsupported`.

    >>> decide_state("answered", ["supported", "withdrawn"])
    'partial'
    """
    kept = sum(verdict == "supported" for verdict in verdicts)
    if kept == 0:
        return "unsupported"
    return "grounded" if outcome == "answered" and kept == len(verdicts) else "partial"


def state_by_check_alone(verdicts: Sequence[Verdict]) -> State:
    """What the state would be if every draft had declared `answered`."""
    return decide_state("answered", verdicts)
