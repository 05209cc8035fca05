"""What changed of a question, and the one input that caused it: the leftmost that differs."""

from dataclasses import replace

import pytest

from foregone.compare.change import Change, ClaimChange, Difference, find_change
from foregone.compare.run import Asked
from tiny_run import asked, claim, digest, tiny_run

LEGS = ("fused", "dense")


def change(a: Asked, b: Asked, **inputs: int) -> Change | None:
    """What changed from A to B, whose run differs in `inputs`."""
    before, after = tiny_run(a), tiny_run(b, name="b", **inputs)
    return find_change(before.questions[a.id], after.questions[b.id], LEGS)


def test_what_is_the_same_has_not_changed() -> None:
    assert change(asked("lid", claim(1)), asked("lid", claim(1))) is None


def test_an_input_that_changes_nothing_is_no_change() -> None:
    assert change(asked("lid"), asked("lid", draft=1), code=1, limit=1) is None


def test_a_changed_state_is_told_with_what_follows_from_it() -> None:
    assert change(asked("lid"), asked("lid", state="partial", draft=1)) == Change(
        "lid",
        (
            Difference("state", None, "grounded", "partial", "draft"),
            Difference("by_check_alone", None, "grounded", "partial", "draft"),
            Difference("answered", None, a=True, b=False, cause="draft"),
            Difference("agrees", None, a=True, b=False, cause="draft"),
        ),
        (),
    )


@pytest.mark.parametrize(
    ("own", "shared", "cause"),
    [
        ({"evidence": 1, "draft": 1, "question": 1}, {"corpus": 1, "index": 1, "code": 1}, "corpus"),
        ({"evidence": 1, "draft": 1, "question": 1}, {"index": 1, "retrieval": 1, "code": 1}, "index"),
        ({"evidence": 1, "draft": 1, "question": 1}, {"retrieval": 1, "rules": 1}, "question"),
        ({"evidence": 1, "draft": 1}, {"retrieval": 1, "rules": 1}, "retrieval"),
        ({"evidence": 1, "draft": 1}, {"code": 1}, "code"),
        ({"evidence": 1, "draft": 1}, {}, "unexplained"),
        ({"draft": 1, "question": 1}, {"corpus": 1, "index": 1, "rules": 1, "limit": 1, "code": 1}, "draft"),
        ({}, {"rules": 1, "limit": 1, "code": 1}, "rules"),
        ({}, {"limit": 1, "code": 1}, "limit"),
        ({}, {"code": 1, "corpus": 1}, "code"),
        ({}, {"corpus": 1, "index": 1, "retrieval": 1}, "unexplained"),
        ({}, {}, "unexplained"),
    ],
)
def test_a_changed_state_is_caused_by_the_leftmost_input_that_differs(
    own: dict[str, int], shared: dict[str, int], cause: str
) -> None:
    found = change(asked("lid"), asked("lid", state="partial", **own), **shared)

    assert found is not None
    assert found.causes == (cause,)


def test_a_review_is_a_cause_between_rules_and_limit() -> None:
    a, b = tiny_run(asked("lid")).questions["lid"], tiny_run(asked("lid", state="partial"), limit=1).questions["lid"]
    reviewed = replace(b, inputs={**b.inputs, "review": digest(1)})

    found = find_change(a, reviewed, LEGS)
    assert found is not None
    assert found.cause == "review"


@pytest.mark.parametrize(
    ("own", "shared", "cause"),
    [
        ({"question": 1, "draft": 1}, {"corpus": 1, "index": 1}, "corpus"),
        ({"question": 1, "draft": 1}, {"index": 1, "retrieval": 1}, "index"),
        ({"question": 1, "draft": 1}, {"retrieval": 1}, "question"),
        ({"draft": 1}, {"retrieval": 1, "code": 1}, "retrieval"),
        ({"draft": 1}, {"code": 1, "rules": 1}, "code"),
        ({"draft": 1}, {"rules": 1, "limit": 1}, "unexplained"),
    ],
)
def test_a_changed_rank_is_caused_by_the_leftmost_input_of_retrieval(
    own: dict[str, int], shared: dict[str, int], cause: str
) -> None:
    found = change(asked("lid"), asked("lid", fused=3, **own), **shared)

    assert found is not None
    assert [(one.what, one.leg, one.a, one.b, one.cause) for one in found.differences] == [
        ("rank", "fused", 1, 3, cause)
    ]


def test_each_leg_and_the_evidence_are_told() -> None:
    assert change(asked("lid"), asked("lid", fused=4, dense=None, in_evidence=False), index=1) == Change(
        "lid",
        (
            Difference("rank", "fused", 1, 4, "index"),
            Difference("rank", "dense", 1, None, "index"),
            Difference("in_evidence", None, a=True, b=False, cause="index"),
        ),
        (),
    )


def test_an_answer_and_a_rank_may_change_for_different_causes() -> None:
    found = change(asked("lid"), asked("lid", outcome="partly", fused=2, draft=1), index=1)

    assert found is not None
    assert (found.cause, found.causes) == ("draft", ("draft", "index"))


def test_claims_are_told_apart_by_their_digest() -> None:
    a = asked("lid", claim(1), claim(2), claim(3, "literal"), claim(4, "literal"))
    b = asked("lid", claim(4, "coverage", "literal"), claim(2, "literal"), claim(3), claim(5), claim(6), draft=1)

    assert change(a, b) == Change(
        "lid",
        (Difference("claims", None, 4, 5, "draft"),),
        (
            ClaimChange(digest(1), claim(1), None),
            ClaimChange(digest(2), claim(2), claim(2, "literal")),
            ClaimChange(digest(3), claim(3, "literal"), claim(3)),
            ClaimChange(digest(4), claim(4, "literal"), claim(4, "coverage", "literal")),
            ClaimChange(digest(5), None, claim(5)),
            ClaimChange(digest(6), None, claim(6)),
        ),
    )


def test_a_claim_that_stands_twice_is_counted_twice() -> None:
    found = change(asked("lid", claim(1)), asked("lid", claim(1), claim(1)), rules=1)

    assert found is not None
    assert found.claims == (ClaimChange(digest(1), None, claim(1)),)


def test_claims_in_another_order_are_the_same_claims() -> None:
    assert change(asked("lid", claim(1), claim(2)), asked("lid", claim(2), claim(1))) is None


def test_what_is_expected_changes_with_the_question_alone() -> None:
    a, b = asked("lid", state="partial"), asked("lid", state="partial", expected="partial", outcome="answered")

    assert change(a, replace(b, inputs={**b.inputs, "question": digest(1)})) == Change(
        "lid",
        (
            Difference("agrees", None, a=False, b=True, cause="question"),
            Difference("expected", None, "answerable", "partial", "question"),
        ),
        (),
    )


def test_other_sections_that_answer_a_question_are_a_change_of_the_question() -> None:
    found = change(asked("lid"), asked("lid", fused=7, question=1))

    assert found is not None
    assert found.causes == ("question",)
