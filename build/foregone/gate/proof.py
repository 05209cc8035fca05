"""Checks of proof: every span is in its source, and the published site is whole and of these inputs."""

from collections.abc import Iterator
from functools import partial

from foregone.corpus.corpus import Corpus
from foregone.corpus.section import slice_source
from foregone.draft.draft import Draft, DraftClaim, draft_path
from foregone.draft.quotes import quote_digest
from foregone.gate.observation import Observation, Site, measured
from foregone.gate.verdict import Verdict, judge
from foregone.ground.outcome import GroundedClaim
from foregone.pipeline import Answered
from foregone.release.verify import MEND

SHOWN = 10
"""Findings that are named."""


def check_spans(seen: Observation) -> Iterator[Verdict]:
    """Every quote stands where its draft says, and every published span is read back from the pinned bytes."""
    yield from measured("spans", seen.answered, partial(_spans, seen))


def check_release(seen: Observation) -> Iterator[Verdict]:
    """The published site is whole, and is the one that these inputs make."""
    yield from measured("release", seen.site, partial(_release, seen))


def _spans(seen: Observation, answered: Answered) -> Verdict:
    corpus = answered.inputs.corpus
    wrong = {name: found for name, draft in answered.drafts.items() if (found := tuple(_wrong_quotes(draft, corpus)))}
    for name, answer in answered.answers.items():
        claims = answer.grounded.claims if answer.grounded else ()
        found = tuple(
            f"{claim.id}: {claim.span} of {claim.section} is not in its source"
            for claim in claims
            if not _is_in_source(claim, corpus)
        )
        if found:
            wrong[name] = (*wrong.get(name, ()), *found)
    drafts = seen.project.drafts
    spans = sum(claim.quote is not None for draft in answered.drafts.values() for claim in draft.claims)
    return judge(
        "spans",
        ok=not wrong,
        measured=f"{sum(map(len, wrong.values()))} of {spans} wrong" if wrong else f"{spans} quotes in place",
        limit="all in place",
        where=str(draft_path(drafts, next(iter(wrong)))) if wrong else str(drafts),
        why=tuple(f"{name} {line}" for name, lines in wrong.items() for line in lines)[:SHOWN],
        mend="import the reply again with `foregone draft import`",
    )


def _wrong_quotes(draft: Draft, corpus: Corpus) -> Iterator[str]:
    for number, claim in enumerate(draft.claims, start=1):
        if claim.quote is not None and claim.quote.span is not None and not _stands(claim, corpus):
            yield f"c{number}: the quote is not at {list(claim.quote.span)} of {claim.section}"


def _stands(claim: DraftClaim, corpus: Corpus) -> bool:
    assert claim.quote is not None
    assert claim.quote.span is not None
    section = corpus.by_id.get(claim.section)
    return section is not None and quote_digest(section.text[slice(*claim.quote.span)]) == claim.quote.digest


def _is_in_source(claim: GroundedClaim, corpus: Corpus) -> bool:
    if claim.span is None:
        return True
    section = corpus.by_id[claim.section]
    return slice_source(section, corpus.sources[section.document], claim.span) == section.text[slice(*claim.span)]


def _release(seen: Observation, site: Site) -> Verdict:
    findings = [f"{one.kind}: {one.path}: {one.why}" for one in site.found.findings]
    stale = (
        ()
        if site.found.release == site.built_now
        else (f"dist/ holds {site.found.release}, these inputs make {site.built_now}",)
    )
    return judge(
        "release",
        ok=not findings and not stale,
        measured=site.found.release,
        limit=site.built_now,
        where=str(seen.project.dist),
        why=(*stale, *findings[:SHOWN]),
        mend=MEND,
    )
