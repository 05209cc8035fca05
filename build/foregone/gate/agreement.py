"""Thresholds against the question set and the index that they were set on: where they disagree, the gate cannot run."""

from foregone.errors import Refused
from foregone.retrieve.questions import QuestionSet
from foregone.thresholds import RefusalFloors, RetrievalFloors, Thresholds

MEND = "`foregone bless --thresholds` writes the thresholds anew from what is measured; read its diff"


def require_floors(thresholds: Thresholds) -> tuple[RetrievalFloors, RefusalFloors]:
    """The floors; Refused where a number that the gate holds things to is not set."""
    retrieval, refusal = thresholds.retrieval, thresholds.refusal
    if retrieval is None or refusal is None:
        raise Refused(
            "no-threshold",
            "the thresholds have no floors for retrieval and refusal",
            where=str(thresholds.located.source.path),
            mend=MEND,
        )
    for name in ("max_rebuild_usd", "max_rerecord_usd", "prices"):
        if getattr(thresholds.budget, name) is None:
            raise Refused(
                "no-threshold",
                f"budget has no {name!r}",
                where=thresholds.where("budget"),
                mend="add it, see docs/inputs.md",
            )
    return retrieval, refusal


def refuse_disagreement(thresholds: Thresholds, questions: QuestionSet, committed_index: str | None) -> None:
    """Refused with file and line where a rank ceiling is missing or of nothing, or the floors are of another index."""
    assert thresholds.retrieval is not None
    ceilings = thresholds.retrieval.max_rank
    answerable = [question.id for question in questions.questions if question.answerable]
    missing = [name for name in answerable if name not in ceilings]
    if missing:
        raise Refused(
            "no-ceiling",
            f"{len(missing)} answerable questions have no rank ceiling",
            where=questions.where(missing[0]),
            why=(", ".join(missing),),
            mend="add them to retrieval.max_rank: the measured rank plus two; " + MEND,
        )
    stray = [name for name in ceilings if name not in answerable]
    if stray:
        raise Refused(
            "stray-ceiling",
            f"retrieval.max_rank has a ceiling for {stray[0]!r}, which is no answerable question",
            where=thresholds.where("retrieval", "max_rank", stray[0]),
            why=(f"{len(stray)} such: {', '.join(stray)}",),
            mend="remove it, or restore the question",
        )
    if thresholds.measured_on != committed_index:
        raise Refused(
            "other-index",
            f"the floors were measured on the index {thresholds.measured_on}",
            where=thresholds.where("measured_on"),
            why=(f"the committed index is {committed_index or 'missing'}",),
            mend="build that index, or measure anew: " + MEND,
        )
