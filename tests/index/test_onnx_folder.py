"""A local sentence-transformers folder is taken as its own configuration says, or refused with the reason."""

from pathlib import Path

import numpy as np
import pytest

from foregone.digest import Digest
from foregone.embedder_settings import OnnxSettings
from foregone.errors import Refused
from foregone.index.embedder import EmbedderIdentity
from foregone.index.onnx_folder import folder_digest, identify_folder, load_folder, read_shape
from foregone.index.onnx_model import ModelShape, OnnxEmbedder, Pooling
from tiny_model import (
    MODULES,
    NORMALIZE,
    POOLING,
    TRANSFORMER,
    model_bytes,
    put_weights_beside,
    write_folder,
    write_json,
)

MEND = "  mend: name a complete sentence-transformers folder with an ONNX model in retrieval.dense.folder"
DENSE = (TRANSFORMER, POOLING, "models.Dense", NORMALIZE)
OLD_FLAGS = {
    "word_embedding_dimension": 2,
    "pooling_mode_cls_token": False,
    "pooling_mode_mean_tokens": False,
    "pooling_mode_max_tokens": False,
    "pooling_mode_mean_sqrt_len_tokens": False,
    "pooling_mode_weightedmean_tokens": False,
    "pooling_mode_lasttoken": False,
}


def pin(root: Path) -> OnnxSettings:
    return OnnxSettings("net", folder_digest(root / "net"), 2)


def load(root: Path) -> OnnxEmbedder:
    return load_folder(pin(root), root)


def refusal(root: Path) -> str:
    with pytest.raises(Refused) as refused:
        load(root)
    return str(refused.value)


def unusable(root: Path, name: str, why: str) -> str:
    return f"error[unknown-model]: {root}/net cannot be used as an embedder\n  --> {root}/net/{name}\n  {why}\n{MEND}"


def test_a_folder_is_embedded_with_as_it_says_itself(tmp_path: Path) -> None:
    prompts = {"prompts": {"query": "query: ", "document": "document: "}, "similarity_fn_name": "cosine"}
    write_folder(tmp_path / "net", config=prompts, limits={"max_seq_length": 3})
    embedder = load(tmp_path)

    rows = [embedder.embed(["tea pot"], "query"), embedder.embed(["tea pot"], "document")]
    assert np.array_equal(np.vstack(rows), np.array([[14 / 3, 4 / 3], [4 / 3, 14 / 3]], dtype=np.float32))


def test_the_identity_is_the_pin_and_needs_no_folder(tmp_path: Path) -> None:
    settings = OnnxSettings("models/net", Digest("sha256:0a"), 768)
    write_folder(tmp_path / "net")

    assert identify_folder(settings) == EmbedderIdentity("net", Digest("sha256:0a"), Digest("sha256:0a"), 768)
    assert load(tmp_path).identity == identify_folder(pin(tmp_path))


@pytest.mark.parametrize(
    ("config", "pooling"),
    [
        ({"pooling_mode": "mean"}, "mean"),
        ({"pooling_mode": "cls", "include_prompt": True}, "cls"),
        ({"pooling_mode": "max"}, "max"),
        ({"pooling_mode": "mean_sqrt_len_tokens"}, "mean_sqrt_len"),
        ({"pooling_mode": "lasttoken"}, "last"),
        ({"pooling_mode": ["cls"]}, "cls"),
        ({"pooling_mode": "cls", "pooling_mode_mean_tokens": True}, "cls"),
        ({**OLD_FLAGS, "pooling_mode_mean_tokens": True}, "mean"),
        ({**OLD_FLAGS, "pooling_mode_cls_token": True}, "cls"),
        ({**OLD_FLAGS, "pooling_mode_max_tokens": True}, "max"),
        ({**OLD_FLAGS, "pooling_mode_mean_sqrt_len_tokens": True}, "mean_sqrt_len"),
        ({**OLD_FLAGS, "pooling_mode_lasttoken": True}, "last"),
        ({"pooling_mode_mean_tokens": True}, "mean"),
    ],
)
def test_new_and_old_keys_of_pooling_are_read(tmp_path: Path, config: dict[str, object], pooling: Pooling) -> None:
    assert read_shape(write_folder(tmp_path / "net", pooling=config)) == ModelShape(512, pooling, {})


