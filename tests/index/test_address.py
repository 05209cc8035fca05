"""The index version is a content address: it changes with everything that a ranking depends on, and with nothing else."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from foregone.corpus.chunks import Chunk
from foregone.digest import Digest
from foregone.embedder_settings import PackagedSettings
from foregone.index.address import IndexIdentity, differences, digest_table, identify_bm25, identify_dense
from foregone.index.embedder import EmbedderIdentity
from foregone.settings import Bm25Settings, DenseSettings

EMBEDDER = EmbedderIdentity("tea-net", Digest("sha256:0e"), Digest("sha256:0f"), 4)
BM25 = Bm25Settings("english", 220, 40)
DENSE = DenseSettings(PackagedSettings("tea-net"), "word piece", 160, 40)
TABLE = Digest("sha256:0a")


def identity(
    bm25: Bm25Settings = BM25,
    dense: DenseSettings | None = DENSE,
    embedder: EmbedderIdentity = EMBEDDER,
    table: Digest = TABLE,
) -> IndexIdentity:
    legs = {"bm25": identify_bm25(bm25, TABLE)}
    if dense:
        legs["dense"] = identify_dense(dense, embedder, table)
    documents = {"cups": Digest("sha256:02"), "kettle": Digest("sha256:03")}
    return IndexIdentity(Digest("sha256:01"), documents, Digest("sha256:04"), legs)


CHANGES: list[tuple[str, Callable[[], IndexIdentity], tuple[str, ...]]] = [
    ("nothing", identity, ()),
    (
        "a document's bytes",
        lambda: replace(
            identity(),
            corpus=Digest("sha256:f1"),
            documents={"cups": Digest("sha256:02"), "kettle": Digest("sha256:f3")},
        ),
        ("document kettle has other bytes",),
    ),
    (
        "a document more, one less",
        lambda: replace(
            identity(),
            corpus=Digest("sha256:f1"),
            documents={"kettle": Digest("sha256:03"), "teapot": Digest("sha256:05")},
        ),
        ("document cups was removed", "document teapot was added"),
    ),
    ("the parser", lambda: replace(identity(), sections=Digest("sha256:f4")), ("the parser gives other sections",)),
    ("a leg less", lambda: identity(dense=None), ("leg dense was removed",)),
    (
        "chunk size",
        lambda: identity(bm25=Bm25Settings("english", 221, 40)),
        ("bm25: size is 221, the index has 220",),
    ),
    (
        "chunk overlap",
        lambda: identity(dense=DenseSettings(PackagedSettings("tea-net"), "word piece", 160, 41)),
        ("dense: overlap is 41, the index has 40",),
    ),
    (
        "stemmer",
        lambda: identity(bm25=Bm25Settings("french", 220, 40)),
        ("bm25: stemmer is 'french', the index has 'english'",),
    ),
    (
        "model",
        lambda: identity(embedder=replace(EMBEDDER, model=Digest("sha256:ee"))),
        ("dense: model_sha256 is 'sha256:ee', the index has 'sha256:0e'",),
    ),
    (
        "tokenizer",
        lambda: identity(embedder=replace(EMBEDDER, tokenizer=Digest("sha256:ff"))),
        ("dense: tokenizer_sha256 is 'sha256:ff', the index has 'sha256:0f'",),
    ),
    (
        "dimension",
        lambda: identity(embedder=replace(EMBEDDER, dimension=8)),
        ("dense: dimension is 8, the index has 4",),
    ),
    ("chunks alone", lambda: identity(table=Digest("sha256:fa")), ("dense: its chunks differ",)),
]


@pytest.mark.parametrize(("make", "words"), [case[1:] for case in CHANGES], ids=[case[0] for case in CHANGES])
def test_what_separates_two_indexes_is_named(make: Callable[[], IndexIdentity], words: tuple[str, ...]) -> None:
    assert differences(identity(), make()) == words


def test_every_change_gives_a_version_of_its_own() -> None:
    assert len({make().version for _, make, _ in CHANGES}) == len(CHANGES)


def test_the_same_inputs_give_the_same_version() -> None:
    assert [identity().version, identity(dense=None).version] == ["1d068560f36e", "a6589bc99678"]


def test_the_order_in_which_documents_and_legs_are_named_does_not_matter() -> None:
    one = identity()
    other = replace(one, documents=dict(reversed(one.documents.items())), legs=dict(reversed(one.legs.items())))

    assert other.version == one.version


def test_an_added_leg_is_named() -> None:
    assert differences(identity(dense=None), identity()) == ("leg dense was added",)


@pytest.mark.parametrize(
    "other",
    [
        Chunk("kettle#2", (0, 9), "kettle §1 Boiling. A kettle"),
        Chunk("kettle#1", (1, 9), "kettle §1 Boiling. A kettle"),
        Chunk("kettle#1", (0, 8), "kettle §1 Boiling. A kettle"),
        Chunk("kettle#1", (0, 9), "kettle §1 Boiling. A kettel"),
    ],
)
def test_a_chunk_table_is_digested_by_section_span_and_text(other: Chunk) -> None:
    chunk = Chunk("kettle#1", (0, 9), "kettle §1 Boiling. A kettle")

    assert digest_table((other,)) != digest_table((chunk,))
