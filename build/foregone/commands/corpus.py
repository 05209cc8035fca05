"""`foregone corpus fetch|verify|sections`."""

import os
from argparse import Namespace
from pathlib import Path

from foregone.commands.output import note, say, say_json, table
from foregone.corpus.chunks import chunk_sections, count_words
from foregone.corpus.corpus import Corpus, load_corpus
from foregone.corpus.debian import unpack_debian
from foregone.corpus.download import download
from foregone.corpus.fetch import fetch_corpus, ways_in_words
from foregone.corpus.manifest import load_manifest
from foregone.corpus.pin import read_pinned
from foregone.project import Project, load_project

MIRROR = "FOREGONE_CORPUS_MIRROR"


def fetch(arguments: Namespace) -> int:
    """Bring every pinned document."""
    project = load_project(arguments.project)
    mirror = os.environ.get(MIRROR)
    fetched = fetch_corpus(
        load_manifest(project.manifest),
        mirror=Path(mirror) if mirror else None,
        download=download,
        unpack_debian=unpack_debian,
        report=note,
    )
    say(ways_in_words(fetched))
    return 0


def verify(arguments: Namespace) -> int:
    """Hash every fetched document against its pin."""
    project = load_project(arguments.project)
    manifest = load_manifest(project.manifest)
    sizes = {document.id: len(read_pinned(manifest, document)) for document in manifest.documents}
    if arguments.json:
        say_json({"fingerprint": manifest.fingerprint, "documents": sizes})
    else:
        say(f"{len(sizes)} documents match their pins, {sum(sizes.values()):,} bytes")
        say(f"corpus fingerprint {manifest.fingerprint}")
    return 0


def sections(arguments: Namespace) -> int:
    """Print the inventory of the corpus."""
    project = load_project(arguments.project)
    corpus = load_corpus(project.manifest)
    inventory = _inventory(project, corpus)
    if arguments.json:
        listed = [
            {"id": section.id, "title": section.title, "words": len(section.text.split())}
            for section in corpus.sections
        ]
        say_json({"documents": inventory, "sections": listed})
        return 0
    if arguments.list:
        for section in corpus.sections:
            say(f"{section.id}  {section.title}")
        return 0
    total = {name: sum(row[name] for row in inventory.values()) for name in next(iter(inventory.values()))}
    head = ("document", *total)
    rows = [(name, *(f"{count:,}" for count in row.values())) for name, row in {**inventory, "all": total}.items()]
    for line in table([head, *rows]):
        say(line)
    return 0


def _inventory(project: Project, corpus: Corpus) -> dict[str, dict[str, int]]:
    """Document id -> numbered sections, those not empty, those with sentences, and BM25 chunks."""
    bm25 = project.settings.retrieval.bm25
    inventory = {}
    for document in corpus.manifest.documents:
        own = [section for section in corpus.sections if section.document == document.id]
        inventory[document.id] = {
            "sections": len(own),
            "not empty": sum(section.text != "" for section in own),
            "with sentences": sum(section.has_sentences for section in own),
            "chunks": len(chunk_sections(own, bm25.chunk_words, bm25.overlap_words, count_words)),
        }
    return inventory
