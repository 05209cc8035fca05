"""The committed form of an index: `corpus/index/<version>/` with index.json, chunk table and float16 shards."""

import io
import json
import shutil
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
import numpy.typing as npt

from foregone.corpus.chunks import Chunk
from foregone.digest import Digest, digest_bytes
from foregone.errors import Refused
from foregone.files import decode_utf8, read_bytes, write_atomically
from foregone.index.address import IndexIdentity
from foregone.index.embedder import check_norms
from foregone.located import Located, load_json, parse_json

SHARD_ROWS = 65_536
MEND = "restore the folder from version control, or delete it and run `foregone index build`"


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of a committed chunk table."""

    section: str
    start: int
    end: int
    digest: Digest
    """Of the indexed text."""


@dataclass(frozen=True, slots=True)
class StoredIndex:
    """What one index folder holds."""

    folder: Path
    identity: IndexIdentity
    table: tuple[TableRow, ...]
    """Of the dense leg; empty for BM25 alone."""
    vectors: npt.NDArray[np.float16]
    """(n_rows, dimension), or (0, 0) for BM25 alone."""
    digest: Digest
    """Over the committed files: a line `<name> <digest>` each, sorted."""


def stored_versions(root: Path) -> tuple[Path, ...]:
    """The index folders under `root`, sorted; none where there is no such folder."""
    return (
        tuple(sorted(path for path in root.iterdir() if path.is_dir() and path.name[0] != ".")) if root.is_dir() else ()
    )


def write_index(
    root: Path, identity: IndexIdentity, chunks: tuple[Chunk, ...], vectors: npt.NDArray[np.float16]
) -> Path:
    """Write the folder of this version and remove those of others; returns it. A crash leaves the old ones whole."""
    folder = root / identity.version
    building = root / f".building-{identity.version}"
    shutil.rmtree(building, ignore_errors=True)
    building.mkdir(parents=True)
    for name, content in _files(identity, chunks, vectors):
        write_atomically(building / name, content)
    _replace_folder(folder, building)
    for other in stored_versions(root):
        if other != folder:
            shutil.rmtree(other)
    return folder


def _replace_folder(folder: Path, building: Path) -> None:
    """Put the finished folder in its place; the one that is there is gone only when the new one stands."""
    aside = folder.with_name(f".old-{folder.name}")
    shutil.rmtree(aside, ignore_errors=True)
    if folder.is_dir():
        folder.rename(aside)
    building.rename(folder)
    shutil.rmtree(aside, ignore_errors=True)


def read_index(folder: Path) -> StoredIndex:
    """The index in `folder`; Refused where a file is absent, truncated or not what index.json says."""
    top = load_json(folder / "index.json", mend=MEND).mapping(required=("format", "identity", "files"))
    top["format"].integer(1, 1)
    identity = _identity(top["identity"])
    listed = {name: entry.string() for name, entry in top["files"].any_mapping().items()}
    contents = {name: _checked(folder, name, digest, top["files"]) for name, digest in listed.items()}
    table = _table(contents.get("dense.chunks.jsonl", b""), folder / "dense.chunks.jsonl")
    shards = {name: contents[name] for name in sorted(contents) if name.endswith(".npy")}
    vectors = _vectors(shards, folder, identity.legs.get("dense", {}).get("dimension"))
    if len(vectors) != len(table):
        raise Refused(
            "index-truncated",
            f"{folder} has {len(vectors)} vectors for {len(table)} chunks",
            where=str(folder),
            mend=MEND,
        )
    return StoredIndex(folder, identity, table, vectors, _digest_files({**listed, "index.json": _own(folder)}))


def _files(
    identity: IndexIdentity, chunks: tuple[Chunk, ...], vectors: npt.NDArray[np.float16]
) -> Iterable[tuple[str, bytes]]:
    contents: dict[str, bytes] = {}
    if len(vectors):
        rows = ([chunk.section, *chunk.span, chunk.digest] for chunk in chunks)
        lines = (json.dumps(row, separators=(",", ":")) for row in rows)
        contents["dense.chunks.jsonl"] = "".join(f"{line}\n" for line in lines).encode()
        for first in range(0, len(vectors), SHARD_ROWS):
            contents[f"dense-{first // SHARD_ROWS:05d}.npy"] = npy_bytes(vectors[first : first + SHARD_ROWS])
    listing = {"format": 1, "identity": asdict(identity)}
    listing["files"] = {name: digest_bytes(content) for name, content in contents.items()}
    yield from contents.items()
    yield "index.json", (json.dumps(listing, indent=1) + "\n").encode()


def npy_bytes(vectors: npt.NDArray[np.float16]) -> bytes:
    """`vectors` as a version 1.0 .npy file."""
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.ascontiguousarray(vectors), version=(1, 0), allow_pickle=False)
    return buffer.getvalue()


def read_npy(content: bytes, path: Path) -> npt.NDArray[np.float16]:
    """The (n, d) float16 array in `content`, rows of unit length; Refused where it is anything else."""
    try:
        vectors = np.lib.format.read_array(io.BytesIO(content), allow_pickle=False)
    except (ValueError, TypeError, EOFError, OSError, MemoryError, OverflowError, TokenError) as error:
        raise Refused(
            "index-truncated", f"{path} cannot be read", where=str(path), why=(str(error),), mend=MEND
        ) from error
    if vectors.dtype != np.float16 or vectors.ndim != 2:
        found = f"found {vectors.dtype} in {vectors.ndim} dimensions"
        raise Refused(
            "bad-vector",
            f"{path} is not a table of vectors",
            where=str(path),
            why=("expected float16 in 2 dimensions", found),
            mend=MEND,
        )
    check_norms(vectors, str(path))
    return vectors


def _identity(entry: Located) -> IndexIdentity:
    fields = entry.mapping(required=("corpus", "documents", "sections", "legs"))
    documents = {name: Digest(value.string()) for name, value in fields["documents"].any_mapping().items()}
    legs = {name: _leg(value) for name, value in fields["legs"].any_mapping().items()}
    return IndexIdentity(
        Digest(fields["corpus"].string()),
        documents,
        Digest(fields["sections"].string()),
        legs,
    )


def _leg(entry: Located) -> dict[str, Any]:
    values = {name: value.value for name, value in entry.any_mapping().items()}
    if "chunks" not in values:
        entry.refuse("missing-key", f"{entry.name} has no 'chunks'", mend=MEND)
    return values


def _checked(folder: Path, name: str, digest: str, files: Located) -> bytes:
    if Path(name).name != name:
        files.refuse("bad-value", f"{name!r} is not a file name", mend=MEND)
    content = read_bytes(folder / name, mend=MEND)
    if digest_bytes(content) != digest:
        raise Refused(
            "index-damaged",
            f"{folder / name} is not the file that index.json lists",
            where=str(folder / name),
            why=(f"expected {digest}", f"found    {digest_bytes(content)}  ({len(content):,} bytes)"),
            mend=MEND,
        )
    return content


def _table(content: bytes, path: Path) -> tuple[TableRow, ...]:
    lines = decode_utf8(content, path).splitlines()
    return tuple(_row(parse_json(line, path), number) for number, line in enumerate(lines, start=1))


def _row(entry: Located, number: int) -> TableRow:
    fields = entry.items()
    if len(fields) != 4:
        what = f"row {number} of the chunk table is not [section, start, end, digest]"
        entry.refuse("wrong-type", what, why=(f"found {len(fields)} values",), mend=MEND)
    section, start, end, digest = fields
    largest = 2**31
    return TableRow(section.string(), start.integer(0, largest), end.integer(1, largest), Digest(digest.string()))


def _vectors(shards: dict[str, bytes], folder: Path, dimension: object) -> npt.NDArray[np.float16]:
    if not shards:
        return np.zeros((0, 0), dtype=np.float16)
    return np.concatenate([_shard(content, folder / name, dimension) for name, content in shards.items()])


def _shard(content: bytes, path: Path, dimension: object) -> npt.NDArray[np.float16]:
    vectors = read_npy(content, path)
    if vectors.shape[1] != dimension:
        what = f"{path} has {vectors.shape[1]} dimensions"
        raise Refused("bad-vector", what, where=str(path), why=(f"expected {dimension}",), mend=MEND)
    return vectors


def _own(folder: Path) -> Digest:
    return digest_bytes(read_bytes(folder / "index.json", mend=MEND))


def _digest_files(digests: dict[str, str]) -> Digest:
    return digest_bytes("".join(f"{name} {digests[name]}\n" for name in sorted(digests)).encode())
