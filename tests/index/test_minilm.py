"""The real embedder is the pinned one, and gives the committed vectors again."""

import sys
from pathlib import Path

import numpy as np
import pytest

from foregone.corpus.chunks import WORD, make_chunk
from foregone.corpus.corpus import load_corpus
from foregone.digest import Digest
from foregone.errors import Refused
from foregone.index.minilm import MiniLm, _folder, _pinned, load_minilm
from foregone.index.store import read_index, stored_versions

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def embedder() -> MiniLm:
    return load_minilm()


def test_committed_vectors_come_out_again(embedder: MiniLm) -> None:
    corpus = load_corpus(REPOSITORY / "corpus/manifest.yaml")
    stored = read_index(stored_versions(REPOSITORY / "corpus/index")[-1])
    places = [0, 400, 1200, len(stored.table) - 1]
    rows = [stored.table[place] for place in places]
    texts = [make_chunk(corpus.by_id[row.section], (row.start, row.end)).text for row in rows]

    fresh = embedder.embed(texts, lambda _: None).astype(np.float64)
    committed = stored.vectors[places]
    half_step = np.spacing(np.abs(committed)).astype(np.float64) / 2
    wide = committed.astype(np.float64)
    cosine = (fresh * wide).sum(axis=1) / np.linalg.norm(fresh, axis=1) / np.linalg.norm(wide, axis=1)
    assert (np.abs(fresh - wide) <= half_step + 1e-5).all()
    assert (cosine >= 0.999999).all()


def test_a_text_has_the_same_vector_alone_and_among_others(embedder: MiniLm) -> None:
    texts = ["A short one.", "A kettle that is empty is not heated. " * 30, "Tea"]

    together = embedder.embed(texts, lambda _: None)
    alone = np.vstack([embedder.embed([text], lambda _: None) for text in texts])
    assert np.abs(together - alone).max() < 1e-5


def test_progress_counts_every_text(embedder: MiniLm) -> None:
    told: list[int] = []

    vectors = embedder.embed(["tea"] * 20, told.append)
    assert (told, vectors.shape) == ([16, 4], (20, 384))


def test_each_word_weighs_the_pieces_that_begin_in_it(embedder: MiniLm) -> None:
    text = "Tea unsweetenedly  \u200b pours"
    words = [match.span() for match in WORD.finditer(text)]

    assert list(embedder.weigh(text, words)) == [1, 5, 1, 2]


def test_a_file_that_is_not_the_pinned_one_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"tea")

    with pytest.raises(Refused) as refused:
        _pinned(tmp_path / "model.onnx", Digest("sha256:00"))

    assert str(refused.value) == (
        "error[pin-mismatch]: model.onnx of the embedder all-MiniLM-L6-v2-int8 does not match its pin\n"
        f"  --> {tmp_path}/model.onnx\n"
        "  expected sha256:00\n"
        "  found    sha256:a9f74d1ec36ebdeb2da3f6e5868090cd2a2d20b3dcca7b62f60304b1d3d9ef42\n"
        "  mend: install the locked packages again: `make dense`"
    )


def test_an_embedder_that_is_not_installed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)

    with pytest.raises(Refused) as refused:
        load_minilm()

    assert str(refused.value) == (
        "error[no-embedder]: the embedder all-MiniLM-L6-v2-int8 is not installed\n"
        "  import of onnxruntime halted; None in sys.modules\n"
        "  mend: run `make dense`, or take `dense` out of retrieval.legs in foregone.yaml"
    )


def test_a_package_that_is_not_there_has_no_folder() -> None:
    with pytest.raises(ImportError) as error:
        _folder("no_such_package")

    assert str(error.value) == "No module named 'no_such_package'"