@pytest.mark.parametrize(
    ("config", "found"),
    [
        ({"pooling_mode": "weightedmean"}, "weightedmean"),
        ({"pooling_mode": ["cls", "mean"]}, "cls, mean"),
        (OLD_FLAGS, "none"),
        ({**OLD_FLAGS, "pooling_mode_weightedmean_tokens": True}, "weightedmean"),
        (
            {**OLD_FLAGS, "pooling_mode_mean_tokens": True, "pooling_mode_weightedmean_tokens": True},
            "mean, weightedmean",
        ),
        ({"word_embedding_dimension": 2}, "none"),
    ],
)
def test_another_way_of_pooling_and_several_at_once_are_refused(
    tmp_path: Path, config: dict[str, object], found: str
) -> None:
    write_folder(tmp_path / "net", pooling=config)

    why = f"expected one way of pooling of mean, cls, max, mean_sqrt_len_tokens, lasttoken; found {found}"
    assert refusal(tmp_path) == unusable(tmp_path, "1_Pooling/config.json", why)


def test_pooling_that_leaves_the_prompt_out_is_refused_where_there_is_one(tmp_path: Path) -> None:
    without = {"pooling_mode": "mean", "include_prompt": False}
    assert read_shape(write_folder(tmp_path / "plain", pooling=without)).pooling == "mean"

    write_folder(tmp_path / "net", pooling=without, config={"prompts": {"query": "query: "}})
    assert refusal(tmp_path) == unusable(tmp_path, "1_Pooling/config.json", "it leaves the prompt out of the pooling")


@pytest.mark.parametrize(
    ("config", "prefixes"),
    [
        (None, {}),
        ({}, {}),
        ({"prompts": None}, {}),
        ({"prompts": {"query": "", "document": ""}}, {}),
        ({"prompts": {"query": "q: ", "document": "d: "}}, {"query": "q: ", "document": "d: "}),
        ({"prompts": {"query": "q: ", "passage": "p: "}}, {"query": "q: ", "document": "p: "}),
        ({"prompts": {"corpus": "c: ", "passage": "p: ", "document": "d: "}}, {"document": "d: "}),
        ({"prompts": {"corpus": "c: "}}, {"document": "c: "}),
        (
            {"prompts": {"web": "w: ", "query": "q: "}, "default_prompt_name": "web"},
            {"query": "q: ", "document": "w: "},
        ),
        ({"prompts": {"web": "w: "}, "default_prompt_name": None}, {}),
    ],
)
def test_prompts_are_found_by_their_names(
    tmp_path: Path, config: dict[str, object] | None, prefixes: dict[str, str]
) -> None:
    assert read_shape(write_folder(tmp_path / "net", config=config)).prefixes == prefixes


@pytest.mark.parametrize(
    ("limits", "window"), [(None, 512), ({}, 512), ({"max_seq_length": None}, 512), ({"max_seq_length": 7}, 7)]
)
def test_the_window_is_that_of_the_folder(tmp_path: Path, limits: dict[str, object] | None, window: int) -> None:
    assert read_shape(write_folder(tmp_path / "net", limits=limits)).window == window


@pytest.mark.parametrize("modules", [DENSE, (TRANSFORMER, POOLING, "models.LayerNorm"), (TRANSFORMER,)])
def test_a_model_that_does_more_than_pooling_gives_its_own_vector(tmp_path: Path, modules: tuple[str, ...]) -> None:
    write_folder(tmp_path / "net", modules=modules, model=model_bytes(with_sentence=True))

    assert load(tmp_path).embed(["tea pot"], "document").tolist() == [[6.0, 12.0]]


@pytest.mark.parametrize("modules", [DENSE, (TRANSFORMER, POOLING, "models.LayerNorm"), (TRANSFORMER,)])
def test_a_module_that_is_not_in_the_model_is_refused(tmp_path: Path, modules: tuple[str, ...]) -> None:
    write_folder(tmp_path / "net", modules=modules)

    assert refusal(tmp_path) == unusable(
        tmp_path, "modules.json", "a module behind the pooling is not part of the ONNX model"
    )


@pytest.mark.parametrize("name", ["dot", "euclidean"])
def test_a_model_whose_vectors_have_a_length_that_matters_is_refused(tmp_path: Path, name: str) -> None:
    write_folder(tmp_path / "net", modules=MODULES[:2], config={"similarity_fn_name": name})

    why = f"the model compares by {name} what it does not normalise"
    assert refusal(tmp_path) == unusable(tmp_path, "modules.json", why)


@pytest.mark.parametrize("modules", [MODULES, MODULES[:2]])
def test_the_length_of_other_vectors_does_not_matter(tmp_path: Path, modules: tuple[str, ...]) -> None:
    name = "dot" if NORMALIZE in modules else "cosine"
    write_folder(tmp_path / "net", modules=modules, config={"similarity_fn_name": name})

    assert load(tmp_path).embed(["tea"], "query").tolist() == [[2.0, 2.0]]


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        load_folder(OnnxSettings("net", Digest("sha256:00"), 2), tmp_path)

    assert str(refused.value) == (
        f"error[no-embedder]: there is no folder {tmp_path}/net\n  --> {tmp_path}/net\n{MEND}"
    )


