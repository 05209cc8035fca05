"""Taking a reply in: what is refused, and how a quote becomes a span."""

from dataclasses import dataclass, replace

from foregone.corpus.corpus import Corpus
from foregone.corpus.overlap import copied_run
from foregone.corpus.parsers import PARSER_VERSION
from foregone.corpus.section import Section, Span
from foregone.corpus.sentences import SPLITTER_VERSION
from foregone.digest import Digest, digest_text
from foregone.draft.draft import (
    PARTS,
    Draft,
    DraftClaim,
    Drafter,
    as_claim_text,
    as_kind,
    as_outcome,
    bounded_claims,
    draft_json,
)
from foregone.draft.prompt import PROMPT_VERSION, Prompt
from foregone.draft.quotes import store_quote
from foregone.located import Located

IMPORT_MEND = "correct the reply and import it again"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a reply answers, and who wrote it."""

    prompt: Prompt
    evidence: tuple[str, ...]
    """Section ids of the passages in the prompt."""
    drafter: Drafter
    recorded: str
    """Date, e.g. `2026-12-01`."""


@dataclass(frozen=True, slots=True)
class ImportedDraft:
    """A reply in its stored form."""

    draft: Draft
    notes: tuple[str, ...]
    """What was widened or not found, a line each."""


def import_reply(reply: Located, corpus: Corpus, runs: frozenset[int], asked: Asked) -> ImportedDraft:
    """The draft that `reply` is; Refused where it cites an unknown section or copies the corpus outside a quote.

    `runs`: of `corpus.overlap.corpus_runs`.
    """
    fields = reply.mapping(required=("question", "outcome", "claims"))
    if fields["question"].string() != asked.prompt.question:
        fields["question"].refuse(
            "wrong-question",
            f"the reply answers {fields['question'].value!r}",
            why=(f"expected {asked.prompt.question!r}",),
            mend=IMPORT_MEND,
        )
    claims: list[DraftClaim] = []
    notes: list[str] = []
    for number, entry in enumerate(bounded_claims(fields["claims"]), start=1):
        claim, note = _claim(entry, corpus, runs)
        claims.append(claim)
        notes.extend(f"{asked.prompt.question} c{number}: {line}" for line in note)
    draft = Draft(
        question=asked.prompt.question,
        outcome=as_outcome(fields["outcome"]),
        drafter=asked.drafter,
        recorded=asked.recorded,
        prompt_version=PROMPT_VERSION,
        prompt_digest=asked.prompt.digest,
        evidence={section: corpus.by_id[section].digest for section in sorted(asked.evidence)},
        parser_version=PARSER_VERSION,
        sentences_version=SPLITTER_VERSION,
        claims=tuple(claims),
        digest=Digest(""),
    )
    return ImportedDraft(_with_digest(draft), tuple(notes))


def _with_digest(draft: Draft) -> Draft:
    return replace(draft, digest=digest_text(draft_json(draft)))


def _claim(entry: Located, corpus: Corpus, runs: frozenset[int]) -> tuple[DraftClaim, list[str]]:
    fields = entry.mapping(required=("text", "kind", "section"), optional=("quote", "quoted", "parts"))
    section = _section(fields["section"], corpus)
    quoted = "quoted" in fields and fields["quoted"].boolean()
    text = as_claim_text(fields["text"])
    if not quoted and (run := copied_run(text, runs)) is not None:
        fields["text"].refuse(
            "copied-words",
            f"{fields['text'].name} copies the corpus",
            why=(f"12 words in a row stand there: {run}",),
            mend="say it in other words, or mark the claim as `quoted`",
        )
    stored = None
    notes: list[str] = []
    if "quote" in fields and fields["quote"].value is not None:
        found = store_quote(corpus, section, fields["quote"].string())
        stored = found.quote
        if found.widened:
            notes.append("the quote was widened to its whole sentences")
        if stored.missing:
            where = f" (in {', '.join(stored.found_in)})" if stored.found_in else ""
            notes.append(f"the quote was not found in {section.id}: {stored.missing}{where}")
    if quoted and (stored is None or stored.span is None):
        entry.refuse(
            "no-quote",
            f"{entry.name} is `quoted` and its quote is not in {section.id}",
            mend="quote the section letter by letter",
        )
    parts = _parts(fields.get("parts"), text) if not quoted else {}
    return DraftClaim(None if quoted else text, as_kind(fields["kind"]), parts, section.id, stored), notes


def _section(field: Located, corpus: Corpus) -> Section:
    section = corpus.by_id.get(field.string())
    if section is None or not section.text:
        field.refuse(
            "unknown-section",
            f"{field.name} is {field.value!r}",
            why=("the corpus has no such section with text",),
            mend="cite a passage of the prompt by its id",
        )
    return section


def _parts(field: Located | None, text: str) -> dict[str, Span]:
    if field is None or field.value is None:
        return {}
    spans = {}
    for name, part in field.mapping(optional=PARTS).items():
        start = text.find(part.string())
        if start < 0:
            part.refuse(
                "bad-value",
                f"{part.name} is {part.value!r}",
                why=("the claim's text does not hold it",),
                mend="write the part as it stands in the text",
            )
        spans[name] = (start, start + len(part.string()))
    return spans
