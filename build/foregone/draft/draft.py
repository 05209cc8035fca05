"""Recorded drafts, `eval/drafts/<question>.json`: an outcome and claims, each citing one section."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from foregone.corpus.section import Span
from foregone.digest import DIGEST_PATTERN, Digest, digest_text
from foregone.errors import Refused
from foregone.files import read_text
from foregone.located import Located, parse_json

Outcome = Literal["answered", "partly", "not_answered"]
ClaimKind = Literal["finding", "step", "setting", "definition"]
Missing = Literal["elsewhere", "stitched", "absent"]
OUTCOMES: tuple[Outcome, ...] = ("answered", "partly", "not_answered")
CLAIM_KINDS: tuple[ClaimKind, ...] = ("finding", "step", "setting", "definition")
DRAFTER_KINDS = ("imported", "recorded", "extractive")
MISSING_KINDS: tuple[Missing, ...] = ("elsewhere", "stitched", "absent")
PARTS = ("name", "value")
MAX_CLAIMS = 100
MAX_CLAIM_TEXT = 2000
"""Code points of a claim."""
LARGEST_PLACE = 2**31
MEND = "import the reply again with `foregone draft import`"


@dataclass(frozen=True, slots=True)
class Quote:
    """Where the words that support a claim stand; the words themselves are not stored."""

    span: Span | None
    """Code points of the cited section's published text; None: not found there."""
    digest: Digest
    """Of the words joined by single spaces."""
    missing: Missing | None
    """Why there is no span."""
    found_in: tuple[str, ...]
    """Section ids where a quote that is `elsewhere` stands."""


@dataclass(frozen=True, slots=True)
class DraftClaim:
    """One fact, as it was drafted."""

    text: str | None
    """None: the claim is its quote."""
    kind: ClaimKind
    parts: Mapping[str, Span]
    """`name` and `value` of a setting: code points of the text."""
    section: str
    """The section id that it cites."""
    quote: Quote | None
    """None: none was given."""

    @property
    def quoted(self) -> bool:
        """Whether the claim's text is its quote."""
        return self.text is None


@dataclass(frozen=True, slots=True)
class Drafter:
    """Who wrote the draft."""

    kind: str
    """One of DRAFTER_KINDS."""
    name: str
    model: str | None


@dataclass(frozen=True, slots=True)
class Draft:
    """The recorded draft of one question."""

    question: str
    outcome: Outcome
    drafter: Drafter
    recorded: str
    """Date, e.g. `2026-12-01`."""
    prompt_version: str
    prompt_digest: Digest
    evidence: Mapping[str, Digest]
    """Section id -> digest of its published text, as the drafter read it."""
    parser_version: int
    sentences_version: int
    """Of the sentence splitter that set the spans."""
    claims: tuple[DraftClaim, ...]
    digest: Digest
    """Of the file."""


def draft_path(root: Path, question: str) -> Path:
    """Where the draft of a question is committed."""
    return root / f"{question}.json"


def load_drafts(root: Path, question_ids: Iterable[str]) -> dict[str, Draft]:
    """Question id -> draft; Refused where a draft is malformed, of an unknown question, or absent.

    Files whose name begins with a dot are of the system or left by a write that was stopped, and passed over.
    """
    wanted = tuple(question_ids)
    for path in sorted(root.glob("[!.]*")):
        if path.name.removesuffix(".json") not in wanted:
            raise Refused(
                "unknown-question",
                f"{path} is a draft for an unknown question",
                where=str(path),
                why=(f"the question set has no {path.name.removesuffix('.json')!r}",),
                mend="remove the file, or restore the question",
            )
    absent = [question for question in wanted if not draft_path(root, question).exists()]
    if absent:
        raise Refused(
            "no-draft",
            f"{len(absent)} questions have no draft",
            where=str(root),
            why=(", ".join(absent),),
            mend="`foregone draft export` writes their prompts, `foregone draft import` takes the replies",
        )
    return {question: load_draft(draft_path(root, question), question) for question in wanted}


def load_draft(path: Path, question: str) -> Draft:
    """The draft at `path`, which must be of `question`."""
    text = read_text(path, mend=MEND)
    fields = parse_json(text, path).mapping(
        required=(
            "format", "question", "outcome", "drafter", "recorded", "prompt", "evidence", "versions", "usage",
            "attempts", "claims",
        )
    )  # fmt: skip
    fields["format"].integer(1, 1)
    if fields["question"].string() != question:
        fields["question"].refuse(
            "wrong-question",
            f"{path} is the draft of {fields['question'].value!r}",
            why=(f"its name says {question!r}",),
            mend=MEND,
        )
    prompt = fields["prompt"].mapping(required=("version", "sha256"))
    versions = fields["versions"].mapping(required=("parser", "sentences"))
    drafter = fields["drafter"].mapping(required=("kind", "name", "model"))
    model = drafter["model"]
    return Draft(
        question=question,
        outcome=as_outcome(fields["outcome"]),
        drafter=Drafter(
            drafter["kind"].one_of(*DRAFTER_KINDS),
            drafter["name"].string(),
            None if model.value is None else model.string(),
        ),
        recorded=fields["recorded"].date(),
        prompt_version=prompt["version"].string(),
        prompt_digest=_digest(prompt["sha256"]),
        evidence={name: _digest(entry) for name, entry in fields["evidence"].any_mapping().items()},
        parser_version=versions["parser"].integer(1, LARGEST_PLACE),
        sentences_version=versions["sentences"].integer(1, LARGEST_PLACE),
        claims=tuple(_claim(entry) for entry in bounded_claims(fields["claims"])),
        digest=digest_text(text),
    )


