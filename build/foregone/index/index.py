"""The index in memory: both legs, the version that names them, and how far the committed folder agrees."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from foregone.corpus.chunks import Chunk, Weigh, chunk_sections, count_words, make_chunk
from foregone.corpus.corpus import Corpus, digest_sections
from foregone.digest import Digest
from foregone.errors import Refused
from foregone.index.address import IndexIdentity, differences, digest_table, identify_bm25, identify_dense
from foregone.index.bm25 import Bm25Index, build_bm25
from foregone.index.embedder import Embedder
from foregone.index.identities import identify
from foregone.index.partial import PartialVectors, embed_missing
from foregone.index.store import StoredIndex, read_index, stored_versions, write_index
from foregone.settings import RetrievalSettings


@dataclass(frozen=True, slots=True)
class DenseIndex:
    """Vectors of the dense leg."""

    sections: tuple[str, ...]
    """Section id of each row."""
    vectors: npt.NDArray[np.float16]
    """(n_rows, dimension), rows of unit length."""


@dataclass(frozen=True, slots=True)
class Index:
    """What retrieval reads."""

    version: str
    """12 hexadecimal digits."""
    bm25: Bm25Index
    bm25_sections: tuple[str, ...]
    """Section id of each BM25 chunk."""
    dense: DenseIndex | None
    """None: BM25 alone."""
    digest: Digest
    """Over the committed files."""


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """How the committed folder stands to the corpus and the settings."""

    committed: str | None
    """The version of the committed folder; None: there is none."""
    wanted: str | None
    """The version that a rebuild would give; None: only the embedder's tokenizer can tell."""
    untold: str
    """Why the embedder cannot be asked for it, and how to mend that; empty where `wanted` is known."""
    changes: tuple[str, ...]
    """What separates the two, in words; empty: the index is fresh."""


@dataclass(frozen=True, slots=True)
class BuiltIndex:
    """What `build_index` did."""

    folder: Path
    embedded: int
    """Chunks that were embedded."""
    reused: int
    """Chunks whose vector was taken from the folder that was there."""


def load_index(corpus: Corpus, settings: RetrievalSettings, root: Path) -> Index | None:
    """The committed index of this corpus; None where its folder is missing; Refused where it is of another version."""
    folders = stored_versions(root)
    if not folders:
        return None
    stored, status = _best(corpus, settings, folders)
    if status.changes:
        raise Refused(
            "index-stale",
            f"the index {status.committed} is not of this corpus and these settings",
            where=str(stored.folder),
            why=status.changes,
            mend="run `foregone index build`, or take the change back",
        )
    chunks = _bm25_chunks(corpus, settings)
    dense = DenseIndex(tuple(row.section for row in stored.table), stored.vectors) if settings.dense else None
    return Index(
        version=stored.folder.name,
        bm25=build_bm25(chunks, settings.bm25.stemmer),
        bm25_sections=tuple(chunk.section for chunk in chunks),
        dense=dense,
        digest=stored.digest,
    )


def index_status(
    corpus: Corpus, settings: RetrievalSettings, root: Path, load_weigh: Callable[[], Weigh]
) -> IndexStatus:
    """Where the committed index stands; a changed corpus is chunked again where its words can be measured."""
    folders = stored_versions(root)
    if folders:
        _, status = _best(corpus, settings, folders)
        if not status.changes:
            return status
    wanted, untold = None, ""
    try:
        wanted = _identity(corpus, settings, _dense_chunks(corpus, settings, load_weigh)).version
    except Refused as error:
        untold = f"{error.what}: {error.mend}"
    if not folders:
        return IndexStatus(None, wanted, untold, (f"{root} holds no index",))
    return IndexStatus(status.committed, wanted, untold, status.changes)


def committed_chunks(corpus: Corpus, index: Index, root: Path) -> tuple[Chunk, ...]:
    """The chunks whose vectors the index holds, with their words; none for BM25 alone."""
    return _stored_chunks(corpus, read_index(root / index.version)) if index.dense else ()


@dataclass(frozen=True, slots=True)
class IndexPlan:
    """What building the index takes."""

    identity: IndexIdentity
    chunks: tuple[Chunk, ...]
    """Of the dense leg; empty for BM25 alone."""
    known: Mapping[Digest, npt.NDArray[np.float16]]
    """Digest of a chunk's text -> its vector, from the committed index or from a build that was stopped."""

    @property
    def missing(self) -> tuple[Chunk, ...]:
        """The chunks to embed, each text once."""
        by_digest = {chunk.digest: chunk for chunk in self.chunks if chunk.digest not in self.known}
        return tuple(by_digest.values())


