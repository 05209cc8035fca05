"""The committed form of an index is read back as it was written, and refused where a byte of it is another."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from foregone.corpus.chunks import Chunk
from foregone.digest import Digest, digest_bytes
from foregone.errors import Refused
from foregone.index.address import IndexIdentity
from foregone.index.store import TableRow, npy_bytes, read_index, read_npy, stored_versions, write_index

IDENTITY = IndexIdentity(
    Digest("sha256:01"),
    {"kettle": Digest("sha256:02")},
    Digest("sha256:03"),
    {"bm25": {"size": 40, "chunks": "sha256:04"}, "dense": {"dimension": 2, "chunks": "sha256:05"}},
)
CHUNKS = (
    Chunk("kettle#1", (0, 8), "kettle §1 Boiling. A kettle"),
    Chunk("kettle#1", (4, 12), "kettle §1 Boiling. kettle is"),
)
VECTORS = np.array([[1.0, 0.0], [0.6, 0.8]], dtype=np.float16)
MEND = "  mend: restore the folder from version control, or delete it and run `foregone index build`"


def written(root: Path) -> Path:
    return write_index(root, IDENTITY, CHUNKS, VECTORS)


def replace_file(folder: Path, name: str, content: bytes) -> None:
    """Put other content into the index and list its digest, as a faulty writer would."""
    (folder / name).write_bytes(content)
    listing = json.loads((folder / "index.json").read_text("utf-8"))
    listing["files"][name] = digest_bytes(content)
    (folder / "index.json").write_text(json.dumps(listing, indent=1), encoding="utf-8")


def test_an_index_is_read_as_it_was_written(tmp_path: Path) -> None:
    stored = read_index(written(tmp_path))

    assert (stored.folder, stored.identity) == (tmp_path / IDENTITY.version, IDENTITY)
    assert stored.table == tuple(TableRow(chunk.section, *chunk.span, chunk.digest) for chunk in CHUNKS)
    assert (stored.vectors.dtype.str, stored.vectors.tolist()) == ("<f2", VECTORS.tolist())


def test_writing_twice_gives_equal_bytes(tmp_path: Path) -> None:
    files = [
        {path.name: path.read_bytes() for path in written(tmp_path / name).iterdir()} for name in ("one", "another")
    ]

    assert files[0] == files[1]
    assert sorted(files[0]) == ["dense-00000.npy", "dense.chunks.jsonl", "index.json"]


def test_the_digest_is_over_the_listed_files_and_the_list(tmp_path: Path) -> None:
    folder = written(tmp_path)

    lines = [f"{path.name} {digest_bytes(path.read_bytes())}\n" for path in sorted(folder.iterdir())]
    assert read_index(folder).digest == digest_bytes("".join(lines).encode())


def test_bm25_alone_has_neither_table_nor_vectors(tmp_path: Path) -> None:
    folder = write_index(tmp_path, IDENTITY, (), np.zeros((0, 0), dtype=np.float16))
    stored = read_index(folder)

    assert [path.name for path in folder.iterdir()] == ["index.json"]
    assert (stored.table, stored.vectors.shape) == ((), (0, 0))


def test_vectors_are_cut_into_shards_and_joined_in_order(tmp_path: Path) -> None:
    vectors = np.zeros((65_538, 2), dtype=np.float16)
    vectors[:, 0] = 1.0
    vectors[65_536:] = [[0.0, 1.0], [0.6, 0.8]]
    folder = write_index(tmp_path, IDENTITY, CHUNKS[:1] * 65_538, vectors)

    assert [np.load(folder / f"dense-0000{shard}.npy").shape for shard in (0, 1)] == [(65_536, 2), (2, 2)]
    assert (read_index(folder).vectors == vectors).all()


def test_writing_removes_other_versions_and_nothing_else(tmp_path: Path) -> None:
    for name in ("000000000000", ".keep"):
        (tmp_path / name).mkdir()
    (tmp_path / "README").touch()
    folder = written(tmp_path)

    assert sorted(path.name for path in tmp_path.iterdir()) == [".keep", folder.name, "README"]
    assert stored_versions(tmp_path) == (folder,)


def test_a_torn_writing_is_not_an_index_and_is_swept_by_the_next(tmp_path: Path) -> None:
    torn = tmp_path / f".building-{IDENTITY.version}"
    torn.mkdir()
    (torn / "dense-00007.npy").touch()

    assert stored_versions(tmp_path) == ()
    assert sorted(path.name for path in written(tmp_path).iterdir()) == [
        "dense-00000.npy",
        "dense.chunks.jsonl",
        "index.json",
    ]


def test_no_folder_holds_no_versions(tmp_path: Path) -> None:
    assert stored_versions(tmp_path / "index") == ()


def test_a_flipped_byte_anywhere_in_a_shard_or_table_is_refused(tmp_path: Path) -> None:
    folder = written(tmp_path)
    told = []
    for path in sorted(folder.glob("dense*")):
        content = path.read_bytes()
        for position, byte in enumerate(content):
            path.write_bytes(content[:position] + bytes([byte ^ 1]) + content[position + 1 :])
            with pytest.raises(Refused) as refused:
                read_index(folder)
            told.append((refused.value.code, refused.value.where))
        path.write_bytes(content)

    assert set(told) == {("index-damaged", f"{folder}/dense{end}") for end in ("-00000.npy", ".chunks.jsonl")}


def test_a_truncated_shard_is_refused_with_both_digests(tmp_path: Path) -> None:
    shard = written(tmp_path) / "dense-00000.npy"
    content = shard.read_bytes()
    shard.write_bytes(content[:-2])

    with pytest.raises(Refused) as refused:
        read_index(shard.parent)

    assert str(refused.value) == (
        f"error[index-damaged]: {shard} is not the file that index.json lists\n"
        f"  --> {shard}\n"
        f"  expected {digest_bytes(content)}\n"
        f"  found    {digest_bytes(content[:-2])}  (134 bytes)\n" + MEND
    )


def test_a_shard_that_is_not_there_is_refused(tmp_path: Path) -> None:
    shard = written(tmp_path) / "dense-00000.npy"
    shard.unlink()

    with pytest.raises(Refused) as refused:
        read_index(shard.parent)

    assert str(refused.value) == (
        f"error[unreadable]: {shard} cannot be read\n  --> {shard}\n  No such file or directory\n" + MEND
    )


def test_fewer_vectors_than_chunks_are_refused(tmp_path: Path) -> None:
    folder = written(tmp_path)
    replace_file(folder, "dense-00000.npy", npy_bytes(VECTORS[:1]))

    with pytest.raises(Refused) as refused:
        read_index(folder)

    assert str(refused.value) == (
        f"error[index-truncated]: {folder} has 1 vectors for 2 chunks\n  --> {folder}\n" + MEND
    )


def test_vectors_of_another_dimension_than_the_index_says_are_refused(tmp_path: Path) -> None:
    folder = written(tmp_path)
    replace_file(folder, "dense-00000.npy", npy_bytes(np.eye(2, 3, dtype=np.float16)))

    with pytest.raises(Refused) as refused:
        read_index(folder)

    assert str(refused.value) == (
        f"error[bad-vector]: {folder}/dense-00000.npy has 3 dimensions\n"
        f"  --> {folder}/dense-00000.npy\n"
        "  expected 2\n" + MEND
    )


NPY: list[tuple[str, bytes, str]] = [
    (
        "not an array",
        b"tea",
        (
            "error[index-truncated]: q.npy cannot be read\n"
            "  --> q.npy\n"
            "  EOF: reading magic string, expected 8 bytes got 3\n"
        ),
    ),
    (
        "cut off",
        npy_bytes(VECTORS)[:-2],
        (
            "error[index-truncated]: q.npy cannot be read\n"
            "  --> q.npy\n"
            "  EOF: reading array data, expected 8 bytes got 6\n"
        ),
    ),
    (
        "other numbers",
        npy_bytes(VECTORS.astype(np.float32)),
        (
            "error[bad-vector]: q.npy is not a table of vectors\n"
            "  --> q.npy\n"
            "  expected float16 in 2 dimensions\n"
            "  found float32 in 2 dimensions\n"
        ),
    ),
    (
        "one row without its table",
        npy_bytes(VECTORS[0]),
        (
            "error[bad-vector]: q.npy is not a table of vectors\n"
            "  --> q.npy\n"
            "  expected float16 in 2 dimensions\n"
            "  found float16 in 1 dimensions\n"
        ),
    ),
]


@pytest.mark.parametrize(("content", "message"), [case[1:] for case in NPY], ids=[case[0] for case in NPY])
def test_what_is_not_a_table_of_vectors_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(Refused) as refused:
        read_npy(content, Path("q.npy"))

    assert str(refused.value) == message + MEND


def test_a_committed_row_that_is_not_of_unit_length_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        read_npy(npy_bytes(VECTORS * np.float16(2)), Path("q.npy"))

    assert str(refused.value) == (
        "error[bad-vector]: row 0 of q.npy is not of unit length\n"
        "  --> q.npy\n"
        "  expected a norm of 1 within 0.00390625, found 2\n"
        "  mend: run `foregone index build`"
    )


def listing(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON value
    identity = {
        "corpus": "sha256:01",
        "documents": {"kettle": "sha256:02"},
        "sections": "sha256:03",
        "legs": {"bm25": {"size": 40, "chunks": "sha256:04"}},
    }
    return {"format": 1, "identity": identity, "files": {}} | changes


LISTINGS: list[tuple[str, str, str]] = [
    (
        "cut off",
        '{\n "format": 1,\n',
        (
            "error[json-syntax]: {0} cannot be parsed\n"
            "  --> {0}:3\n"
            "  Expecting property name enclosed in double quotes in column 1\n"
            "  mend: correct the file at this line"
        ),
    ),
    (
        "a key less",
        json.dumps({"format": 1, "files": {}}),
        "error[missing-key]: the file has no 'identity'\n  --> {0}:1\n  mend: add 'identity'",
    ),
    (
        "a later format",
        json.dumps(listing(format=2), indent=1),
        "error[bad-number]: format is 2\n  --> {0}:2\n  expected an integer from 1 to 1\n  mend: write such a number",
    ),
    (
        "a file outside the folder",
        json.dumps(listing(files={"../dense-00000.npy": "sha256:00"}), indent=1),
        "error[bad-value]: '../dense-00000.npy' is not a file name\n  --> {0}:16\n" + MEND,
    ),
    (
        "a leg that does not say its chunks",
        json.dumps(listing(identity={**listing()["identity"], "legs": {"bm25": {"size": 40}}}), indent=1),
        "error[missing-key]: identity.legs.bm25 has no 'chunks'\n  --> {0}:10\n" + MEND,
    ),
    (
        "legs that are a list",
        json.dumps(listing(identity={**listing()["identity"], "legs": []}), indent=1),
        "error[wrong-type]: identity.legs is not a mapping\n  --> {0}:9\n  found a list\n  mend: write a mapping",
    ),
]


@pytest.mark.parametrize(("text", "message"), [case[1:] for case in LISTINGS], ids=[case[0] for case in LISTINGS])
def test_a_malformed_index_json_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "index.json").write_text(text, encoding="utf-8")

    with pytest.raises(Refused) as refused:
        read_index(tmp_path)

    assert str(refused.value) == message.format(tmp_path / "index.json")


def test_a_folder_without_index_json_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        read_index(tmp_path)

    assert str(refused.value) == (
        f"error[unreadable]: {tmp_path}/index.json cannot be read\n"
        f"  --> {tmp_path}/index.json\n"
        "  No such file or directory\n" + MEND
    )


TABLES: list[tuple[str, bytes, str]] = [
    (
        "a place less",
        b'["kettle#1",0,8,"sha256:00"]\n["kettle#1",4,"sha256:00"]\n',
        "error[wrong-type]: row 2 of the chunk table is not [section, start, end, digest]\n"
        "  --> {0}:1\n"
        "  found 3 values\n" + MEND,
    ),
    (
        "a negative place",
        b'["kettle#1",-1,8,"sha256:00"]\n',
        (
            "error[bad-number]: [1] is -1\n"
            "  --> {0}:1\n"
            "  expected an integer from 0 to 2147483648\n"
            "  mend: write such a number"
        ),
    ),
    (
        "not UTF-8",
        b'["k\xff"]\n',
        (
            "error[not-utf8]: {0} is not UTF-8 text\n"
            "  --> {0}:1\n"
            "  byte 3 is 0xff: invalid start byte\n"
            "  mend: save the file as UTF-8"
        ),
    ),
]


@pytest.mark.parametrize(("content", "message"), [case[1:] for case in TABLES], ids=[case[0] for case in TABLES])
def test_a_malformed_chunk_table_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    folder = written(tmp_path)
    replace_file(folder, "dense.chunks.jsonl", content)

    with pytest.raises(Refused) as refused:
        read_index(folder)

    assert str(refused.value) == message.format(folder / "dense.chunks.jsonl")


def test_vectors_are_written_without_a_version_of_numpy_in_them() -> None:
    header = b"{'descr': '<f2', 'fortran_order': False, 'shape': (1, 2), }"
    vectors: npt.NDArray[np.float16] = VECTORS[:1]

    assert npy_bytes(vectors) == b"\x93NUMPY\x01\x00v\x00" + header.ljust(117) + b"\n" + vectors.tobytes()
