"""An index is named by its content: a stale one is refused, and only what changed is embedded again."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NoReturn

import numpy as np
import numpy.typing as npt
import pytest

from foregone.corpus.chunks import Weigh, chunk_sections, count_words
from foregone.corpus.corpus import Corpus, load_corpus
from foregone.digest import digest_bytes
from foregone.embedder_settings import PackagedSettings
from foregone.errors import Refused
from foregone.index.embedder import EmbedderIdentity, TextKind
from foregone.index.index import BuiltIndex, Index, IndexStatus, build_index, index_status, load_index, plan_index
from foregone.index.minilm import IDENTITY
from foregone.index.store import read_index, write_index
from foregone.settings import Bm25Settings, DenseSettings, RetrievalSettings, load_settings
from tiny_corpus import CUPS, TEXTS, manifest, write_sources

REPOSITORY = Path(__file__).parents[2]
PACKAGED = PackagedSettings("all-MiniLM-L6-v2-int8")
BM25_ALONE = RetrievalSettings(Bm25Settings("english", 40, 10), None, 10, 3)
BOTH_LEGS = replace(BM25_ALONE, dense=DenseSettings(PACKAGED, "word piece", 12, 4))


@dataclass
class FakeEmbedder:
    """Each text has one vector that its digest decides; what was embedded is kept."""

    identity: EmbedderIdentity = IDENTITY
    batch_size: int = 16
    weigh: Weigh = count_words
    embedded: list[str] = field(default_factory=list)

    def embed(self, texts: Sequence[str], kind: TextKind) -> npt.NDArray[np.float32]:
        assert kind == "document"
        self.embedded += texts
        vectors = np.zeros((len(texts), self.identity.dimension), dtype=np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            signs = np.frombuffer(hashlib.sha256(text.encode()).digest() * 12, dtype=np.uint8)
            vector[:] = np.where(signs % 2, 1.0, -1.0)
        return vectors


def unwatched(_: int) -> None:
    """Progress that nobody follows."""


def by_words() -> Weigh:
    """As FakeEmbedder measures them."""
    return count_words


def no_weigh() -> NoReturn:
    raise Refused("no-embedder", "there is none", mend="install one")


def corpus_in(root: Path, **texts: str) -> Corpus:
    write_sources(root)
    for document, text in texts.items():
        (root / f"corpus/sources/{document}.txt").write_text(text, encoding="utf-8")
    (root / "corpus/manifest.yaml").write_text(manifest({**TEXTS, **texts}), encoding="utf-8")
    return load_corpus(root / "corpus/manifest.yaml")


def build(corpus: Corpus, root: Path, settings: RetrievalSettings = BOTH_LEGS) -> BuiltIndex:
    embedder = FakeEmbedder() if settings.dense else None
    return build_index(plan_index(corpus, settings, root, embedder, None), root, embedder, None, unwatched)


def test_the_same_inputs_give_the_same_version_and_bytes(tmp_path: Path) -> None:
    built = [build(corpus_in(tmp_path / name), tmp_path / name / "index").folder for name in ("a", "b")]

    files = [{path.name: digest_bytes(path.read_bytes()) for path in folder.iterdir()} for folder in built]
    assert (built[0].name, files[0]) == (built[1].name, files[1])


def test_each_input_gives_another_version(tmp_path: Path) -> None:
    corpus = corpus_in(tmp_path)
    other = corpus_in(tmp_path / "other", cups=CUPS.replace("thin china", "thin glass"))
    cases = [
        (corpus, BM25_ALONE),
        (corpus, BOTH_LEGS),
        (other, BM25_ALONE),
        (corpus, replace(BM25_ALONE, bm25=Bm25Settings("english", 41, 10))),
        (corpus, replace(BM25_ALONE, bm25=Bm25Settings("english", 40, 11))),
        (corpus, replace(BM25_ALONE, bm25=Bm25Settings("french", 40, 10))),
        (corpus, replace(BOTH_LEGS, dense=DenseSettings(PACKAGED, "word piece", 13, 4))),
        (corpus, replace(BOTH_LEGS, dense=DenseSettings(PACKAGED, "word piece", 12, 5))),
    ]

    versions = [
        build(corpus, tmp_path / str(number), settings).folder.name for number, (corpus, settings) in enumerate(cases)
    ]
    assert len(set(versions)) == len(cases)


def test_how_many_passages_are_taken_does_not_change_the_version(tmp_path: Path) -> None:
    corpus = corpus_in(tmp_path)
    settings = replace(BOTH_LEGS, fusion_k=60, evidence_per_leg=7)

    assert build(corpus, tmp_path / "a").folder.name == build(corpus, tmp_path / "b", settings).folder.name


def test_a_fresh_index_is_loaded_with_both_legs(tmp_path: Path) -> None:
    corpus = corpus_in(tmp_path)
    folder = build(corpus, tmp_path / "index").folder
    index = load_index(corpus, BOTH_LEGS, tmp_path / "index")

    assert isinstance(index, Index)
    assert (index.version, index.digest) == (folder.name, read_index(folder).digest)
    assert index.dense is not None
    assert set(index.bm25_sections) == set(index.dense.sections) == {section.id for section in corpus.indexed}
    assert (len(index.bm25_sections), index.dense.vectors.shape) == (index.bm25.n_chunks, (22, 384))


def test_bm25_alone_needs_no_embedder(tmp_path: Path) -> None:
    corpus = corpus_in(tmp_path)
    plan = plan_index(corpus, BM25_ALONE, tmp_path / "index", None, None)
    built = build_index(plan, tmp_path / "index", None, None, unwatched)
    index = load_index(corpus, BM25_ALONE, tmp_path / "index")

    assert (built.embedded, built.reused) == (0, 0)
    assert index is not None
    assert (index.version, index.dense) == (built.folder.name, None)


def test_a_missing_index_is_none(tmp_path: Path) -> None:
    assert load_index(corpus_in(tmp_path), BOTH_LEGS, tmp_path / "index") is None


def test_only_the_chunks_whose_text_changed_are_embedded_again(tmp_path: Path) -> None:
    build(corpus_in(tmp_path), tmp_path / "index")
    changed = corpus_in(tmp_path, cups=CUPS.replace("Saucers were removed", "Saucers were added"))
    embedder, told = FakeEmbedder(), list[int]()

    plan = plan_index(changed, BOTH_LEGS, tmp_path / "index", embedder, None)
    built = build_index(plan, tmp_path / "index", embedder, None, told.append)

    assert embedder.embedded == ["cups §A Changes. Saucers were added."]
    assert (built.embedded, built.reused, told) == (1, 21, [1])


def test_reused_vectors_are_those_that_embedding_all_would_give(tmp_path: Path) -> None:
    build(corpus_in(tmp_path), tmp_path / "index")
    changed = corpus_in(tmp_path, cups="1.  Added\n\n   A bowl came first.\n" + CUPS)

    reused = build(changed, tmp_path / "index")
    afresh = build(changed, tmp_path / "afresh")
    assert reused.reused > 0
    assert (read_index(reused.folder).digest, reused.folder.name) == (
        read_index(afresh.folder).digest,
        afresh.folder.name,
    )


@pytest.mark.parametrize("part", ["model_sha256", "tokenizer_sha256"])
def test_vectors_of_another_model_or_tokenizer_are_not_reused(tmp_path: Path, part: str) -> None:
    corpus = corpus_in(tmp_path)
    stored = read_index(build(corpus, tmp_path / "index").folder)
    legs = {**stored.identity.legs, "dense": {**stored.identity.legs["dense"], part: "sha256:00"}}
    chunks = chunk_sections(corpus.sections, 12, 4, count_words)
    write_index(tmp_path / "other", replace(stored.identity, legs=legs), chunks, stored.vectors)

    assert build(corpus, tmp_path / "other") == BuiltIndex(tmp_path / "other" / stored.folder.name, 22, 0)


def test_a_changed_document_makes_the_index_stale(tmp_path: Path) -> None:
    folder = build(corpus_in(tmp_path), tmp_path / "index").folder
    changed = corpus_in(tmp_path, cups=CUPS.replace("thin china", "thin glass"))

    with pytest.raises(Refused) as refused:
        load_index(changed, BOTH_LEGS, tmp_path / "index")

    assert str(refused.value) == (
        f"error[index-stale]: the index {folder.name} is not of this corpus and these settings\n"
        f"  --> {folder}\n"
        "  document cups has other bytes\n"
        "  bm25: its chunks differ\n"
        "  dense: its chunks differ\n"
        "  mend: run `foregone index build`, or take the change back"
    )


STALE: list[tuple[str, RetrievalSettings, tuple[str, ...]]] = [
    ("a leg less", BM25_ALONE, ("leg dense was removed",)),
    (
        "chunk size",
        replace(BOTH_LEGS, bm25=Bm25Settings("english", 41, 10)),
        ("bm25: size is 41, the index has 40",),
    ),
    (
        "stemmer",
        replace(BOTH_LEGS, bm25=Bm25Settings("french", 40, 10)),
        ("bm25: stemmer is 'french', the index has 'english'",),
    ),
    (
        "dense chunks",
        replace(BOTH_LEGS, dense=DenseSettings(PACKAGED, "word piece", 16, 5)),
        ("dense: overlap is 5, the index has 4", "dense: size is 16, the index has 12"),
    ),
]


@pytest.mark.parametrize(("settings", "changes"), [case[1:] for case in STALE], ids=[case[0] for case in STALE])
def test_status_names_what_changed_and_the_version_of_a_rebuild(
    tmp_path: Path, settings: RetrievalSettings, changes: tuple[str, ...]
) -> None:
    corpus = corpus_in(tmp_path)
    committed = build(corpus, tmp_path / "index").folder.name
    wanted = build(corpus, tmp_path / "rebuilt", settings).folder.name

    assert index_status(corpus, settings, tmp_path / "index", by_words) == IndexStatus(committed, wanted, "", changes)


def test_status_of_a_fresh_index_needs_no_tokenizer(tmp_path: Path) -> None:
    corpus = corpus_in(tmp_path)
    version = build(corpus, tmp_path / "index").folder.name

    assert index_status(corpus, BOTH_LEGS, tmp_path / "index", no_weigh) == IndexStatus(version, version, "", ())


def test_status_without_a_tokenizer_cannot_tell_the_version_of_a_rebuild(tmp_path: Path) -> None:
    committed = build(corpus_in(tmp_path), tmp_path / "index").folder.name
    changed = corpus_in(tmp_path, cups=CUPS.replace("Saucers", "Spoons"))

    assert index_status(changed, BOTH_LEGS, tmp_path / "index", no_weigh) == IndexStatus(
        committed,
        None,
        "there is none: install one",
        ("document cups has other bytes", "bm25: its chunks differ", "dense: its chunks differ"),
    )


def test_status_of_no_index_says_what_a_build_would_give(tmp_path: Path) -> None:
    corpus = corpus_in(tmp_path)
    wanted = build(corpus, tmp_path / "index").folder.name

    assert index_status(corpus, BOTH_LEGS, tmp_path / "none", by_words) == IndexStatus(
        None, wanted, "", (f"{tmp_path}/none holds no index",)
    )


def test_an_index_in_a_folder_of_another_name_is_refused(tmp_path: Path) -> None:
    corpus = corpus_in(tmp_path)
    folder = build(corpus, tmp_path / "index").folder
    folder.rename(tmp_path / "index/0123456789ab")

    with pytest.raises(Refused) as refused:
        load_index(corpus, BOTH_LEGS, tmp_path / "index")

    assert str(refused.value) == (
        "error[index-stale]: the index 0123456789ab is not of this corpus and these settings\n"
        f"  --> {tmp_path}/index/0123456789ab\n"
        f"  the folder is named 0123456789ab, its content is {folder.name}\n"
        "  mend: run `foregone index build`, or take the change back"
    )


def test_a_chunk_table_of_a_section_that_is_gone_makes_the_index_stale(tmp_path: Path) -> None:
    build(corpus_in(tmp_path), tmp_path / "index")
    changed = corpus_in(tmp_path, cups=CUPS.partition("Appendix")[0])

    status = index_status(changed, BOTH_LEGS, tmp_path / "index", no_weigh)
    assert status.changes == (
        "document cups has other bytes",
        "bm25: its chunks differ",
        "dense: its chunks differ",
    )


def test_the_version_does_not_depend_on_the_hash_seed_the_time_zone_or_the_locale(tmp_path: Path) -> None:
    version = build(corpus_in(tmp_path), tmp_path / "index", BM25_ALONE).folder.name
    program = (
        "import sys, pathlib; from foregone.cli import main; "
        "sys.exit(main(['index', 'status', '--json', '--project', sys.argv[1]]))"
    )
    (tmp_path / "index").rename(tmp_path / "corpus/index")
    environment = {**os.environ, "PYTHONHASHSEED": "77", "TZ": "Asia/Kathmandu", "LC_ALL": "C"}
    command = [sys.executable, "-c", program, str(tmp_path)]
    status = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)

    assert status.stdout == f'{{\n "committed": "{version}",\n "wanted": "{version}",\n "changes": []\n}}\n'


def test_the_committed_index_is_of_the_committed_corpus_and_settings() -> None:
    corpus = load_corpus(REPOSITORY / "corpus/manifest.yaml")
    settings = load_settings(REPOSITORY / "foregone.yaml").retrieval
    index = load_index(corpus, settings, REPOSITORY / "corpus/index")

    assert index is not None
    assert index.dense is not None
    assert (index.bm25.n_chunks, index.dense.vectors.shape[1]) == (868, 384)
    assert set(index.bm25_sections) == set(index.dense.sections) == {section.id for section in corpus.indexed}


@pytest.mark.parametrize(
    ("factor", "why"),
    [
        (np.zeros((1, 1)), "  expected finite numbers, not all of them 0\n  found others\n"),
        (np.full((1, 1), np.nan), "  expected finite numbers, not all of them 0\n  found others\n"),
        (np.ones((2, 1, 1)), "  expected 16 vectors of 384 numbers\n  found the shape (2, 16, 384)\n"),
    ],
    ids=["zero", "no number", "shape"],
)
def test_a_vector_that_the_embedder_gave_wrong_is_not_written(
    tmp_path: Path, factor: npt.NDArray[np.float64], why: str
) -> None:
    class Wrong(FakeEmbedder):
        def embed(self, texts: Sequence[str], kind: TextKind) -> npt.NDArray[np.float32]:
            return super().embed(texts, kind) * factor.astype(np.float32)

    plan = plan_index(corpus_in(tmp_path), BOTH_LEGS, tmp_path / "index", Wrong(), None)
    with pytest.raises(Refused) as refused:
        build_index(plan, tmp_path / "index", Wrong(), None, unwatched)

    assert str(refused.value) == (
        "error[bad-vector]: the embedder all-MiniLM-L6-v2-int8 gave vectors that cannot be used\n"
        "  --> all-MiniLM-L6-v2-int8\n"
        f"{why}"
        "  mend: look at the model and its dimension in foregone.yaml; what was embedded before is kept"
    )
    assert not (tmp_path / "index").exists()


def test_a_text_that_stands_twice_is_embedded_once(tmp_path: Path) -> None:
    twice = "1.  Tea\n\n   Brew it.\n"
    corpus = corpus_in(tmp_path, cups=twice, kettle=twice, teapot=twice)
    chunks = tuple(replace(section, document="cups") for section in corpus.sections)
    embedder = FakeEmbedder()

    plan = plan_index(replace(corpus, sections=chunks), BOTH_LEGS, tmp_path / "index", embedder, None)
    built = build_index(plan, tmp_path / "index", embedder, None, unwatched)
    assert (built.embedded, built.reused, embedder.embedded) == (1, 2, ["cups §1 Tea. Brew it."])