def draft_json(draft: Draft) -> str:
    """The draft as its file; `digest` is not part of it."""
    value: dict[str, Any] = {
        "format": 1,
        "question": draft.question,
        "outcome": draft.outcome,
        "drafter": {"kind": draft.drafter.kind, "name": draft.drafter.name, "model": draft.drafter.model},
        "recorded": draft.recorded,
        "prompt": {"version": draft.prompt_version, "sha256": draft.prompt_digest},
        "evidence": dict(draft.evidence),
        "versions": {"parser": draft.parser_version, "sentences": draft.sentences_version},
        "usage": None,
        "attempts": [],
        "claims": [_claim_value(claim) for claim in draft.claims],
    }
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def as_outcome(field: Located) -> Outcome:
    """The field as an outcome."""
    found = field.one_of(*OUTCOMES)
    return next(outcome for outcome in OUTCOMES if outcome == found)


def as_kind(field: Located) -> ClaimKind:
    """The field as a kind of claim."""
    found = field.one_of(*CLAIM_KINDS)
    return next(kind for kind in CLAIM_KINDS if kind == found)


def as_claim_text(field: Located) -> str:
    """The field as the text of a claim on one line."""
    text = " ".join(field.string().split())
    if len(text) > MAX_CLAIM_TEXT:
        field.refuse(
            "too-long",
            f"{field.name} has {len(text):,} characters",
            why=(f"at most {MAX_CLAIM_TEXT:,}",),
            mend="one fact a claim",
        )
    return text


def bounded_claims(field: Located) -> tuple[Located, ...]:
    """The field as a list of at most MAX_CLAIMS claims."""
    entries = field.items()
    if len(entries) > MAX_CLAIMS:
        field.refuse(
            "too-many-claims",
            f"the draft has {len(entries)} claims",
            why=(f"at most {MAX_CLAIMS}",),
            mend="answer the question in fewer claims",
        )
    return entries


def _claim(entry: Located) -> DraftClaim:
    fields = entry.mapping(required=("text", "quoted", "kind", "parts", "section", "quote", "verifier"))
    quoted = fields["quoted"].boolean()
    text = None if fields["text"].value is None else as_claim_text(fields["text"])
    quote = None if fields["quote"].value is None else _quote(fields["quote"])
    if quoted != (text is None) or (quoted and quote is None):
        entry.refuse(
            "wrong-type",
            f"{entry.name} does not say what it claims",
            why=("a claim has a text, or is `quoted` and has a quote",),
            mend=MEND,
        )
    parts = {name: _span(span) for name, span in fields["parts"].mapping(optional=PARTS).items()}
    if any(end > len(text or "") for _, end in parts.values()):
        fields["parts"].refuse("bad-value", f"{fields['parts'].name} reaches past the text", mend=MEND)
    return DraftClaim(text, as_kind(fields["kind"]), parts, fields["section"].string(), quote)


def _quote(entry: Located) -> Quote:
    fields = entry.mapping(required=("span", "sha256", "missing"), optional=("found_in",))
    span = None if fields["span"].value is None else _span(fields["span"])
    missing = None if fields["missing"].value is None else fields["missing"].one_of(*MISSING_KINDS)
    if (span is None) != (missing is not None):
        entry.refuse("wrong-type", f"{entry.name} has neither a span nor a reason, or both", mend=MEND)
    kind = next((known for known in MISSING_KINDS if known == missing), None)
    found_in = fields["found_in"].strings() if "found_in" in fields else ()
    return Quote(span, _digest(fields["sha256"]), kind, found_in)


def _span(field: Located) -> Span:
    places = field.items()
    if len(places) != 2:
        field.refuse("wrong-type", f"{field.name} is not [start, end]", mend=MEND)
    start = places[0].integer(0, LARGEST_PLACE)
    return start, places[1].integer(start + 1, LARGEST_PLACE + 1)


def _digest(field: Located) -> Digest:
    text = field.string()
    if not DIGEST_PATTERN.fullmatch(text):
        field.refuse("bad-value", f"{field.name} is not a digest", why=(f"found {text!r}",), mend=MEND)
    return Digest(text)


def _claim_value(claim: DraftClaim) -> dict[str, Any]:
    return {
        "text": claim.text,
        "quoted": claim.quoted,
        "kind": claim.kind,
        "parts": {name: list(span) for name, span in claim.parts.items()},
        "section": claim.section,
        "quote": None if claim.quote is None else _quote_value(claim.quote),
        "verifier": None,
    }


def _quote_value(quote: Quote) -> dict[str, Any]:
    span = None if quote.span is None else list(quote.span)
    value: dict[str, Any] = {"span": span, "sha256": quote.digest, "missing": quote.missing}
    return value if quote.missing != "elsewhere" else {**value, "found_in": list(quote.found_in)}
