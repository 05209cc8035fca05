"""Checks of answers: enough of them grounded, refusals where refusals belong, and no answer that the corpus lacks."""

from collections.abc import Iterator
from functools import partial

from foregone.evaluation import Evaluation
from foregone.gate.observation import Observation, measured
from foregone.gate.verdict import Verdict, judge
from foregone.measure.answers import AnswerFigures, Judged

MEND = "see which answers changed with `foregone compare`; drafts and questions are not edited to please the check"
RATES = {"grounded-rate": "grounded_rate", "state-agreement": "state_agreement"}


def check_rates(seen: Observation) -> Iterator[Verdict]:
    """The grounded rate and the agreement of states are not below their floors."""
    floors = {"grounded-rate": seen.refusal.min_grounded_rate, "state-agreement": seen.refusal.min_state_agreement}
    for name, floor in floors.items():
        yield from measured(name, seen.evaluation, partial(_above, seen, name, floor))


def check_unanswerable(seen: Observation) -> Iterator[Verdict]:
    """Not more questions are answered that the corpus does not answer than allowed."""
    yield from measured("answered-unanswerable", seen.evaluation, partial(_answered, seen))


def _above(seen: Observation, name: str, floor: float, found: Evaluation) -> Verdict:
    figures = _answers(found)
    metric = figures.metrics()[RATES[name]]
    value = metric.value
    return judge(
        name,
        ok=value is None or value >= floor,
        measured="nothing to measure" if value is None else round(value, 6),
        limit=floor,
        where=seen.project.thresholds.where("refusal", f"min_{RATES[name]}"),
        why=(f"{value or 0:.4f} over {metric.n} questions, at least {floor} wanted", *_named(name, figures)),
        mend=MEND,
    )


def _named(name: str, figures: AnswerFigures) -> tuple[str, ...]:
    if name == "grounded-rate":
        return ()
    wrong = [one for one in figures.unanswerable if not one.agrees]
    return tuple(f"{one.answer.question.id}: {one.state}, {one.expected} expected" for one in wrong)


def _answered(seen: Observation, found: Evaluation) -> Verdict:
    wrong: list[Judged] = [one for one in _answers(found).unanswerable if one.is_answered]
    limit = seen.refusal.max_answered_unanswerable
    return judge(
        "answered-unanswerable",
        ok=len(wrong) <= limit,
        measured=len(wrong),
        limit=limit,
        where=seen.questions.where(wrong[0].answer.question.id)
        if len(wrong) > limit
        else seen.project.thresholds.where("refusal", "max_answered_unanswerable"),
        why=tuple(f"{one.answer.question.id}: {one.state}; {one.answer.question.why}" for one in wrong),
        mend=MEND,
    )


def _answers(found: Evaluation) -> AnswerFigures:
    assert found.answers is not None
    return found.answers
