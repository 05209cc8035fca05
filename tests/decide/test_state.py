"""A state follows from the verdicts, and the outcome can only lower it."""

from itertools import product

import pytest

from foregone.decide.state import STATES, STATUS, State, decide_state, state_by_check_alone
from foregone.draft.draft import OUTCOMES, Outcome
from foregone.ground.outcome import Verdict

VERDICTS: tuple[Verdict, ...] = ("supported", "withdrawn")
TUPLES = [verdicts for length in range(4) for verdicts in product(VERDICTS, repeat=length)]
WORST_FIRST: tuple[State, ...] = ("unsupported", "partial", "grounded")


def as_stated(outcome: Outcome, verdicts: tuple[Verdict, ...]) -> State:
    """`grounded` needs `answered` and every claim kept; otherwise any kept claim gives `partial`, none `unsupported`."""
    if "supported" not in verdicts:
        return "unsupported"
    if outcome == "answered" and "withdrawn" not in verdicts:
        return "grounded"
    return "partial"


@pytest.mark.parametrize("outcome", OUTCOMES)
@pytest.mark.parametrize("verdicts", TUPLES, ids="-".join)
def test_every_outcome_and_verdicts_give_the_state_that_is_stated(
    outcome: Outcome, verdicts: tuple[Verdict, ...]
) -> None:
    assert decide_state(outcome, verdicts) == as_stated(outcome, verdicts)


@pytest.mark.parametrize(
    ("outcome", "verdicts", "state"),
    [
        ("answered", [], "unsupported"),
        ("answered", ["supported"], "grounded"),
        ("answered", ["withdrawn"], "unsupported"),
        ("answered", ["supported", "withdrawn"], "partial"),
        ("partly", ["supported"], "partial"),
        ("partly", ["withdrawn"], "unsupported"),
        ("not_answered", ["supported"], "partial"),
        ("not_answered", [], "unsupported"),
    ],
)
def test_states_in_words(outcome: Outcome, verdicts: list[Verdict], state: State) -> None:
    assert decide_state(outcome, verdicts) == state


@pytest.mark.parametrize("verdicts", TUPLES, ids="-".join)
def test_no_outcome_raises_a_state_above_that_of_the_check(verdicts: tuple[Verdict, ...]) -> None:
    alone = WORST_FIRST.index(state_by_check_alone(verdicts))

    assert all(WORST_FIRST.index(decide_state(outcome, verdicts)) <= alone for outcome in OUTCOMES)


@pytest.mark.parametrize("outcome", OUTCOMES)
@pytest.mark.parametrize("verdicts", [verdicts for verdicts in TUPLES if "supported" in verdicts], ids="-".join)
def test_withdrawing_a_claim_never_raises_a_state(outcome: Outcome, verdicts: tuple[Verdict, ...]) -> None:
    place = verdicts.index("supported")
    fewer: list[Verdict] = [*verdicts[:place], "withdrawn", *verdicts[place + 1 :]]

    states = [WORST_FIRST.index(decide_state(outcome, kept)) for kept in (fewer, verdicts)]
    assert states == sorted(states)


@pytest.mark.parametrize("verdicts", TUPLES, ids="-".join)
def test_the_check_alone_takes_every_draft_as_answered(verdicts: tuple[Verdict, ...]) -> None:
    assert state_by_check_alone(verdicts) == as_stated("answered", verdicts)


def test_only_no_context_is_a_failure_of_the_service() -> None:
    assert {state: STATUS[state] for state in STATES} == {
        "grounded": 200,
        "partial": 200,
        "unsupported": 200,
        "no_context": 503,
    }
