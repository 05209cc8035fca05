"""The checks, in the order in which they are listed."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

from foregone.gate import ceilings, costs, freshness, proof, refusal, retrieval
from foregone.gate.observation import Observation
from foregone.gate.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Check:
    """One question that the gate asks."""

    names: tuple[str, ...]
    """Names of its verdicts; of one that gives a verdict for each question, what stands before the stroke."""
    run: Callable[[Observation], Iterator[Verdict]]

    @property
    def asks(self) -> str:
        """What it makes sure of, in one sentence."""
        return (self.run.__doc__ or "").splitlines()[0]


CHECKS = (
    Check(("recall@1", "recall@5", "recall@10", "mrr", "evidence-recall"), retrieval.check_floors),
    Check(("fusion-loss",), retrieval.check_fusion),
    Check(("rank",), retrieval.check_ranks),
    Check(("grounded-rate", "state-agreement"), refusal.check_rates),
    Check(("answered-unanswerable",), refusal.check_unanswerable),
    Check(("index-fresh",), freshness.check_index),
    Check(("questions-fresh",), freshness.check_questions),
    Check(("drafts-fresh",), freshness.check_drafts),
    Check(("results",), freshness.check_results),
    Check(("work",), ceilings.check_work),
    Check(("latency",), ceilings.check_latency),
    Check(("rebuild-cost",), costs.check_rebuild),
    Check(("rerecord-cost",), costs.check_rerecording),
    Check(("drafting-worst-case",), costs.check_drafting),
    Check(("spans",), proof.check_spans),
    Check(("release",), proof.check_release),
)
"""What is held at the edge joins here."""


def run_checks(seen: Observation, patterns: Iterable[str]) -> tuple[Verdict, ...]:
    """The verdicts whose name one of `patterns` matches; of all, where there is no pattern.

    A pattern is a verdict's name, that of a check, or one with `*` and `?`.
    """
    wanted = tuple(patterns)
    verdicts = (verdict for check in CHECKS for verdict in check.run(seen))
    return tuple(verdict for verdict in verdicts if not wanted or any(_matches(verdict, one) for one in wanted))


def _matches(verdict: Verdict, pattern: str) -> bool:
    return pattern == verdict.check or fnmatchcase(verdict.name, pattern)
