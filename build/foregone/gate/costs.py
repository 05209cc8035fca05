"""Checks of money: what a rebuild, a new recording of every draft, and the worst day of drafting would cost.

Tokens are the stated over-estimate of `foregone.tokens`, prices are committed with their date. A local embedder costs
nothing; it may be priced at what a hosted one takes, so that the growth of a corpus is seen before it is paid for.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from foregone.budget import Budget, DraftingPrice
from foregone.corpus.chunks import Chunk
from foregone.corpus.corpus import Corpus
from foregone.corpus.sentences import plain
from foregone.draft.draft import Draft, DraftClaim
from foregone.draft.prompt import Prompt
from foregone.draft.quotes import locate_quote
from foregone.gate.observation import Observation, Unmeasured, measured
from foregone.gate.verdict import Verdict, judge
from foregone.index.identities import identify
from foregone.pipeline import Answered
from foregone.tokens import estimate_tokens

MILLION = 1e6
DECIMALS = 4
"""Of US dollars."""


def check_rebuild(seen: Observation) -> Iterator[Verdict]:
    """Embedding the whole corpus and question set anew stays under its ceiling."""
    yield from measured("rebuild-cost", seen.chunks, partial(_rebuild, seen))


def check_rerecording(seen: Observation) -> Iterator[Verdict]:
    """Recording every draft anew, as long as it is now, stays under its ceiling."""
    yield from measured("rerecord-cost", seen.answered, partial(_rerecording, seen))


def check_drafting(seen: Observation) -> Iterator[Verdict]:
    """Recording every draft in one run, each as long as it may be, stays under the day's cap."""
    yield from measured("drafting-worst-case", seen.prompts, partial(_drafting, seen))


def _rebuild(seen: Observation, chunks: tuple[Chunk, ...]) -> Verdict:
    budget = seen.project.thresholds.budget
    dense = seen.project.settings.retrieval.dense
    texts = [*(chunk.text for chunk in chunks), *(question.text for question in seen.questions.questions)]
    tokens = sum(map(estimate_tokens, texts)) if dense else 0
    name = identify(dense.embedder).name if dense else ""
    price = budget.embedding_prices.get(name) if dense else 0.0
    where = seen.project.thresholds.where("budget", "max_rebuild_usd")
    if price is None:
        return _unpriced("rebuild-cost", name, seen)
    usd, limit = tokens * price / MILLION, _ceiling(budget.max_rebuild_usd)
    return judge(
        "rebuild-cost",
        ok=usd <= limit,
        measured=round(usd, DECIMALS),
        limit=limit,
        where=where,
        why=(f"{len(texts)} texts, about {tokens:,} tokens at {price:g} USD a million ({name})",),
        mend="`foregone index build` would cost that: raise budget.max_rebuild_usd, or make the corpus smaller",
    )


def _rerecording(seen: Observation, answered: Answered) -> Verdict:
    price = _drafting_price(seen.project.thresholds.budget)
    if price is None:
        return _unpriced("rerecord-cost", "a drafting model", seen)
    replies = (reply_text(draft, answered.inputs.corpus) for draft in answered.drafts.values())
    usd = _usd(seen.prompts, sum(map(estimate_tokens, replies)), price)
    limit = _ceiling(seen.project.thresholds.budget.max_rerecord_usd)
    return judge(
        "rerecord-cost",
        ok=usd <= limit,
        measured=round(usd, DECIMALS),
        limit=limit,
        where=seen.project.thresholds.where("budget", "max_rerecord_usd"),
        why=(f"{len(answered.drafts)} drafts by {price.model} would cost {usd:.4f} USD",),
        mend="raise budget.max_rerecord_usd, or ask fewer questions or over fewer passages",
    )


def _drafting(seen: Observation, prompts: Mapping[str, Prompt]) -> Verdict:
    budget = seen.project.thresholds.budget
    price = _drafting_price(budget)
    if price is None:
        return _unpriced("drafting-worst-case", "a drafting model", seen)
    usd = _usd(prompts, len(prompts) * budget.max_output_tokens, price)
    return judge(
        "drafting-worst-case",
        ok=usd <= budget.daily_cap_usd,
        measured=round(usd, DECIMALS),
        limit=budget.daily_cap_usd,
        where=seen.project.thresholds.where("budget", "daily_cap_usd"),
        why=(
            f"{len(prompts)} drafts of {budget.max_output_tokens:,} tokens by {price.model} would cost {usd:.4f} USD",
        ),
        mend="lower budget.max_output_tokens, or raise budget.daily_cap_usd",
    )


def reply_text(draft: Draft, corpus: Corpus) -> str:
    """The reply that the draft was taken from, as near as the draft keeps it."""
    claims = [_reply_claim(claim, corpus) for claim in draft.claims]
    return json.dumps({"question": draft.question, "outcome": draft.outcome, "claims": claims}, ensure_ascii=False)


def _reply_claim(claim: DraftClaim, corpus: Corpus) -> dict[str, Any]:
    section = corpus.by_id.get(claim.section)
    span = locate_quote(section, claim.quote) if section and claim.quote else None
    quote = plain(section.text[slice(*span)]) if section and span else ""
    return {"text": claim.text, "kind": claim.kind, "parts": {}, "section": claim.section, "quote": quote}


def _usd(prompts: Mapping[str, Prompt] | Unmeasured, output_tokens: int, price: DraftingPrice) -> float:
    assert not isinstance(prompts, Unmeasured)
    return (_tokens(prompts.values()) * price.input_usd + output_tokens * price.output_usd) / MILLION


def _tokens(prompts: Iterable[Prompt]) -> int:
    return sum(estimate_tokens(prompt.text) for prompt in prompts)


def _drafting_price(budget: Budget) -> DraftingPrice | None:
    return budget.prices.drafting if budget.prices else None


def _ceiling(usd: float | None) -> float:
    assert usd is not None
    return usd


def _unpriced(name: str, model: str, seen: Observation) -> Verdict:
    """Unknown is not free."""
    return judge(
        name,
        ok=False,
        measured="no price",
        limit=None,
        where=seen.project.thresholds.where("budget", "prices"),
        why=(f"what {model} costs is not committed",),
        mend="add it to budget.prices, with the date",
    )
