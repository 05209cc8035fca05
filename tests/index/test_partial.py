"""A build that stops in the middle goes on where it was: every batch that came is kept."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from foregone.corpus.chunks import Weigh, count_words
from foregone.corpus.corpus import Corpus, load_corpus
from foregone.digest import Digest, digest_text
from foregone.embedder_settings import PackagedSettings
from foregone.errors import Refused
from foregone.index.embedder import EmbedderIdentity, TextKind
from foregone.index.index import BuiltIndex, build_index, plan_index
from foregone.index.minilm import IDENTITY
from foregone.index.partial import PartialVectors, partial_vectors
from foregone.index.store import read_index
from foregone.settings import Bm25Settings, DenseSettings, RetrievalSettings
from tiny_corpus import write_sources

SETTINGS = RetrievalSettings(
    Bm25Settings("english", 40, 10),
    DenseSettings(PackagedSettings("all-MiniLM-L6-v2-int8"), "word piece", 12, 4),
    10,
    3,
)
N_CHUNKS = 22


@dataclass
class StoppingEmbedder:
    """Embeds so many batches and fails at the next one; each text has a vector of its own."""

    batches: int
    identity: EmbedderIdentity = IDENTITY
    batch_size: int = 4
    weigh: Weigh = count_words
    embedded: list[str] = field(default_factory=list)

    def embed(self, texts: Sequence[str], kind: TextKind) -> npt.NDArray[np.float32]:
        del kind
        if len(self.embedded) >= self.batches * self.batch_size:
            raise Refused("endpoint-failed", "the tea is cold", mend="boil it again")
        self.embedded += texts
        rows = np.ones((len(texts), self.identity.dimension), dtype=np.float32)
        rows[:, 0] = [int(digest_text(text).removeprefix("sha256:")[:4], 16) for text in texts]
        return rows


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    write_sources(tmp_path)
    return load_corpus(tmp_path / "corpus/manifest.yaml")


def build(corpus: Corpus, root: Path, embedder: StoppingEmbedder, told: list[int] | None = None) -> BuiltIndex:
    partial = partial_vectors(root / "work", embedder.identity, "document")
    plan = plan_index(corpus, SETTINGS, root / "index", embedder, partial)
    return build_index(plan, root / "index", embedder, partial, (told if told is not None else []).append)


def stop_after(corpus: Corpus, root: Path, batches: int) -> StoppingEmbedder:
    """A build that fails behind so many batches."""
    embedder = StoppingEmbedder(batches)
    with pytest.raises(Refused) as refused:
        build(corpus, root, embedder)
    assert str(refused.value) == "error[endpoint-failed]: the tea is cold\n  mend: boil it again"
    assert not (root / "index").exists()
    return embedder


@pytest.mark.parametrize("batches", [0, 1, 3, 5])
def test_the_second_run_embeds_only_the_rest(corpus: Corpus, tmp_path: Path, batches: int) -> None:
    first, second, told = stop_after(corpus, tmp_path, batches), StoppingEmbedder(99), list[int]()
    built = build(corpus, tmp_path, second, told)

    assert set(first.embedded).isdisjoint(second.embedded)
    assert (built.embedded, built.reused, sum(told)) == (N_CHUNKS - 4 * batches, 4 * batches, N_CHUNKS - 4 * batches)


def test_what_two_runs_embedded_is_what_one_would_have(corpus: Corpus, tmp_path: Path) -> None:
    stop_after(corpus, tmp_path, 3)
    torn, whole = build(corpus, tmp_path, StoppingEmbedder(99)), build(corpus, tmp_path / "other", StoppingEmbedder(99))

    assert (torn.folder.name, read_index(torn.folder).digest) == (whole.folder.name, read_index(whole.folder).digest)


def test_a_build_may_stop_again_and_again(corpus: Corpus, tmp_path: Path) -> None:
    embedded = [text for _ in range(5) for text in stop_after(corpus, tmp_path, 1).embedded]
    last = StoppingEmbedder(99)
    build(corpus, tmp_path, last)

    assert (len(embedded), len(last.embedded), len({*embedded, *last.embedded})) == (20, 2, N_CHUNKS)


def test_a_finished_build_leaves_no_batches_behind(corpus: Corpus, tmp_path: Path) -> None:
    stop_after(corpus, tmp_path, 1)
    build(corpus, tmp_path, StoppingEmbedder(99))

    assert list((tmp_path / "work").rglob("*.batch")) == []


def test_batches_of_another_model_are_not_used(corpus: Corpus, tmp_path: Path) -> None:
    stop_after(corpus, tmp_path, 3)
    other = partial_vectors(
        tmp_path / "work", EmbedderIdentity("tea-net", Digest("sha256:0e"), IDENTITY.tokenizer, 384), "document"
    )

    assert (other.load(), len(partial_vectors(tmp_path / "work", IDENTITY, "document").load())) == ({}, 12)


@pytest.mark.parametrize(
    "content",
    [b"", b"tea", b"sha256:0a\n", None],
    ids=["empty", "text", "its beginning alone", "its first half"],
)
def test_a_torn_batch_is_passed_over_and_embedded_again(corpus: Corpus, tmp_path: Path, content: bytes | None) -> None:
    stop_after(corpus, tmp_path, 3)
    batch = sorted((tmp_path / "work").rglob("*.batch"))[1]
    batch.write_bytes(batch.read_bytes()[: batch.stat().st_size // 2] if content is None else content)
    second = StoppingEmbedder(99)

    assert (build(corpus, tmp_path, second).embedded, len(second.embedded)) == (N_CHUNKS - 8, N_CHUNKS - 8)


def test_one_flipped_byte_loses_one_batch_and_changes_no_vector(tmp_path: Path) -> None:
    partial = PartialVectors(tmp_path)
    rows = np.array([[0.6, 0.8], [1.0, 0.0]], dtype=np.float16)
    digests = [digest_text("tea"), digest_text("pot")]
    partial.keep(digests, rows)
    (path,) = tmp_path.glob("*.batch")
    content = path.read_bytes()
    expected = {digest: row.tolist() for digest, row in zip(digests, rows, strict=True)}

    for place in range(len(content)):
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        found = {digest: row.tolist() for digest, row in partial.load().items()}
        assert found in ({}, expected), place
        path.write_bytes(content)


def test_a_folder_without_batches_knows_nothing(tmp_path: Path) -> None:
    assert PartialVectors(tmp_path / "none").load() == {}
    PartialVectors(tmp_path / "none").clear()