@pytest.mark.parametrize("name", ["onnx/model.onnx", "tokenizer.json", "1_Pooling/config.json", "notes.txt"])
def test_any_changed_file_of_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    path = write_folder(tmp_path / "net") / name
    settings = pin(tmp_path)
    path.write_bytes((path.read_bytes() if path.exists() else b"") + b" ")

    with pytest.raises(Refused) as refused:
        load_folder(settings, tmp_path)
    assert str(refused.value) == (
        f"error[pin-mismatch]: the embedder folder {tmp_path}/net does not match its pin\n"
        f"  --> {tmp_path}/net\n"
        f"  expected {settings.digest}\n"
        f"  found    {folder_digest(tmp_path / 'net')}\n"
        "  mend: restore the folder, or pin it anew in retrieval.dense.sha256 and build the index again"
    )


def test_the_digest_does_not_depend_on_where_the_folder_lies_or_on_hidden_files(tmp_path: Path) -> None:
    shown = folder_digest(write_folder(tmp_path / "net"))
    hidden = write_folder(tmp_path / ".models/net")
    (hidden / ".cache").mkdir()
    (hidden / ".cache/lock").write_bytes(b"tea")
    (hidden / ".gitattributes").write_bytes(b"tea")

    assert folder_digest(hidden) == shown
    (hidden / "tokenizer.json").write_bytes(b"tea")
    assert folder_digest(hidden) != shown


@pytest.mark.parametrize("name", ["modules.json", "1_Pooling/config.json", "tokenizer.json"])
def test_a_folder_without_one_of_its_files_is_refused(tmp_path: Path, name: str) -> None:
    (write_folder(tmp_path / "net") / name).unlink()

    path = tmp_path / "net" / name
    assert refusal(tmp_path) == (
        f"error[unreadable]: {path} cannot be read\n  --> {path}\n  No such file or directory\n{MEND}"
    )


def test_a_folder_without_an_onnx_model_is_refused(tmp_path: Path) -> None:
    (write_folder(tmp_path / "net") / "onnx/model.onnx").unlink()

    assert refusal(tmp_path) == unusable(tmp_path, "onnx/model.onnx", "there is no such file")


def test_a_model_at_the_top_of_the_folder_is_found(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "net")
    (folder / "onnx/model.onnx").rename(folder / "model.onnx")

    assert load(tmp_path).embed(["tea"], "query").tolist() == [[2.0, 2.0]]


def test_weights_beside_the_model_are_found_and_pinned(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "net")
    put_weights_beside(folder / "onnx/model.onnx")
    before = folder_digest(folder)

    assert load(tmp_path).embed(["tea"], "query").tolist() == [[2.0, 2.0]]
    (folder / "onnx/weights.bin").write_bytes(b"tea")
    assert folder_digest(folder) != before


def test_a_model_that_asks_for_more_than_a_text_is_refused(tmp_path: Path) -> None:
    write_folder(tmp_path / "net", model=model_bytes(inputs=("input_ids", "pixel_values", "position_ids")))

    assert refusal(tmp_path) == unusable(tmp_path, "onnx/model.onnx", "the model asks for pixel_values, position_ids")


def test_a_model_that_has_pooled_already_is_refused(tmp_path: Path) -> None:
    write_folder(tmp_path / "net", model=model_bytes(axes=2))

    assert refusal(tmp_path) == unusable(tmp_path, "onnx/model.onnx", "its first output is not a vector a token")


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        (
            "modules.json",
            {},
            "error[wrong-type]: the file is not a list\n  --> {path}:1\n  found a mapping\n  mend: write a list",
        ),
        (
            "config_sentence_transformers.json",
            {"prompts": {"query": 7}},
            "error[wrong-type]: prompts.query is not a text\n  --> {path}:1\n  found a number\n  mend: write a text",
        ),
        (
            "sentence_bert_config.json",
            {"max_seq_length": 0},
            "error[bad-number]: max_seq_length is 0\n  --> {path}:1\n  expected an integer from 1 to 1000000\n  mend: write such a number",
        ),
        (
            "1_Pooling/config.json",
            {"pooling_mode_mean_tokens": "yes"},
            "error[wrong-type]: pooling_mode_mean_tokens is not true or false\n  --> {path}:1\n  found a text\n  mend: write true or false",
        ),
    ],
)
def test_a_configuration_of_another_form_is_refused(tmp_path: Path, name: str, value: object, message: str) -> None:
    path = write_folder(tmp_path / "net") / name
    write_json(path, value)

    assert refusal(tmp_path) == message.format(path=path)
