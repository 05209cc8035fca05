"""`foregone corpus fetch|verify|sections`."""

import os
from argparse import Namespace
from pathlib import Path

from foregone.commands.output import note, say, say_json
from foregone.corpus.chunks import chunk_sections, count_words
from foregone.corpus.corpus import Corpus, load_corpus
from foregone.corpus.debian import unpack_debian
from foregone.corpus.download import download
from foregone.corpus.fetch import fetch_corpus, ways_in_words
from foregone.corpus.manifest import Manifest, load_manifest
from foregone.corpus.pin import read_pinned
from foregone.errors import Refused
from foregone.project import Project, load_project
from foregone.table import table

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
    """Hash every fetched document against its pin: 0 all match, 1 one is absent or differs."""
    project = load_project(arguments.project)
    manifest = load_manifest(project.manifest)
    sizes, refused = _check_pins(manifest)
    if arguments.json:
        faults = [
            {"code": one.code, "what": one.what, "where": one.where, "why": list(one.why), "mend": one.mend}
            for one in refused
        ]
        say_json({"fingerprint": manifest.fingerprint, "documents": sizes, "refused": faults})
        return 1 if refused else 0
    for one in refused:
        say(one.diagnostics())
    if refused:
        say(f"{len(refused)} of {len(manifest.documents)} documents do not match their pins")
        return 1
    say(f"{len(sizes)} documents match their pins, {sum(sizes.values()):,} bytes")
    say(f"corpus fingerprint {manifest.fingerprint}")
    return 0


def _check_pins(manifest: Manifest) -> tuple[dict[str, int], list[Refused]]:
    """Bytes of each document that matches its pin, and what is wrong with the others."""
    sizes, refused = {}, []
    for document in manifest.documents:
        try:
            sizes[document.id] = len(read_pinned(manifest, document))
        except Refused as error:
            refused.append(error)
    return sizes, refused


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
