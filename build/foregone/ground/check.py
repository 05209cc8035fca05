"""The check: every claim of a draft against its cited section, under both ceilings."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from foregone.budget import Budget
from foregone.corpus.corpus import Corpus
from foregone.corpus.section import Span
from foregone.corpus.sentences import plain
from foregone.draft.draft import Draft, DraftClaim
from foregone.draft.quotes import locate_quote
from foregone.errors import Refused
from foregone.ground.outcome import GroundedClaim, GroundedDraft, Origin, Work
from foregone.ground.rules import RULES, Case
from foregone.ground.words import TOKEN, SectionWords, content_stems, read_section

NAME_SHARE = 10
"""A name that stands in one of so many sections or more is corpus-wide."""

Clock = Callable[[], float]
"""Seconds of a monotonic clock."""


@dataclass(frozen=True, slots=True)
class Passages:
    """The corpus, tokenised once."""

    corpus: Corpus
    words: Mapping[str, SectionWords]
    """Section id -> words, for every section with text that may be cited."""
    names: frozenset[str]
    """Corpus-wide names, lower-case."""


def read_passages(corpus: Corpus, cited: Iterable[str]) -> Passages:
    """The sections among `cited` that the corpus has, each tokenised once."""
    wanted = sorted({section for section in cited if section in corpus.by_id and corpus.by_id[section].text})
    words = {section: read_section(corpus.by_id[section]) for section in wanted}
    return Passages(corpus, words, corpus_wide_names(corpus))


def corpus_wide_names(corpus: Corpus) -> frozenset[str]:
    """Capital names that say nothing here: those of the document titles, and those that one section in ten holds."""
    capitals = re.compile(r"\b[A-Z]{2,}\b")
    titles = {name for document in corpus.manifest.documents for name in capitals.findall(document.title)}
    counts = Counter(name for section in corpus.indexed for name in set(capitals.findall(section.text)))
    common = {name for name, count in counts.items() if count * NAME_SHARE >= len(corpus.indexed)}
    return frozenset(name.lower() for name in titles | common | {"RFC"})


def ground_draft(
    draft: Draft,
    evidence: Iterable[str],
    passages: Passages,
    *,
    min_coverage: Fraction,
    budget: Budget,
    clock: Clock,
) -> GroundedDraft:
    """The draft's claims with their verdicts; abandoned where the work passes `budget.max_work`.

    Refused where grounding takes longer than `budget.request_deadline_ms`: the build fails, nothing is published.
    """
    start = clock()
    retrieved = frozenset(evidence)
    cases = tuple(make_case(claim, retrieved, passages, min_coverage) for claim in draft.claims)
    work = count_work(cases, budget.max_work)
    if work.tokens > work.limit:
        return GroundedDraft(draft.question, draft.digest, (), work, abandoned=True)
    claims = []
    for number, case in enumerate(cases, start=1):
        claims.append(judge_claim(f"c{number}", case))
        _check_deadline(draft.question, clock() - start, budget)
    return GroundedDraft(draft.question, draft.digest, tuple(claims), work, abandoned=False)


def count_work(cases: tuple[Case, ...], limit: int) -> Work:
    """What the rules will read, the same whatever is cached."""
    return Work(
        claims=len(cases),
        sentences=sum(len(case.words.sentences) for case in cases if case.words),
        tokens=sum(len(TOKEN.findall(case.text)) + (case.words.n_tokens if case.words else 0) for case in cases),
        limit=limit,
    )


def make_case(claim: DraftClaim, evidence: frozenset[str], passages: Passages, min_coverage: Fraction) -> Case:
    """The claim with all that the rules look at."""
    words = passages.words.get(claim.section)
    section = passages.corpus.by_id[claim.section] if words else None
    span = locate_quote(section, claim.quote) if section and claim.quote else None
    text = claim.text
    if text is None:
        text = plain(section.text[slice(*span)]) if section and span else "(a quote that is no longer there)"
    return Case(claim, text, section, words, span, evidence, passages.names, min_coverage)


def judge_claim(claim_id: str, case: Case) -> GroundedClaim:
    """The claim with its verdict."""
    rules = tuple(rule(case) for _, rule in RULES)
    withdrawn = any(outcome.outcome == "fail" for outcome in rules)
    span = case.span if case.claim.quote else _align(case)
    origin: Origin = "none" if span is None else "quote" if case.claim.quote else "aligned"
    return GroundedClaim(
        id=claim_id,
        text=case.text,
        section=case.claim.section,
        verdict="withdrawn" if withdrawn else "supported",
        origin=origin,
        span=span,
        rules=rules,
        elsewhere=case.claim.quote.found_in if case.claim.quote else (),
    )


def _align(case: Case) -> Span | None:
    """The sentence of the cited section that shares most content stems with the claim; the first of equals."""
    if case.words is None or not case.words.sentences:
        return None
    wanted = set(content_stems(case.text))
    shared = [len(wanted & stems) for stems in case.words.sentence_stems]
    best = max(range(len(shared)), key=lambda place: (shared[place], -place))
    sentence = case.words.sentences[best]
    return (sentence.start, sentence.end) if shared[best] else None


def _check_deadline(question: str, spent_s: float, budget: Budget) -> None:
    if spent_s * 1000 > budget.request_deadline_ms:
        raise Refused(
            "deadline-exceeded",
            f"grounding the question {question!r} took too long",
            where="eval/thresholds.yaml: budget.request_deadline_ms",
            why=(f"stage ground: {spent_s * 1000:.0f} ms spent, {budget.request_deadline_ms} ms allowed",),
            mend="build again on a quieter machine; if it stays, shorten the draft or the sections that it cites",
        )
