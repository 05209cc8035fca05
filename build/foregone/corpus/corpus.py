"""The parsed corpus: every pinned document read, checked and cut into sections."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from foregone.corpus.manifest import Document, Manifest, load_manifest
from foregone.corpus.parsers import PARSERS
from foregone.corpus.pin import read_pinned
from foregone.corpus.section import Section
from foregone.digest import Digest, digest_bytes
from foregone.errors import Refused
from foregone.files import decode_utf8

MAX_SECTIONS = 1_000_000


@dataclass(frozen=True, slots=True)
class Corpus:
    """What every later stage reads of the documents."""

    manifest: Manifest
    sections: tuple[Section, ...]
    """By document, then in order of appearance; headings alone are among them."""
    by_id: Mapping[str, Section]
    """Section id -> section."""
    sources: Mapping[str, bytes]
    """Document id -> pinned bytes."""

    @property
    def fingerprint(self) -> Digest:
        """The corpus fingerprint of the manifest."""
        return self.manifest.fingerprint

    def document(self, document_id: str) -> Document:
        """The pinned document of that id, which must exist."""
        return next(document for document in self.manifest.documents if document.id == document_id)

    @property
    def indexed(self) -> tuple[Section, ...]:
        """The sections that have text."""
        return tuple(section for section in self.sections if section.text)


def load_corpus(manifest_path: Path) -> Corpus:
    """The corpus pinned by the manifest; Refused where a file is absent, differs from its pin or is not UTF-8."""
    manifest = load_manifest(manifest_path)
    sources = {document.id: read_pinned(manifest, document) for document in manifest.documents}
    for document in manifest.documents:
        decode_utf8(sources[document.id], manifest.source_path(document))
    sections = tuple(
        section
        for document in manifest.documents
        for section in PARSERS[document.parser](document.id, sources[document.id])
    )
    return make_corpus(manifest, sections, sources)


def make_corpus(manifest: Manifest, sections: tuple[Section, ...], sources: dict[str, bytes]) -> Corpus:
    """The corpus of these sections; Refused where none has text, or there are more than MAX_SECTIONS."""
    if not any(section.text for section in sections):
        raise Refused(
            "empty-corpus",
            "the corpus has no section with text",
            where=str(manifest.path),
            why=(f"{len(sections)} headings in {len(manifest.documents)} documents",),
            mend="pin documents that the chosen parser can cut into sections",
        )
    if len(sections) > MAX_SECTIONS:
        raise Refused(
            "too-many-sections",
            f"the corpus has {len(sections):,} sections",
            where=str(manifest.path),
            why=(f"at most {MAX_SECTIONS:,} are read",),
            mend="pin fewer documents",
        )
    by_id = {section.id: section for section in sections}
    return Corpus(manifest, sections, by_id, sources)


def digest_sections(sections: tuple[Section, ...]) -> Digest:
    """The digest of everything that the parsers gave, a line of JSON a section."""
    lines = (json.dumps(asdict(section), ensure_ascii=False, separators=(",", ":")) for section in sections)
    return digest_bytes("".join(f"{line}\n" for line in lines).encode())
