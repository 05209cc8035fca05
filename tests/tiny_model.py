"""A sentence-transformers folder with a model that is small enough to compute by hand.

    folder = write_folder(tmp_path / "net", pooling={"pooling_mode": "cls"})

Each word of WORDS has a number, and its token state is the row of TABLE under it. `[CLS]` stands before every text.
"""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

WORDS = ("[PAD]", "[UNK]", "[CLS]", "tea", "pot", "query:", "document:", "passage:")
TABLE = np.array(
    [[9, 9], [0, 1], [1, 0], [3, 4], [-2, 6], [10, 0], [0, 10], [0, 20]],
    dtype=np.float32,
)
"""(n_words, 2) token states; what padding gives must not be seen anywhere."""
TRANSFORMER, POOLING, NORMALIZE = "models.Transformer", "models.Pooling", "models.Normalize"
MODULES = (TRANSFORMER, POOLING, NORMALIZE)


def write_folder(
    folder: Path,
    *,
    modules: tuple[str, ...] = MODULES,
    pooling: Mapping[str, object] | None = None,
    config: Mapping[str, object] | None = None,
    limits: Mapping[str, object] | None = None,
    model: bytes | None = None,
) -> Path:
    """Write the folder, with mean pooling unless `pooling` says otherwise; returns it."""
    (folder / "onnx").mkdir(parents=True)
    (folder / "1_Pooling").mkdir()
    (folder / "onnx/model.onnx").write_bytes(model or model_bytes())
    (folder / "tokenizer.json").write_text(tokenizer_json(), encoding="utf-8")
    write_json(folder / "modules.json", [{"type": f"sentence_transformers.{name}"} for name in modules])
    write_json(folder / "1_Pooling/config.json", pooling or {"pooling_mode": "mean"})
    if config is not None:
        write_json(folder / "config_sentence_transformers.json", config)
    if limits is not None:
        write_json(folder / "sentence_bert_config.json", limits)
    return folder


def write_json(path: Path, value: object) -> None:
    """Write `value` as JSON."""
    path.write_text(json.dumps(value), encoding="utf-8")


def tokenizer_json() -> str:
    """A tokenizer that splits at white space."""
    tokenizer = Tokenizer(models.WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A", special_tokens=[("[CLS]", WORDS.index("[CLS]"))]
    )
    text: str = tokenizer.to_str()
    return text


def model_bytes(
    *,
    inputs: tuple[str, ...] = ("input_ids", "attention_mask"),
    with_sentence: bool = False,
    states: str = "last_hidden_state",
    axes: int = 3,
) -> bytes:
    """A model that gives each token its row of TABLE; with `with_sentence`, the greatest of them too, times 2."""
    nodes = [helper.make_node("Gather", ["table", "input_ids"], [states], axis=0)]
    outputs = [helper.make_tensor_value_info(states, TensorProto.FLOAT, ["n", "tokens", 2])]
    if axes == 2:
        nodes = [
            helper.make_node("Gather", ["table", "input_ids"], ["rows"], axis=0),
            helper.make_node("ReduceMax", ["rows", "token_axis"], [states], keepdims=0),
        ]
        outputs = [helper.make_tensor_value_info(states, TensorProto.FLOAT, ["n", 2])]
    if with_sentence:
        nodes += [
            helper.make_node("ReduceMax", [states, "token_axis"], ["greatest"], keepdims=0),
            helper.make_node("Mul", ["greatest", "two"], ["sentence_embedding"]),
        ]
        outputs += [helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["n", 2])]
    graph = helper.make_graph(
        nodes,
        "tea",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["n", "tokens"]) for name in inputs],
        outputs,
        [
            numpy_helper.from_array(TABLE, "table"),
            numpy_helper.from_array(np.array([1], dtype=np.int64), "token_axis"),
            numpy_helper.from_array(np.array(2, dtype=np.float32), "two"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
    content: bytes = model.SerializeToString()
    return content


def put_weights_beside(path: Path) -> None:
    """Move the weights of the model at `path` into the file `weights.bin` beside it."""
    model = onnx.load(path)
    onnx.save(model, path, save_as_external_data=True, location="weights.bin", size_threshold=0)
