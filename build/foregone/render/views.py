"""What the templates see: read-only records in words, so that a template decides nothing."""

from dataclasses import dataclass

from foregone.corpus.corpus import Corpus
from foregone.corpus.section import Section, Span, document_label
from foregone.decide.answer import Answer
from foregone.decide.state import State
from foregone.draft.draft import DraftClaim
from foregone.ground.outcome import GroundedClaim
from foregone.render.answer_json import section_url

AROUND = 600
"""Code points of the section that are shown before and after a quote."""

STATE_WORDS: dict[State | None, tuple[str, str, str]] = {
    "grounded": ("●", "grounded", "every claim is supported by the passage that it cites"),
    "partial": ("◐", "partial", "only a part of an answer is supported: the rest is missing or was withdrawn"),
    "unsupported": ("○", "unsupported", "no claim is supported, so no answer is given"),
    "no_context": ("⊘", "no context", "nothing could be retrieved, so no answer is given"),
    None: ("⊘", "abandoned", "checking the answer passed its limit of work, so no answer is given"),
}
"""Symbol, word and definition of each state; None: abandoned."""

OUTCOME_WORDS = {
    "answered": "The draft says that it answers the question.",
    "partly": "The draft says that the passages stop short of an answer.",
    "not_answered": "The draft says that the passages do not answer the question.",
}


@dataclass(frozen=True, slots=True)
class StateView:
    """A state in symbol and words."""

    code: str
    symbol: str
    word: str
    definition: str


@dataclass(frozen=True, slots=True)
class QuoteView:
    """A quote in its surroundings."""

    before: str
    quoted: str
    after: str
    cut_before: bool
    """Whether the section begins before `before`."""
    cut_after: bool


@dataclass(frozen=True, slots=True)
class ClaimView:
    """A claim as it is shown."""

    id: str
    text: str
    kind: str
    citation: str
    """e.g. `RFC 9110 §9.2.1 Safe Methods`."""
    section: str
    section_path: str | None
    """From the root of the tree; None: the section is not in the corpus."""
    section_url: str | None
    aligned: bool
    """Whether the check found the evidence itself."""
    quote: QuoteView | None
    broken: tuple[tuple[str, str], ...]
    """Rule and message of every failed rule."""
    warnings: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PassageView:
    """A passage that was read."""

    label: str
    path: str
    bm25: int | None
    dense: int | None
    fused: int | None
    cited: bool


@dataclass(frozen=True, slots=True)
class AnswerView:
    """A question page."""

    id: str
    text: str
    topic: str
    kind: str
    state: StateView
    outcome: str
    kept: tuple[ClaimView, ...]
    withdrawn: tuple[ClaimView, ...]
    passages: tuple[PassageView, ...]
    drafter: str
    recorded: str
    work: str


@dataclass(frozen=True, slots=True)
class ListedView:
    """A question in the list."""

    id: str
    text: str
    topic: str
    state: StateView
    kept: int
    withdrawn: int


@dataclass(frozen=True, slots=True)
class SectionView:
    """A section page."""

    id: str
    label: str
    trail: tuple[str, ...]
    text: str
    url: str
    digest: str
    json_path: str
    cited_by: tuple[tuple[str, str], ...]
    """Id and text of the questions whose answers cite it."""


def view_state(state: State | None) -> StateView:
    """The state in symbol and words."""
    return StateView(state or "abandoned", *STATE_WORDS[state])


def view_answer(answer: Answer, corpus: Corpus) -> AnswerView:
    """The question page of `answer`."""
    claims = answer.grounded.claims if answer.grounded else ()
    drafted = answer.draft.claims if claims else ()
    views = [(claim, _claim(claim, draft, corpus)) for claim, draft in zip(claims, drafted, strict=True)]
    return AnswerView(
        id=answer.question.id,
        text=answer.question.text,
        topic=answer.question.topic,
        kind=answer.question.kind,
        state=view_state(answer.state),
        outcome=OUTCOME_WORDS[answer.draft.outcome] if answer.state not in (None, "no_context") else "",
        kept=tuple(view for claim, view in views if claim.verdict == "supported"),
        withdrawn=tuple(view for claim, view in views if claim.verdict == "withdrawn"),
        passages=tuple(
            PassageView(
                label=corpus.by_id[passage.section].heading,
                path=section_path(corpus.by_id[passage.section]),
                bm25=passage.ranks["bm25"],
                dense=passage.ranks["dense"],
                fused=passage.ranks["fused"],
                cited=passage.section in answer.cited,
            )
            for passage in answer.passages
        ),
        drafter=answer.draft.drafter.name,
        recorded=answer.draft.recorded,
        work=_work_in_words(answer),
    )


def view_listed(answer: Answer) -> ListedView:
    """The answer's line in the list of questions."""
    claims = answer.grounded.claims if answer.grounded else ()
    kept = sum(claim.verdict == "supported" for claim in claims)
    question = answer.question
    return ListedView(question.id, question.text, question.topic, view_state(answer.state), kept, len(claims) - kept)


def view_section(section: Section, corpus: Corpus, cited_by: tuple[tuple[str, str], ...]) -> SectionView:
    """The page of `section`."""
    return SectionView(
        id=section.id,
        label=section.heading,
        trail=(document_label(section.document), *section.trail),
        text=section.text,
        url=section_url(corpus.document(section.document), section),
        digest=section.digest,
        json_path=f"api/v1/sections/{section.document}/{section.number}.json",
        cited_by=cited_by,
    )


def section_path(section: Section) -> str:
    """Folder of a section's page, from the root of the tree."""
    return f"s/{section.document}/{section.number}/"


def cut_quote(text: str, span: Span) -> QuoteView:
    """The quote at `span` with up to AROUND code points of whole lines on either side."""
    low, high = max(0, span[0] - AROUND), min(len(text), span[1] + AROUND)
    if low:
        newline = text.find("\n", low, span[0])
        low = newline + 1 if newline >= 0 else span[0]
    if high < len(text):
        newline = text.rfind("\n", span[1], high)
        high = newline if newline >= 0 else span[1]
    return QuoteView(text[low : span[0]], text[slice(*span)], text[span[1] : high], low > 0, high < len(text))


def _claim(claim: GroundedClaim, drafted: DraftClaim, corpus: Corpus) -> ClaimView:
    section = corpus.by_id.get(claim.section)
    known = section is not None and section.text != ""
    return ClaimView(
        id=claim.id,
        text=claim.text,
        kind=drafted.kind,
        citation=section.heading if section else claim.section,
        section=claim.section,
        section_path=section_path(section) if section and known else None,
        section_url=section_url(corpus.document(section.document), section) if section else None,
        aligned=claim.origin == "aligned",
        quote=cut_quote(section.text, claim.span) if section and claim.span else None,
        broken=tuple((rule.rule, rule.message) for rule in claim.rules if rule.outcome == "fail"),
        warnings=tuple((rule.rule, rule.message) for rule in claim.rules if rule.outcome == "warn"),
    )


def _work_in_words(answer: Answer) -> str:
    if answer.grounded is None:
        return ""
    work = answer.grounded.work
    return (
        f"{work.claims} claims checked against {work.sentences:,} sentences: "
        f"{work.tokens:,} tokens read, at most {work.limit:,} allowed"
    )
