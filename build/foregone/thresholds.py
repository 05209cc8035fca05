"""The committed thresholds, `eval/thresholds.yaml`: ceilings and floors; the code holds none of them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from foregone.budget import Budget, read_budget
from foregone.digest import Digest, digest_text
from foregone.located import Located, load_yaml

FLOORS = ("measured_on", "retrieval", "refusal")
"""What the gate needs besides the budget; all of it or nothing."""
RECALLS = {"recall@1": "min_recall_at_1", "recall@5": "min_recall_at_5", "recall@10": "min_recall_at_10"}
"""Figure -> its floor."""
INDEX_VERSION = re.compile(r"[0-9a-f]{12}")
LOWEST_RANK = 1_000_000


@dataclass(frozen=True, slots=True)
class RetrievalFloors:
    """What retrieval must reach."""

    min_recall: Mapping[str, float]
    """`recall@1`, `recall@5`, `recall@10` -> floor."""
    min_mrr: float
    min_evidence_recall: float
    max_fusion_loss: float
    """How far the fusion may stay behind the best leg, in any of those figures."""
    max_rank: Mapping[str, int | None]
    """Id of each answerable question -> ceiling of its rank; None: its sections were not ranked when it was set."""


@dataclass(frozen=True, slots=True)
class RefusalFloors:
    """What answering must reach, and what must not be answered."""

    min_grounded_rate: float
    """Of the answerable questions."""
    min_state_agreement: float
    """Of the questions that the corpus does not answer."""
    max_answered_unanswerable: int
    """Questions that the corpus does not answer and an answer claims to."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """All of `eval/thresholds.yaml`."""

    budget: Budget
    measured_on: str | None
    """The index version that the floors were set on; None, like the floors: they are not set."""
    retrieval: RetrievalFloors | None
    refusal: RefusalFloors | None
    digest: Digest
    """Of the file."""
    located: Located = field(repr=False, compare=False)
    """The file's values with their lines."""

    def where(self, *trail: str) -> str:
        """`path:line` of a value, by its keys from the top; of the nearest block around it where it is not there."""
        return Located(None, self.located.source, trail).where


def load_thresholds(path: Path) -> Thresholds:
    """The thresholds at `path`; Refused with file and line where a key is unknown, missing or out of its range."""
    located = load_yaml(path, mend="write the project's thresholds there, see docs/inputs.md")
    top = located.mapping(required=("budget",), optional=FLOORS)
    present = [name for name in FLOORS if name in top]
    if present and len(present) < len(FLOORS):
        missing = ", ".join(name for name in FLOORS if name not in top)
        top[present[0]].refuse(
            "half-set",
            f"the file has {' and '.join(present)} without {missing}",
            why=("the gate needs them together: a floor means nothing without the index that it was measured on",),
            mend="`foregone bless --thresholds` writes all of them from what is measured",
        )
    return Thresholds(
        budget=read_budget(top["budget"]),
        measured_on=_version(top["measured_on"]) if present else None,
        retrieval=_retrieval(top["retrieval"]) if present else None,
        refusal=_refusal(top["refusal"]) if present else None,
        digest=digest_text(located.source.text),
        located=located,
    )


def _version(entry: Located) -> str:
    if not isinstance(entry.value, str):
        # Digits alone are read as a number, which may have lost its leading zeros.
        entry.refuse(
            "bad-value",
            f"{entry.name} is {entry.value!r}, which is no text",
            why=("expected an index version, 12 hexadecimal digits in quotes",),
            mend="write it in quotes",
        )
    return entry.matching(INDEX_VERSION, "an index version, 12 hexadecimal digits in quotes")


def _retrieval(entry: Located) -> RetrievalFloors:
    floors = (*RECALLS.values(), "min_mrr", "min_evidence_recall", "max_fusion_loss")
    fields = entry.mapping(required=(*floors, "max_rank"))
    return RetrievalFloors(
        min_recall={figure: fields[name].number(0, 1) for figure, name in RECALLS.items()},
        min_mrr=fields["min_mrr"].number(0, 1),
        min_evidence_recall=fields["min_evidence_recall"].number(0, 1),
        max_fusion_loss=fields["max_fusion_loss"].number(0, 1),
        max_rank={name: _rank(rank) for name, rank in fields["max_rank"].any_mapping().items()},
    )


def _rank(entry: Located) -> int | None:
    return None if entry.value is None else entry.integer(1, LOWEST_RANK)


def _refusal(entry: Located) -> RefusalFloors:
    """Either side alone is won by answering everything or by refusing everything."""
    pair = ("min_grounded_rate", "max_answered_unanswerable")
    fields = entry.mapping(required=("min_state_agreement",), optional=pair)
    missing = [name for name in pair if name not in fields]
    if missing:
        entry.refuse(
            "one-sided",
            f"refusal has no {missing[0]!r}" if len(missing) == 1 else "refusal limits neither answering nor refusing",
            why=("the floor alone rewards answering everything", "the ceiling alone rewards refusing everything"),
            mend="set both min_grounded_rate and max_answered_unanswerable",
        )
    return RefusalFloors(
        min_grounded_rate=fields["min_grounded_rate"].number(0, 1),
        min_state_agreement=fields["min_state_agreement"].number(0, 1),
        max_answered_unanswerable=fields["max_answered_unanswerable"].integer(0, 1_000_000),
    )
