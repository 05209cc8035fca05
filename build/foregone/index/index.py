"""The index in memory: both legs, the version that names them, and how far the committed folder agrees."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from foregone.corpus.chunks import Chunk, chunk_sections, count_words, make_chunk
from foregone.corpus.corpus import Corpus, digest_sections
from foregone.digest import Digest
from foregone.errors import Refused
from foregone.index.address import IndexIdentity, differences, digest_table, identify_bm25, identify_dense
from foregone.index.bm25 import Bm25Index, build_bm25
from foregone.index.embedder import Embedder, round_to_half
from foregone.index.minilm import IDENTITY as MINILM
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
    stored = read_index(folders[-1])
    status = _compare(corpus, settings, stored)
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
    corpus: Corpus, settings: RetrievalSettings, root: Path, load_embedder: Callable[[], Embedder]
) -> IndexStatus:
    """Where the committed index stands; a changed corpus is chunked again where the embedder can be loaded."""
    folders = stored_versions(root)
    if folders:
        status = _compare(corpus, settings, read_index(folders[-1]))
        if not status.changes:
            return status
    try:
        wanted = _identity(corpus, settings, _dense_chunks(corpus, settings, load_embedder)).version
    except Refused:
        wanted = None
    if not folders:
        return IndexStatus(None, wanted, (f"{root} holds no index",))
    return IndexStatus(status.committed, wanted, status.changes)


def build_index(
    corpus: Corpus,
    settings: RetrievalSettings,
    root: Path,
    load_embedder: Callable[[], Embedder],
    advance: Callable[[int, int], None],
) -> BuiltIndex:
    """Write the index of this corpus; only chunks whose text changed are embedded.

    `advance` is told how many chunks are done and how many there are.
    """
    if settings.dense is None:
        identity = _identity(corpus, settings, ())
        return BuiltIndex(write_index(root, identity, (), np.zeros((0, 0), dtype=np.float16)), 0, 0)
    embedder = load_embedder()
    chunks = _dense_chunks(corpus, settings, lambda: embedder)
    identity = _identity(corpus, settings, chunks)
    known = _known_vectors(root, identity)
    missing = [place for place, chunk in enumerate(chunks) if chunk.digest not in known]
    vectors = np.zeros((len(chunks), embedder.identity.dimension), dtype=np.float16)
    for place, chunk in enumerate(chunks):
        if chunk.digest in known:
            vectors[place] = known[chunk.digest]
    if missing:
        done = [0]

        def count(texts: int) -> None:
            done[0] += texts
            advance(done[0], len(missing))

        fresh = embedder.embed([chunks[place].text for place in missing], count)
        vectors[missing] = round_to_half(fresh, embedder.identity.name)
    return BuiltIndex(write_index(root, identity, chunks, vectors), len(missing), len(chunks) - len(missing))


def _compare(corpus: Corpus, settings: RetrievalSettings, stored: StoredIndex) -> IndexStatus:
    """The stored index against this corpus, by the committed chunk table: no tokenizer is needed."""
    wanted = _identity(corpus, settings, _stored_chunks(corpus, stored))
    changes = differences(stored.identity, wanted)
    if not changes and wanted.version != stored.folder.name:
        changes = (f"the folder is named {stored.folder.name}, its content is {wanted.version}",)
    return IndexStatus(stored.folder.name, wanted.version if not changes else None, changes)


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
        legs["dense"] = identify_dense(settings.dense, MINILM, digest_table(dense))
    return IndexIdentity(
        corpus.fingerprint,
        {document.id: document.digest for document in corpus.manifest.documents},
        digest_sections(corpus.sections),
        legs,
    )


def _bm25_chunks(corpus: Corpus, settings: RetrievalSettings) -> tuple[Chunk, ...]:
    return chunk_sections(corpus.sections, settings.bm25.chunk_words, settings.bm25.overlap_words, count_words)


def _dense_chunks(
    corpus: Corpus, settings: RetrievalSettings, load_embedder: Callable[[], Embedder]
) -> tuple[Chunk, ...]:
    if settings.dense is None:
        return ()
    dense = settings.dense
    return chunk_sections(corpus.sections, dense.chunk_pieces, dense.overlap_pieces, load_embedder().weigh)


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
