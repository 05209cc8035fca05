"""A comparison in words: the sentences that every form of the report has in common."""

from collections.abc import Iterable, Iterator

from foregone.compare.change import Change, ClaimChange, Difference, Value
from foregone.compare.comparison import Comparison
from foregone.compare.figures import Discordance, RankTest
from foregone.compare.run import Claim
from foregone.digest import address
from foregone.measure.metric import Metric
from foregone.measure.paired import RESAMPLES

NOUNS = {
    "state": ("state", "states"),
    "expected": ("expectation", "expectations"),
    "in_evidence": ("evidence set", "evidence sets"),
    "outcome": ("outcome", "outcomes"),
    "claims": ("set of claims", "sets of claims"),
    "by_check_alone": ("state by the check alone", "states by the check alone"),
    "rank": ("rank", "ranks"),
}
"""What changed -> how one and several of it are called."""
HEADINGS = {"mrr": "MRR"}
SHOWN_CLAIMS = 3
NOT_MEASURED = "not measured"


def headline(comparison: Comparison) -> str:
    """The comparison in one sentence, without its full stop."""
    n = len(comparison.shared)
    if not n:
        return "No question is in both runs, so nothing can be compared"
    if comparison.is_same:
        though = f", though these inputs differ: {inputs_in_words(comparison)}" if comparison.inputs else ""
        return f"Nothing changed in the {count(n, 'question', 'questions')} of both runs{though}"
    changed = f"{len(comparison.changes)} of {count(n, 'question', 'questions')} changed"
    if not comparison.changes:
        return changed
    kinds = ", ".join(count(found, *NOUNS[kind]) for kind, found in comparison.kinds.items())
    causes = ", ".join(f"{cause} ({found})" for cause, found in comparison.causes.items())
    return f"{changed}{f': {kinds}' if kinds else ''}; caused by {causes}"


def inputs_in_words(comparison: Comparison) -> str:
    """The inputs that differ, and of how many questions."""
    return ", ".join(f"{name} ({found})" for name, found in comparison.inputs.items())


def cause_in_words(change: Change) -> str:
    """Its cause, and behind it those of its other differences."""
    return ", ".join(change.causes)


def change_in_words(change: Change) -> Iterator[str]:
    """A phrase for each thing that changed; those of another cause than the first one name it."""
    for difference in change.differences:
        other = f" ({difference.cause})" if difference.cause != change.cause else ""
        phrases = _claims_in_words(change.claims) if difference.what == "claims" else (_in_words(difference),)
        yield from (f"{phrase}{other}" for phrase in phrases)


def _in_words(difference: Difference) -> str:
    a, b = difference.a, difference.b
    match difference.what:
        case "by_check_alone":
            return f"by the check alone {_arrow(a, b)}"
        case "answered":
            return "answered now" if b else "no longer answered"
        case "agrees":
            return "as expected now" if b else "no longer as expected"
        case "in_evidence":
            return "evidence holds the answer now" if b else "evidence no longer holds the answer"
        case "rank":
            return f"{difference.leg} rank {_arrow(a or 'none', b or 'none')}"
        case what:
            return f"{what} {_arrow(a, b)}"


def _arrow(a: Value, b: Value) -> str:
    return f"{a} → {b}"


def _claims_in_words(claims: Iterable[ClaimChange]) -> Iterator[str]:
    """Claims that came or went are counted, those judged otherwise are named."""
    found = tuple(claims)
    added, removed = sum(claim.a is None for claim in found), sum(claim.b is None for claim in found)
    if added or removed:
        parts = (f"{number} {word}" for number, word in ((added, "added"), (removed, "removed")) if number)
        yield f"claims: {', '.join(parts)}"
    judged = [(claim.sha256, claim.a, claim.b) for claim in found if claim.a and claim.b]
    for sha256, a, b in judged[:SHOWN_CLAIMS]:
        yield f"claim {address(sha256)} {_arrow(_verdict(a), _verdict(b))}"
    if len(judged) > SHOWN_CLAIMS:
        yield f"{len(judged) - SHOWN_CLAIMS} claims more judged otherwise"


def _verdict(claim: Claim) -> str:
    return f"{claim.verdict} by {' and '.join(claim.rules)}" if claim.rules else claim.verdict


def figure_in_words(metric: Metric) -> str:
    """A value with its denominator."""
    return NOT_MEASURED if metric.value is None else f"{metric.value:.3f} (n = {metric.n})"


def signed(difference: float | None) -> str:
    """A difference with its sign; one of nothing has none.

    >>> signed(-0.0125), signed(0.0), signed(None)
    ('-0.013', '0', '-')
    """
    if difference is None:
        return "-"
    return f"{difference:+.3f}" if difference else "0"


def heading(name: str) -> str:
    """A figure's name as a reader knows it."""
    return HEADINGS.get(name, name.replace("_", " "))


def judgement_lines(comparison: Comparison) -> Iterator[str]:
    """What the tests say, and what this set could show at all."""
    yield f"Landing in the expected state: {_discordance(comparison.agreement)}."
    yield f"Answered: {_discordance(comparison.answered)}."
    yield f"MRR of the fusion: {_rank_test(comparison.ranks)}."
    yield _detectable_states(comparison.agreement)
    yield _detectable_ranks(comparison.ranks)


def _discordance(found: Discordance) -> str:
    if found.p is None:
        return f"{NOT_MEASURED}: no question differs"
    return f"{found.only_a} of {found.n} in A alone, {found.only_b} in B alone; exact McNemar p {_p(found.p)}"


def _rank_test(found: RankTest) -> str:
    if found.flip.p is None:
        return f"{NOT_MEASURED}: no rank of {count(found.n, 'question', 'questions')} differs"
    way = "every exchange tried" if found.flip.exact else f"{RESAMPLES:,} exchanges sampled"
    return f"{found.flip.differing} of {found.n} ranks differ; sign-flip permutation p {_p(found.flip.p)} ({way})"


def _detectable_states(found: Discordance) -> str:
    if found.fewest is None:
        return f"States: a set of {count(found.n, 'question', 'questions')} is too small to show any drop at 5 %."
    share = found.fewest / found.n
    return (
        f"States: the smallest drop that {found.n} questions can show at 5 % is {found.fewest} of them ({share:.3f})."
    )


def _detectable_ranks(found: RankTest) -> str:
    if found.detectable is None:
        return f"MRR: the smallest drop that can be shown is {NOT_MEASURED}, since the ranks show no spread."
    return f"MRR: a drop of {found.detectable:.3f} is seen in 80 % of runs at 5 %, by the spread of these ranks."


def _p(p: float) -> str:
    return f"= {p:.3f}" if p >= 0.0005 else "below 0.001"


def count(number: int, one: str, several: str) -> str:
    """A number with its noun.

    >>> count(1, "rank", "ranks")
    '1 rank'
    """
    return f"{number} {one if number == 1 else several}"
