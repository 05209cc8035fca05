"""One evaluation run, parsed from what `foregone eval` wrote of it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from foregone.decide.state import STATES
from foregone.digest import DIGEST_PATTERN
from foregone.draft.draft import OUTCOMES
from foregone.located import Located
from foregone.measure.answers import ABANDONED, ANSWERABLE, EXPECTATIONS
from foregone.measure.results import FORMAT, OWN_INPUTS, SHARED_INPUTS
from foregone.measure.retrieval import FUSED
from foregone.retrieve.questions import QUESTION_ID

NAME = re.compile(r"[a-z0-9_-]{1,64}")
"""Of a leg or a rule: whatever this program or a later one calls it."""
INDEX_VERSION = re.compile(r"[0-9a-f]{12}")
ENDS = (*STATES, ABANDONED)
"""What may become of an answer."""
LAST_RANK = 2**53
EVALUATE = "run `foregone eval` again for this run"


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim of an answer."""

    sha256: str
    """Of its words, its section and its quote."""
    verdict: str
    rules: tuple[str, ...]
    """The rules that withdrew it, by name."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of a run: how it was ranked and what became of it."""

    id: str
    ranks: Mapping[str, int | None]
    """Leg -> rank of what answers the question; None: not ranked. Empty where it is not answerable."""
    in_evidence: bool | None
    """Whether the evidence holds what answers it; None: it is not answerable."""
    expected: str
    """ANSWERABLE, or the state that it must land in."""
    state: str
    """One of ENDS, as is the next."""
    by_check_alone: str
    outcome: str
    """One of OUTCOMES."""
    answered: bool
    agrees: bool
    """Whether the state is the expected one."""
    claims: tuple[Claim, ...]
    inputs: Mapping[str, str | None]
    """Name of an input -> its digest; None: there was none."""

    @property
    def answerable(self) -> bool:
        """Whether the corpus answers it."""
        return self.expected == ANSWERABLE

    @property
    def fused(self) -> int | None:
        """Its rank in the fusion."""
        return self.ranks.get(FUSED)


@dataclass(frozen=True, slots=True)
class Run:
    """One evaluation run."""

    name: str
    """As the reader knows it, e.g. `eval/baseline.json` or `main`."""
    index_version: str
    inputs: Mapping[str, str | None]
    """What all its answers have in common: name -> digest."""
    questions: Mapping[str, Asked]
    """Question id -> question."""


def parse_run(name: str, retrieval: Located, answers: Located) -> Run:
    """The run of these two results files; Refused where one is not such a file, or both are not of one run.

    Keys that a comparison does not read may be there or not.
    """
    for file in (retrieval, answers):
        _keys(file, "format")["format"].integer(FORMAT, FORMAT)
    ranked = _keys(retrieval, "index_version", "questions", "by_question")
    answered = _keys(answers, "index_version", "questions", "inputs", "by_question")
    version = answered["index_version"].matching(INDEX_VERSION, "twelve hexadecimal digits")
    _refuse_mixed(ranked, answered)
    shared = _inputs(answered["inputs"], SHARED_INPUTS)
    rankings, entries = _by_id(ranked["by_question"]), _by_id(answered["by_question"])
    _refuse_other_ids(answers, entries, rankings)
    _refuse_other_ids(retrieval, rankings, entries)
    asked = {id_: _asked(id_, rankings[id_], entry, shared) for id_, entry in entries.items()}
    return Run(name, version, shared, asked)


def _refuse_mixed(ranked: Mapping[str, Located], answered: Mapping[str, Located]) -> None:
    """Files of two runs would be compared with a third as if they were one."""
    pairs = [(ranked["index_version"], answered["index_version"])]
    pairs.append((_keys(ranked["questions"], "sha256")["sha256"], _keys(answered["questions"], "sha256")["sha256"]))
    for ours, other in pairs:
        if ours.string() != other.string():
            other.refuse(
                "mixed-runs",
                f"{other.name} is not that of the retrieval results",
                why=(f"expected {ours.value}", f"found    {other.value}"),
                mend=EVALUATE,
            )


def _by_id(entries: Located) -> dict[str, Located]:
    found: dict[str, Located] = {}
    for entry in entries.items():
        id_ = _keys(entry, "id")["id"]
        name = id_.matching(QUESTION_ID, "lower-case letters, digits and hyphens")
        if name in found:
            id_.refuse("duplicate-id", f"the question {name!r} stands twice", mend=EVALUATE)
        found[name] = entry
    return found


def _refuse_other_ids(file: Located, ids: Mapping[str, Located], others: Iterable[str]) -> None:
    missing = [id_ for id_ in others if id_ not in ids]
    if missing:
        file.refuse(
            "missing-question",
            f"{file.source.path} has no question {missing[0]!r}",
            why=(f"{len(missing)} such: the other file of the run has them",),
            mend=EVALUATE,
        )


def _asked(id_: str, ranking: Located, entry: Located, shared: Mapping[str, str | None]) -> Asked:
    ranked = _keys(ranking, "answerable", "ranks", "in_evidence")
    answer = _keys(entry, "expected", "state", "by_check_alone", "outcome", "answered", "agrees", "claims", "inputs")
    expected = answer["expected"].one_of(*EXPECTATIONS)
    if ranked["answerable"].boolean() != (expected == ANSWERABLE):
        answer["expected"].refuse(
            "mixed-runs",
            f"{answer['expected'].name} is {expected!r}",
            why=(f"the retrieval results have {ranked['answerable'].value} for answerable",),
            mend=EVALUATE,
        )
    return Asked(
        id=id_,
        ranks=_ranks(ranked["ranks"]) if expected == ANSWERABLE else {},
        in_evidence=ranked["in_evidence"].boolean() if expected == ANSWERABLE else None,
        expected=expected,
        state=answer["state"].one_of(*ENDS),
        by_check_alone=answer["by_check_alone"].one_of(*ENDS),
        outcome=answer["outcome"].one_of(*OUTCOMES),
        answered=answer["answered"].boolean(),
        agrees=answer["agrees"].boolean(),
        claims=tuple(_claim(claim) for claim in answer["claims"].items()),
        inputs={**shared, **_inputs(answer["inputs"], OWN_INPUTS)},
    )


def _ranks(ranks: Located) -> dict[str, int | None]:
    found = ranks.any_mapping()
    _keys(ranks, FUSED)
    for leg, rank in found.items():
        Located(leg, rank.source, rank.trail).matching(NAME, "the name of a leg")
    return {leg: None if rank.value is None else rank.integer(1, LAST_RANK) for leg, rank in found.items()}


def _claim(claim: Located) -> Claim:
    found = _keys(claim, "sha256", "verdict", "rules")
    return Claim(
        found["sha256"].matching(DIGEST_PATTERN, "a digest"),
        found["verdict"].one_of("supported", "withdrawn"),
        tuple(sorted(rule.matching(NAME, "the name of a rule") for rule in found["rules"].items())),
    )


def _inputs(inputs: Located, names: Iterable[str]) -> dict[str, str | None]:
    found = _keys(inputs, *names)
    return {
        name: None if found[name].value is None else found[name].matching(DIGEST_PATTERN, "a digest") for name in names
    }


def _keys(value: Located, *names: str) -> dict[str, Located]:
    """The value as a mapping that has at least these keys."""
    return value.mapping(names, value.any_mapping())
