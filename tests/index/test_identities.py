"""What an embedder is called, and how it measures words, is known where it cannot run."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from foregone.corpus.chunks import count_words
from foregone.digest import Digest
from foregone.embedder_settings import EmbedderSettings, OnnxSettings, OpenAiSettings, PackagedSettings
from foregone.errors import Refused
from foregone.index.embedder import EmbedderIdentity
from foregone.index.identities import identify, identify_endpoint, load_weigh
from foregone.index.minilm import IDENTITY as MINILM
from foregone.index.onnx_folder import folder_digest
from tiny_model import write_folder

PACKAGED = PackagedSettings("all-MiniLM-L6-v2-int8")
ENDPOINT = OpenAiSettings("https://kitchen.example/v1", "tea-net", 3, "TEA_KEY")
TEXT, WORDS = "tea pot kettle", ((0, 3), (4, 7), (8, 14))


@pytest.mark.parametrize(
    ("settings", "identity"),
    [
        (PACKAGED, MINILM),
        (
            OnnxSettings("no/such/net", Digest("sha256:0a"), 768),
            EmbedderIdentity("net", Digest("sha256:0a"), Digest("sha256:0a"), 768),
        ),
        (
            ENDPOINT,
            EmbedderIdentity(
                "tea-net",
                Digest("sha256:1e7813063ea0559d63b2907e5dbbd0dd288ae0e57535f0dd5226fbdce262bdfe"),
                Digest("sha256:1e7813063ea0559d63b2907e5dbbd0dd288ae0e57535f0dd5226fbdce262bdfe"),
                3,
            ),
        ),
    ],
    ids=["packaged", "folder", "endpoint"],
)
def test_an_embedder_that_is_not_here_has_an_identity(settings: EmbedderSettings, identity: EmbedderIdentity) -> None:
    assert identify(settings) == identity


@pytest.mark.parametrize(
    "other",
    [
        replace(ENDPOINT, base_url="https://tea.example/v1"),
        replace(ENDPOINT, model="pot-net"),
        replace(ENDPOINT, dimension=4),
    ],
    ids=["base URL", "model", "dimension"],
)
def test_an_endpoint_is_told_apart_by_base_url_model_and_dimension(other: OpenAiSettings) -> None:
    assert identify_endpoint(other) != identify_endpoint(ENDPOINT)


def test_the_key_of_an_endpoint_is_no_part_of_its_identity() -> None:
    assert identify_endpoint(replace(ENDPOINT, key_variable="OTHER")) == identify_endpoint(ENDPOINT)


def test_an_endpoint_measures_words_without_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TEA_KEY", raising=False)

    assert load_weigh(ENDPOINT, tmp_path) is count_words


def test_the_packaged_model_measures_word_pieces(tmp_path: Path) -> None:
    assert load_weigh(PACKAGED, tmp_path)("tea unsweetenedly", ((0, 3), (4, 17))) == [1, 5]


def test_a_folder_measures_words_by_its_own_tokenizer(tmp_path: Path) -> None:
    digest = folder_digest(write_folder(tmp_path / "models/net"))

    assert load_weigh(OnnxSettings("models/net", digest, 2), tmp_path)(TEXT, WORDS) == [1, 1, 1]


def test_a_tokenizer_that_is_not_here_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        load_weigh(OnnxSettings("models/net", Digest("sha256:0a"), 2), tmp_path)

    assert str(refused.value) == (
        f"error[no-embedder]: there is no folder {tmp_path}/models/net\n"
        f"  --> {tmp_path}/models/net\n"
        "  mend: name a complete sentence-transformers folder with an ONNX model in retrieval.dense.folder"
    )


def test_without_the_packages_no_word_pieces_are_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)

    with pytest.raises(Refused) as refused:
        load_weigh(PACKAGED, tmp_path)
    assert str(refused.value) == (
        "error[no-embedder]: the embedder all-MiniLM-L6-v2-int8 cannot run here\n"
        "  import of tokenizers halted; None in sys.modules\n"
        "  mend: run `make dense`, or take `dense` out of retrieval.legs in foregone.yaml"
    )