def plan_index(
    corpus: Corpus, settings: RetrievalSettings, root: Path, embedder: Embedder | None, partial: PartialVectors | None
) -> IndexPlan:
    """Which chunks there are and which of them are to be embedded; no embedder for BM25 alone."""
    if embedder is None:
        return IndexPlan(_identity(corpus, settings, ()), (), {})
    chunks = _dense_chunks(corpus, settings, lambda: embedder.weigh)
    identity = _identity(corpus, settings, chunks)
    return IndexPlan(identity, chunks, _known_vectors(root, identity) | (partial.load() if partial else {}))


def build_index(
    plan: IndexPlan,
    root: Path,
    embedder: Embedder | None,
    partial: PartialVectors | None,
    advance: Callable[[int], None],
) -> BuiltIndex:
    """Write the planned index; only chunks whose text changed are embedded, and each batch is kept at once.

    `advance` is told the number of chunks in each batch that is embedded.
    """
    if embedder is None:
        return BuiltIndex(write_index(root, plan.identity, (), np.zeros((0, 0), dtype=np.float16)), 0, 0)
    missing = {chunk.digest: chunk.text for chunk in plan.missing}
    known = {**plan.known, **embed_missing(embedder, missing, "document", partial, advance)}
    vectors = np.array([known[chunk.digest] for chunk in plan.chunks], dtype=np.float16)
    folder = write_index(root, plan.identity, plan.chunks, vectors)
    if partial:
        partial.clear()
    return BuiltIndex(folder, len(missing), len(plan.chunks) - len(missing))


def _best(corpus: Corpus, settings: RetrievalSettings, folders: tuple[Path, ...]) -> tuple[StoredIndex, IndexStatus]:
    """The folder that is of this corpus, else the last; several stand where a build was stopped at its very end."""
    for folder in folders:
        stored = read_index(folder)
        status = _compare(corpus, settings, stored)
        if not status.changes:
            break
    return stored, status


def _compare(corpus: Corpus, settings: RetrievalSettings, stored: StoredIndex) -> IndexStatus:
    """The stored index against this corpus, by the committed chunk table: no tokenizer is needed."""
    wanted = _identity(corpus, settings, _stored_chunks(corpus, stored))
    changes = differences(stored.identity, wanted)
    if not changes and wanted.version != stored.folder.name:
        changes = (f"the folder is named {stored.folder.name}, its content is {wanted.version}",)
    return IndexStatus(stored.folder.name, wanted.version if not changes else None, "", changes)


def _stored_chunks(corpus: Corpus, stored: StoredIndex) -> tuple[Chunk, ...]:
    """The chunks of the committed table with the words that the corpus has at their places now."""
    return tuple(
        make_chunk(corpus.by_id[row.section], (row.start, row.end))
        for row in stored.table
        if row.section in corpus.by_id
    )


def _identity(corpus: Corpus, settings: RetrievalSettings, dense: tuple[Chunk, ...]) -> IndexIdentity:
    legs = {"bm25": identify_bm25(settings.bm25, digest_table(_bm25_chunks(corpus, settings)))}
    if settings.dense:
        legs["dense"] = identify_dense(settings.dense, identify(settings.dense.embedder), digest_table(dense))
    return IndexIdentity(
        corpus.fingerprint,
        {document.id: document.digest for document in corpus.manifest.documents},
        digest_sections(corpus.sections),
        legs,
    )


def _bm25_chunks(corpus: Corpus, settings: RetrievalSettings) -> tuple[Chunk, ...]:
    return chunk_sections(corpus.sections, settings.bm25.chunk_words, settings.bm25.overlap_words, count_words)


def _dense_chunks(corpus: Corpus, settings: RetrievalSettings, load_weigh: Callable[[], Weigh]) -> tuple[Chunk, ...]:
    if settings.dense is None:
        return ()
    dense = settings.dense
    return chunk_sections(corpus.sections, dense.chunk_size, dense.overlap, load_weigh())


def _known_vectors(root: Path, wanted: IndexIdentity) -> dict[Digest, npt.NDArray[np.float16]]:
    """Digest of a chunk's text -> its vector, from a folder of the same model and tokenizer."""
    embedder = ("model_sha256", "tokenizer_sha256")
    known: dict[Digest, npt.NDArray[np.float16]] = {}
    for folder in stored_versions(root):
        stored = read_index(folder)
        dense = stored.identity.legs.get("dense", {})
        if all(dense.get(part) == wanted.legs["dense"][part] for part in embedder):
            known |= {row.digest: vector for row, vector in zip(stored.table, stored.vectors, strict=True)}
    return known
