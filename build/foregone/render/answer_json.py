"""`api/v1/answers/<id>.json`: one answer as data. The order of keys is part of the format."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any
from urllib.parse import quote

from foregone.corpus.corpus import Corpus
from foregone.corpus.manifest import Document
from foregone.corpus.parsers import ANCHORED, PARSER_VERSION
from foregone.corpus.section import Section, byte_span
from foregone.decide.answer import Answer, digest_claim
from foregone.digest import digest_bytes, digest_text
from foregone.draft.draft import DraftClaim
from foregone.ground.outcome import GroundedClaim, RuleOutcome
from foregone.ground.rules import CHECK_VERSION
from foregone.retrieve.evidence import Passage, digest_evidence

API_VERSION = "1.0"


def json_bytes(value: Mapping[str, Any]) -> bytes:
    """`value` as it is published: compact, UTF-8 unescaped, keys in their order, one newline at the end."""
    return (json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n").encode()


def answer_value(answer: Answer, corpus: Corpus) -> dict[str, Any]:
    """The answer as it is published; the abandoned one has an `error` and neither state nor claims."""
    question = answer.question
    value: dict[str, Any] = {
        "api_version": API_VERSION,
        "index_version": answer.index_version,
        "status": answer.status,
        "id": question.id,
        "question": {
            "text": question.text,
            "topic": question.topic,
            "kind": question.kind,
            "parent": None,
            "clarify": [],
        },
    }
    if answer.state is None:
        value["error"] = {"code": "work-exceeded", "stage": "ground", "detail": _abandoned_in_words(answer)}
    else:
        value |= {"state": answer.state, "outcome": answer.draft.outcome, "claims": _claims(answer, corpus)}
    return value | {
        "flags": [],
        "passages": [_passage(passage, answer, corpus) for passage in answer.passages],
        "provenance": _provenance(answer, corpus),
        "inputs": asdict(answer.inputs),
        "work": asdict(answer.grounded.work) if answer.grounded else None,
        "versions": {"parser": PARSER_VERSION, "check": CHECK_VERSION},
    }


def section_url(document: Document, section: Section) -> str:
    """The section on the web, by the document's template."""
    number = quote(section.number)
    kind = "" if document.parser in ANCHORED else "section-" if number[0].isdigit() else "appendix-"
    return document.section_url.format(number=number, anchor=f"{kind}{number}")


def _abandoned_in_words(answer: Answer) -> str:
    assert answer.grounded is not None
    work = answer.grounded.work
    return f"grounding would read {work.tokens} tokens, the limit is {work.limit}"


def _claims(answer: Answer, corpus: Corpus) -> list[dict[str, Any]]:
    if answer.grounded is None:
        return []
    pairs = zip(answer.grounded.claims, answer.draft.claims, strict=True)
    return [_claim(claim, drafted, corpus) for claim, drafted in pairs]


def _claim(claim: GroundedClaim, drafted: DraftClaim, corpus: Corpus) -> dict[str, Any]:
    return {
        "id": claim.id,
        "sha256": digest_claim(claim, drafted),
        "kind": drafted.kind,
        "text": claim.text,
        "quoted": drafted.quoted,
        "parts": {name: list(span) for name, span in drafted.parts.items()},
        "section": claim.section,
        "verdict": claim.verdict,
        "evidence": _evidence(claim, corpus),
        "rules": [_rule(rule) for rule in claim.rules],
        "elsewhere": list(claim.elsewhere),
        "verifier": None,
    }


def _evidence(claim: GroundedClaim, corpus: Corpus) -> dict[str, Any]:
    if claim.span is None:
        return {"origin": claim.origin, "text": None, "span": None, "sha256": None, "source": None}
    section = corpus.by_id[claim.section]
    start, end = byte_span(section, claim.span)
    text = section.text[slice(*claim.span)]
    source = corpus.sources[section.document][start:end]
    return {
        "origin": claim.origin,
        "text": text,
        "span": list(claim.span),
        "sha256": digest_text(text),
        "source": {"document": section.document, "bytes": [start, end], "sha256": digest_bytes(source)},
    }


def _rule(rule: RuleOutcome) -> dict[str, Any]:
    return {
        "rule": rule.rule,
        "outcome": rule.outcome,
        "decided": rule.decided,
        "found": rule.found,
        "wanted": rule.wanted,
        "value": rule.value,
        "limit": rule.limit,
        "claim_span": list(rule.claim_span) if rule.claim_span else None,
        "message": rule.message,
    }


def _passage(passage: Passage, answer: Answer, corpus: Corpus) -> dict[str, Any]:
    section = corpus.by_id[passage.section]
    return {
        "section": section.id,
        "title": section.title,
        "trail": list(section.trail),
        "href": f"../sections/{section.document}/{quote(section.number)}.json",
        "url": section_url(corpus.document(section.document), section),
        "sha256": section.digest,
        "metadata": {},
        "location": {"kind": "section", "value": section.number},
        "ranks": dict(passage.ranks),
        "scores": {name: None if score is None else round(score, 6) for name, score in passage.scores.items()},
        "cited": section.id in answer.cited,
    }


def _provenance(answer: Answer, corpus: Corpus) -> dict[str, Any]:
    draft = answer.draft
    evidence = tuple(passage.section for passage in answer.passages)
    return {
        "drafter": asdict(draft.drafter),
        "recorded": draft.recorded,
        "prompt": {"version": draft.prompt_version, "sha256": draft.prompt_digest},
        "evidence_sha256": digest_evidence(corpus, evidence) if evidence else None,
        "draft_sha256": draft.digest,
        "usage": None,
        "attempts": [],
    }


def section_value(section: Section, corpus: Corpus, cited_by: tuple[str, ...]) -> dict[str, Any]:
    """`api/v1/sections/<document>/<number>.json`: a published text and its map to the bytes of the pinned file."""
    document = corpus.document(section.document)
    return {
        "api_version": API_VERSION,
        "id": section.id,
        "document": {
            "id": document.id,
            "title": document.title,
            "url": document.url,
            "retrieved": document.retrieved,
            "size": document.length,
            "sha256": document.digest,
        },
        "number": section.number,
        "title": section.title,
        "trail": list(section.trail),
        "url": section_url(document, section),
        "text": section.text,
        "sha256": section.digest,
        "bytes": list(section.span),
        "runs": [[run.text_start, run.byte_start, run.length] for run in section.runs],
        "has_sentences": section.has_sentences,
        "cited_by": list(cited_by),
    }


def questions_value(answers: tuple[Answer, ...], index_version: str | None, title: str) -> dict[str, Any]:
    """`api/v1/questions.json`: the question set with the state of each answer."""
    return {
        "api_version": API_VERSION,
        "index_version": index_version,
        "title": title,
        "questions": [_listed(answer) for answer in answers],
    }


def _listed(answer: Answer) -> dict[str, Any]:
    claims = answer.grounded.claims if answer.grounded else ()
    kept = sum(claim.verdict == "supported" for claim in claims)
    return {
        "id": answer.question.id,
        "text": answer.question.text,
        "topic": answer.question.topic,
        "kind": answer.question.kind,
        "state": answer.state,
        "status": answer.status,
        "kept": kept,
        "withdrawn": len(claims) - kept,
        "href": f"answers/{answer.question.id}.json",
    }
