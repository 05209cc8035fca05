"""The corpus manifest: which documents there are, and the pin that each must match."""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from foregone.corpus.parsers import PARSERS
from foregone.digest import Digest
from foregone.located import Located, load_yaml

DOCUMENT_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
MAX_DOCUMENTS = 10_000
MAX_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class DebianCopy:
    """Where a Debian package carries the document, gzipped."""

    package: str
    path: str
    """Path inside the package, e.g. `usr/share/doc/RFC/links/rfc3986.txt.gz`."""


@dataclass(frozen=True, slots=True)
class Document:
    """One pinned document of the corpus."""

    id: str
    """e.g. `rfc9110`; part of section ids and of paths."""
    title: str
    parser: str
    """Which parser reads it; one of PARSERS."""
    url: str
    """Where the pinned bytes were published."""
    section_url: str
    """URL of a section on the web; `{number}` is its number, `{anchor}` is `section-4.2` or `appendix-A`."""
    retrieved: str
    """Date of retrieval, e.g. `2026-12-01`."""
    length: int
    """Bytes of the pinned file."""
    digest: Digest
    debian: DebianCopy | None
    where: str
    """`path:line` of the pin in the manifest."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The corpus as it is pinned."""

    path: Path
    title: str
    description: str
    documents: tuple[Document, ...]
    """Sorted by id."""

    @property
    def fingerprint(self) -> Digest:
        """Digest over the sorted lines `<id>:<sha256 in bare hex>` and a newline each."""
        lines = sorted(f"{document.id}:{document.digest.removeprefix('sha256:')}\n" for document in self.documents)
        return Digest("sha256:" + hashlib.sha256("".join(lines).encode()).hexdigest())

    def source_path(self, document: Document) -> Path:
        """Where the fetched file of `document` lies."""
        return self.path.parent / "sources" / f"{document.id}.txt"


def load_manifest(path: Path) -> Manifest:
    """The manifest at `path`; Refused with file and line where it is not well formed or pins nothing."""
    top = load_yaml(path, mend="write a corpus manifest there, see docs/inputs.md").mapping(
        required=("format", "title", "description", "documents")
    )
    top["format"].integer(1, 1)
    listed = top["documents"].items()
    if not 0 < len(listed) <= MAX_DOCUMENTS:
        top["documents"].refuse(
            "empty-corpus" if not listed else "too-many-documents",
            f"the manifest lists {len(listed)} documents",
            why=(f"expected 1 to {MAX_DOCUMENTS:,}",),
            mend="list the documents that the site answers from",
        )
    documents = [_document(entry) for entry in listed]
    _refuse_repeated_ids(listed, documents)
    return Manifest(
        path,
        top["title"].string(),
        top["description"].string(),
        tuple(sorted(documents, key=lambda document: document.id)),
    )


def _document(entry: Located) -> Document:
    keys = ("id", "title", "parser", "url", "section_url", "retrieved", "bytes", "sha256")
    fields = entry.mapping(required=keys, optional=("debian",))
    return Document(
        id=fields["id"].matching(DOCUMENT_ID, "lower-case letters, digits and hyphens, at most 64"),
        title=fields["title"].string(),
        parser=fields["parser"].one_of(*PARSERS),
        url=fields["url"].matching(re.compile(r"https?://\S+"), "an http or https URL"),
        section_url=fields["section_url"].matching(
            re.compile(r"https?://[^\s{}]+(\{(number|anchor)\}[^\s{}]*)?"),
            "a URL with at most one {number} or {anchor}",
        ),
        retrieved=fields["retrieved"].date(),
        length=fields["bytes"].integer(1, MAX_BYTES),
        digest=Digest("sha256:" + fields["sha256"].matching(re.compile(r"[0-9a-f]{64}"), "64 hexadecimal digits")),
        debian=_debian(fields["debian"]) if "debian" in fields else None,
        where=fields["sha256"].where,
    )


def _debian(entry: Located) -> DebianCopy:
    fields = entry.mapping(required=("package", "path"))
    return DebianCopy(
        fields["package"].matching(re.compile(r"[a-z0-9][a-z0-9+.-]+"), "a Debian package name"),
        fields["path"].matching(re.compile(r"(?!.*\.\.)usr/[\w./+-]+\.gz"), "a path under usr/ that ends in .gz"),
    )


def _refuse_repeated_ids(listed: tuple[Located, ...], documents: list[Document]) -> None:
    seen: set[str] = set()
    for entry, document in zip(listed, documents, strict=True):
        if document.id in seen:
            entry.refuse(
                "duplicate-id", f"the document id {document.id!r} is listed twice", mend="give each document its own id"
            )
        seen.add(document.id)
