"""The manifest of a release, and the id that follows from it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from foregone.corpus.corpus import Corpus
from foregone.decide.state import STATES, State
from foregone.digest import Digest, address, digest_bytes
from foregone.render.answer_json import json_bytes
from foregone.render.pages import RELEASE_TOKEN
from foregone.render.tree import TreeFile


@dataclass(frozen=True, slots=True)
class ReleaseFacts:
    """What a manifest says besides its files."""

    index_version: str | None
    corpus: Corpus
    questions: Digest
    drafts: Digest
    settings: Digest
    thresholds: Digest
    rules: Digest
    templates: Digest
    counts: Mapping[State | None, int]
    """Answers by state; None: abandoned."""


@dataclass(frozen=True, slots=True)
class Release:
    """A release before it is written."""

    id: str
    """12 hexadecimal digits."""
    index_version: str | None
    manifest: bytes
    tree: Mapping[str, TreeFile]

    @property
    def manifest_digest(self) -> Digest:
        """The digest whose first 12 digits are the id."""
        return digest_bytes(self.manifest)

    def stamped(self, path: str) -> bytes:
        """The file at `path` as it is published, the id in the place of the token."""
        file = self.tree[path]
        return stamp(file.content, self.id) if file.names_release else file.content


def make_release(facts: ReleaseFacts, tree: Mapping[str, TreeFile]) -> Release:
    """The release of this tree."""
    manifest = json_bytes(manifest_value(facts, tree))
    return Release(address(digest_bytes(manifest)), facts.index_version, manifest, tree)


def manifest_value(facts: ReleaseFacts, tree: Mapping[str, TreeFile]) -> dict[str, Any]:
    """The manifest as it is published."""
    return {
        "format": 1,
        "index_version": facts.index_version,
        "corpus": {
            "sha256": facts.corpus.fingerprint,
            "documents": {document.id: document.digest for document in facts.corpus.manifest.documents},
        },
        "questions": facts.questions,
        "drafts": facts.drafts,
        "settings": facts.settings,
        "thresholds": facts.thresholds,
        "rules": facts.rules,
        "templates": facts.templates,
        "counts": {
            "questions": sum(facts.counts.values()),
            **{state: facts.counts[state] for state in STATES},
            "abandoned": facts.counts[None],
        },
        "files": [_listed(path, tree[path]) for path in sorted(tree)],
    }


def stamp(content: bytes, release: str) -> bytes:
    """`content` with the release's id in the place of the token."""
    return content.replace(RELEASE_TOKEN.encode(), release.encode())


def unstamp(content: bytes, release: str) -> bytes:
    """The token form of a stamped page."""
    return content.replace(release.encode(), RELEASE_TOKEN.encode())


def _listed(path: str, file: TreeFile) -> dict[str, Any]:
    entry: dict[str, Any] = {"path": path, "sha256": digest_bytes(file.content), "size": len(file.content)}
    return {**entry, "self": True} if file.names_release else entry
