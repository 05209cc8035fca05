"""Checks of work and time: what one answer takes."""

from collections.abc import Iterator, Mapping
from functools import partial

from foregone.gate.observation import Observation, measured
from foregone.gate.verdict import Verdict, judge
from foregone.pipeline import Answered


def check_work(seen: Observation) -> Iterator[Verdict]:
    """No answer reads more tokens than its ceiling: such a one is published as abandoned."""
    yield from measured("work", seen.answered, partial(_work, seen))


def check_latency(seen: Observation) -> Iterator[Verdict]:
    """No question takes longer than the bar to be retrieved, grounded and decided."""
    yield from measured("latency", seen.latencies_ms, partial(_latency, seen))


def _work(seen: Observation, answered: Answered) -> Verdict:
    limit = seen.project.thresholds.budget.max_work
    tokens = {name: one.grounded.work.tokens for name, one in answered.answers.items() if one.grounded}
    over = [name for name, count in tokens.items() if count > limit]
    most = max(tokens, key=lambda name: tokens[name])
    return judge(
        "work",
        ok=not over,
        measured=tokens[most],
        limit=limit,
        where=seen.questions.where(most) if over else seen.project.thresholds.where("budget", "max_work"),
        why=tuple(f"{name}: {tokens[name]:,} tokens, {limit:,} allowed" for name in over),
        mend="shorten the draft or the sections that it cites, or raise budget.max_work",
    )


def _latency(seen: Observation, spent: Mapping[str, float]) -> Verdict:
    bar = seen.project.thresholds.budget.max_request_ms
    worst = max(spent, key=lambda name: spent[name])
    over = sorted((name for name in spent if spent[name] > bar), key=lambda name: -spent[name])
    return judge(
        "latency",
        ok=not over,
        measured=round(spent[worst], 3),
        limit=bar,
        where=seen.questions.where(worst) if over else seen.project.thresholds.where("budget", "max_request_ms"),
        why=tuple(f"{name}: {spent[name]:.1f} ms, {bar} allowed" for name in over[:10]),
        mend="run it again on a quiet machine; if it stays, look at what grew: corpus, draft, or code",
    )
