"""The digests of an answer's inputs."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from foregone.budget import Budget
from foregone.decide.answer import Inputs
from foregone.digest import Digest, digest_bytes, digest_text
from foregone.draft.draft import Draft
from foregone.ground.rules import CHECK_VERSION
from foregone.retrieve.questions import Question
from foregone.settings import RetrievalSettings, RuleSettings

DECIDING_STAGES = ("corpus", "index", "retrieve", "draft", "ground", "decide")
"""Folders whose source can change an answer; the ones behind them only write it out."""


@dataclass(frozen=True, slots=True)
class SharedInputs:
    """What all answers of one build have in common."""

    corpus: Digest
    index: Digest | None
    retrieval: Digest
    rules: Digest
    limit: Digest
    code: Digest


def share_inputs(
    corpus: Digest, index: Digest | None, retrieval: RetrievalSettings, rules: RuleSettings, budget: Budget
) -> SharedInputs:
    """The inputs that do not depend on the question."""
    return SharedInputs(
        corpus=corpus,
        index=index,
        retrieval=_digest_value(asdict(retrieval)),
        rules=digest_rules(rules),
        limit=_digest_value({"max_work": budget.max_work}),
        code=digest_source(Path(__file__).parent.parent),
    )


def inputs_of(shared: SharedInputs, question: Question, evidence: Digest | None, draft: Draft) -> Inputs:
    """The inputs of one answer."""
    return Inputs(
        corpus=shared.corpus,
        index=shared.index,
        question=_digest_value(asdict(question)),
        retrieval=shared.retrieval,
        evidence=evidence,
        draft=draft.digest,
        rules=shared.rules,
        review=None,
        limit=shared.limit,
        code=shared.code,
    )


def digest_rules(rules: RuleSettings) -> Digest:
    """The digest of the rules' parameters and the version of the check."""
    return _digest_value({**asdict(rules), "check": CHECK_VERSION})


def digest_source(package: Path) -> Digest:
    """The digest over the source of the stages that decide an answer, by name."""
    paths = sorted(path for stage in DECIDING_STAGES for path in (package / stage).glob("*.py"))
    lines = (f"{path.parent.name}/{path.name} {digest_bytes(path.read_bytes())}\n" for path in paths)
    return digest_text("".join(lines))


def _digest_value(value: Mapping[str, Any]) -> Digest:
    return digest_text(json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_as_text))


def _as_text(value: object) -> str:
    assert isinstance(value, Fraction)
    return str(value)
