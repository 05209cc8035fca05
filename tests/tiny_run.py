"""Evaluation runs in memory, small enough to see at a glance; a test states only what differs.

    a = tiny_run(asked("whistle"), asked("lid"))
    b = tiny_run(asked("whistle", state="partial", draft=1), asked("lid"), code=1)

Inputs are numbered: `draft=1` is another draft than that of every other run. A question whose expectation is not
`answerable` has no rank.
"""

from dataclasses import replace
from typing import Any

from foregone.compare.run import Asked, Claim, Run
from foregone.measure.results import OWN_INPUTS, SHARED_INPUTS


def digest(number: int) -> str:
    """A digest that is not that of another number."""
    return f"sha256:{number:064x}"


def claim(number: int, *rules: str) -> Claim:
    """A claim, withdrawn where a rule is named."""
    return Claim(digest(number), "withdrawn" if rules else "supported", rules)


def asked(id_: str, *claims: Claim, fused: int | None = 1, dense: int | None = 1, **differing: Any) -> Asked:  # noqa: ANN401 - any field
    """A question that is answered as expected, but for what is `differing`: fields, or numbers of inputs."""
    own = {name: digest(differing.pop(name, 0)) for name in OWN_INPUTS if name != "review"}
    expected = differing.setdefault("expected", "answerable")
    answerable = expected == "answerable"
    state = differing.setdefault("state", "grounded" if answerable else expected)
    good = Asked(
        id=id_,
        ranks={"fused": fused, "dense": dense} if answerable else {},
        in_evidence=True if answerable else None,
        expected=expected,
        state=state,
        by_check_alone=state,
        outcome="answered" if answerable else "not_answered",
        answered=state == "grounded",
        agrees=state == ("grounded" if answerable else expected),
        claims=claims,
        inputs={**own, "review": None},
    )
    return replace(good, **differing)


def tiny_run(*questions: Asked, name: str = "run", **inputs: int) -> Run:
    """A run of these questions; `inputs` are the numbers of what they have in common."""
    shared = {input_: digest(inputs.get(input_, 0)) for input_ in SHARED_INPUTS}
    whole = {one.id: replace(one, inputs={**shared, **one.inputs}) for one in questions}
    return Run(name, "0123456789ab", shared, whole)
