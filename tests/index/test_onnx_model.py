"""A model's token states become one vector a text, by each way of pooling and without what is padding."""

import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from foregone.corpus.chunks import WORD
from foregone.digest import Digest
from foregone.errors import Refused
from foregone.index.embedder import EmbedderIdentity, TextKind
from foregone.index.onnx_model import ModelShape, OnnxEmbedder, Pooling, pool
from tiny_model import model_bytes, put_weights_beside, tokenizer_json

IDENTITY = EmbedderIdentity("tea-net", Digest("sha256:0e"), Digest("sha256:0f"), 2)
STATES: npt.NDArray[np.float64] = np.array(
    [[[1.0, 0.0], [3.0, 4.0], [-2.0, 6.0], [0.0, 2.0]], [[1.0, -8.0], [-3.0, -4.0], [99.0, 99.0], [99.0, 99.0]]]
)
MASK: npt.NDArray[np.int64] = np.array([[1, 1, 1, 1], [1, 1, 0, 0]])


def load(
    pooling: Pooling = "mean",
    window: int = 100,
    prefixes: dict[TextKind, str] | None = None,
    model: bytes | Path | None = None,
) -> OnnxEmbedder:
    return OnnxEmbedder(IDENTITY, ModelShape(window, pooling, prefixes or {}), model or model_bytes(), tokenizer_json())


@pytest.mark.parametrize(
    ("pooling", "vectors"),
    [
        ("mean", [[0.5, 3.0], [-1.0, -6.0]]),
        ("mean_sqrt_len", [[1.0, 6.0], [-2.0 / 2**0.5, -12.0 / 2**0.5]]),
        ("max", [[3.0, 6.0], [1.0, -4.0]]),
        ("cls", [[1.0, 0.0], [1.0, -8.0]]),
        ("last", [[0.0, 2.0], [-3.0, -4.0]]),
    ],
)
def test_each_way_of_pooling_counts_the_tokens_that_are_no_padding(
    pooling: Pooling, vectors: list[list[float]]
) -> None:
    assert np.allclose(pool(STATES, MASK, pooling), vectors, rtol=1e-12, atol=0)


@pytest.mark.parametrize(
    ("pooling", "vectors"),
    [
        ("mean", [[4 / 2, 4 / 2], [2 / 3, 10 / 3]]),
        ("max", [[3, 4], [3, 6]]),
        ("cls", [[1, 0], [1, 0]]),
        ("last", [[3, 4], [-2, 6]]),
    ],
)
def test_texts_of_several_lengths_are_embedded_together(pooling: Pooling, vectors: list[list[float]]) -> None:
    rows = load(pooling).embed(["tea", "tea pot"], "document")

    assert np.array_equal(rows, np.array(vectors, dtype=np.float32))


def test_the_models_own_vector_is_taken_where_it_pools_itself() -> None:
    rows = load("none", model=model_bytes(with_sentence=True)).embed(["tea pot", "pot tea"], "document")

    assert rows.tolist() == [[6.0, 12.0], [6.0, 12.0]]


def test_a_text_longer_than_the_window_is_cut() -> None:
    embedder = load("last", window=2)

    assert embedder.embed(["tea pot"], "document").tolist() == [[3.0, 4.0]]


def test_each_kind_of_text_has_its_prefix() -> None:
    embedder = load("max", prefixes={"query": "query: ", "document": "document: "})

    assert [embedder.embed(["tea"], kind).tolist() for kind in ("query", "document")] == [[[10.0, 4.0]], [[3.0, 10.0]]]


def test_a_model_gets_only_the_inputs_that_it_asks_for() -> None:
    every = model_bytes(inputs=("token_type_ids", "input_ids", "attention_mask"))
    alone = model_bytes(inputs=("input_ids",))

    assert [load("cls", model=model).embed(["tea"], "query").tolist() for model in (every, alone)] == [[[1.0, 0.0]]] * 2


def test_inputs_and_outputs_are_named() -> None:
    embedder = load(model=model_bytes(with_sentence=True))

    assert (embedder.inputs, embedder.outputs) == (
        ("input_ids", "attention_mask"),
        {"last_hidden_state": 3, "sentence_embedding": 2},
    )


def test_weights_in_a_file_beside_the_model_are_found(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(model_bytes())
    put_weights_beside(path)

    assert (tmp_path / "weights.bin").stat().st_size > 0
    assert load("last", model=path).embed(["tea"], "query").tolist() == [[3.0, 4.0]]


def test_each_word_weighs_the_pieces_that_begin_in_it_and_at_least_one() -> None:
    text = "tea \u200b  unknown"

    assert load().weigh(text, [match.span() for match in WORD.finditer(text)]) == [1, 1, 1]


def test_weighing_is_not_cut_at_the_window() -> None:
    text = "tea " * 50

    assert sum(load(window=4).weigh(text, [match.span() for match in WORD.finditer(text)])) == 50


def test_what_is_no_model_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        load(model=b"tea")

    assert str(refused.value) == (
        "error[unknown-model]: the embedder tea-net cannot be loaded\n"
        "  --> tea-net\n"
        "  [ONNXRuntimeError] : 7 : INVALID_PROTOBUF : Failed to load model because protobuf parsing failed.\n"
        "  mend: look at its model and its tokenizer.json"
    )


def test_what_is_no_tokenizer_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        OnnxEmbedder(IDENTITY, ModelShape(8, "mean", {}), model_bytes(), "tea")

    assert str(refused.value) == (
        "error[unknown-model]: the embedder tea-net cannot be loaded\n"
        "  --> tea-net\n"
        "  expected ident at line 1 column 2\n"
        "  mend: look at its model and its tokenizer.json"
    )


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
def test_a_package_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)

    with pytest.raises(Refused) as refused:
        load(model=b"")
    assert str(refused.value) == (
        "error[no-embedder]: the embedder tea-net cannot run here\n"
        f"  import of {package} halted; None in sys.modules\n"
        "  mend: run `make dense`, or take `dense` out of retrieval.legs in foregone.yaml"
    )
