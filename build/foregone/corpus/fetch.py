"""Fetch: every document of the manifest on disk, each byte as pinned.

    disk ─► mirror ─► url ─► debian          the first way that brings the pinned bytes is taken

Takes the manifest and the outside world as arguments. A file on disk that does not match its pin is refused before
anything else is tried; it is never replaced. What one way brought is kept when another document fails.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal

from foregone.corpus.debian import Absent
from foregone.corpus.download import DownloadFailed, host_of
from foregone.corpus.manifest import DebianCopy, Document, Manifest
from foregone.corpus.pin import is_pinned, mismatch, read_pinned
from foregone.errors import Refused
from foregone.files import write_atomically

Way = Literal["disk", "mirror", "url", "debian"]

WORDS: Mapping[Way, str] = {
    "disk": "already on disk",
    "mirror": "from the mirror folder",
    "url": "from the source URL",
    "debian": "from a Debian package",
}

Download = Callable[[str, int], bytes]
"""The bytes at a URL, at most so many; raises DownloadFailed."""

UnpackDebian = Callable[[Sequence[DebianCopy]], Mapping[DebianCopy, bytes | Absent]]
"""The bytes of each copy, or why they did not come."""

Report = Callable[[str], None]
"""Takes one line of progress."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A document that is on disk as pinned, and the way it came."""

    document_id: str
    way: Way


@dataclass(frozen=True, slots=True)
class Tried:
    """What one way gave for one document."""

    document: Document
    content: bytes | None
    """None where the way failed."""
    note: str
    """Where the content was, or why the way failed."""


def fetch_corpus(
    manifest: Manifest, *, mirror: Path | None, download: Download, unpack_debian: UnpackDebian, report: Report
) -> tuple[Fetched, ...]:
    """How each document came, in the manifest's order; Refused with every way's reason where one did not come.

    `mirror`: a folder with `<id>.txt`. `report` gets progress, not results.
    """
    ways: tuple[tuple[Way, Callable[[Sequence[Document]], Iterator[Tried]]], ...] = (
        ("mirror", partial(_from_mirror, mirror)),
        ("url", partial(_from_urls, download)),
        ("debian", partial(_from_debian, unpack_debian, report)),
    )
    came: dict[str, Way] = {document.id: "disk" for document in manifest.documents if _is_on_disk(manifest, document)}
    failures: dict[str, list[str]] = {document.id: [] for document in manifest.documents}
    for way, bring in ways:
        missing = tuple(document for document in manifest.documents if document.id not in came)
        for tried in map(_verified, bring(missing)):
            if tried.content is None:
                failures[tried.document.id].append(f"{way}: {tried.note}")
            else:
                _write(manifest.source_path(tried.document), tried.content)
                came[tried.document.id] = way
                report(f"{tried.document.id}: {WORDS[way]}")
    _refuse_missing(manifest, came, failures)
    return tuple(Fetched(document.id, came[document.id]) for document in manifest.documents)


def ways_in_words(fetched: Sequence[Fetched]) -> str:
    """How many documents came which way.

    >>> ways_in_words((Fetched("rfc3986", "disk"), Fetched("rfc6265", "url"), Fetched("rfc8259", "url")))
    '3 documents: 1 already on disk, 2 from the source URL'
    """
    counts = Counter(each.way for each in fetched)
    listed = ", ".join(f"{counts[way]} {words}" for way, words in WORDS.items() if counts[way])
    return f"{len(fetched)} {'document' if len(fetched) == 1 else 'documents'}: {listed}"


def _is_on_disk(manifest: Manifest, document: Document) -> bool:
    try:
        read_pinned(manifest, document)
    except Refused as refusal:
        if refusal.code != "not-fetched":
            raise
        return False
    return True


def _from_mirror(mirror: Path | None, documents: Sequence[Document]) -> Iterator[Tried]:
    for document in documents:
        if mirror is None:
            yield Tried(document, None, "FOREGONE_CORPUS_MIRROR is not set")
            continue
        path = mirror / f"{document.id}.txt"
        try:
            yield Tried(document, path.read_bytes(), str(path))
        except OSError as error:
            yield Tried(document, None, f"{path}: {error.strerror}")


def _from_urls(download: Download, documents: Sequence[Document]) -> Iterator[Tried]:
    """A host that could not be connected to is not tried again."""
    unreachable: set[str] = set()
    for document in documents:
        if host_of(document.url) in unreachable:
            yield Tried(document, None, f"{document.url} is not tried: {host_of(document.url)} cannot be connected to")
            continue
        try:
            yield Tried(document, download(document.url, document.length), document.url)
        except DownloadFailed as failure:
            unreachable.add(failure.unreachable)
            yield Tried(document, None, str(failure))


def _from_debian(unpack_debian: UnpackDebian, report: Report, documents: Sequence[Document]) -> Iterator[Tried]:
    copies = tuple(document.debian for document in documents if document.debian is not None)
    if copies:
        report(f"asking apt for {', '.join(dict.fromkeys(copy.package for copy in copies))}")
    unpacked = unpack_debian(copies) if copies else {}
    for document in documents:
        if document.debian is None:
            yield Tried(document, None, "the manifest names no package")
            continue
        match unpacked[document.debian]:
            case Absent(why):
                yield Tried(document, None, why)
            case content:
                yield Tried(document, content, f"{document.debian.package}: {document.debian.path}")


def _verified(tried: Tried) -> Tried:
    if tried.content is None or is_pinned(tried.content, tried.document):
        return tried
    expected, found = mismatch(tried.content, tried.document)
    return replace(tried, content=None, note=f"{tried.note} does not match the pin: {expected}, {found}")


def _write(path: Path, content: bytes) -> None:
    try:
        write_atomically(path, content)
    except OSError as error:
        raise Refused(
            "unwritable",
            f"{path} cannot be written",
            where=str(path),
            why=(str(error.strerror),),
            mend=f"make {path.parent} a folder that can be written to, with room for the file",
        ) from error


def _refuse_missing(manifest: Manifest, came: Mapping[str, Way], failures: Mapping[str, Sequence[str]]) -> None:
    missing = tuple(document for document in manifest.documents if document.id not in came)
    if not missing:
        return
    raise Refused(
        "fetch-failed",
        f"{len(missing)} of {len(manifest.documents)} documents could not be fetched",
        where=missing[0].where,
        why=tuple(
            line
            for document in missing
            for line in (f"{document.id} ({document.where})", *(f"  {why}" for why in failures[document.id]))
        ),
        mend="set FOREGONE_CORPUS_MIRROR to a folder that holds the missing files as <id>.txt, or connect to the "
        "network, and run `foregone corpus fetch` again",
    )
