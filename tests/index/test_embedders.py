"""An embedder is called by its settings, and loaded only where it may be."""

from pathlib import Path

import pytest

from foregone.embedder_settings import OnnxSettings, OpenAiSettings, PackagedSettings
from foregone.errors import Refused
from foregone.index.embedders import Surroundings, load
from foregone.index.identities import identify
from foregone.index.onnx_folder import folder_digest
from foregone.spend import Ledger
from tiny_model import write_folder

PACKAGED = PackagedSettings("all-MiniLM-L6-v2-int8")
ENDPOINT = OpenAiSettings("https://kitchen.example/v1", "tea-net", 3, "TEA_KEY")


def around(
    root: Path, environment: dict[str, str] | None = None, prices: dict[str, float] | None = None
) -> Surroundings:
    return Surroundings(root, environment or {}, Ledger(root / "spend.json", "2026-12-01", 1.0), prices or {})


def refusal(root: Path, environment: dict[str, str], prices: dict[str, float]) -> str:
    with pytest.raises(Refused) as refused:
        load(ENDPOINT, around(root, environment, prices))
    return str(refused.value)


def test_each_kind_is_loaded_as_what_it_was_called(tmp_path: Path) -> None:
    folder = OnnxSettings("net", folder_digest(write_folder(tmp_path / "net")), 2)
    surroundings = around(tmp_path, {"TEA_KEY": "sk-kettle"}, {"tea-net": 0.02})

    for settings in (PACKAGED, folder, ENDPOINT):
        assert load(settings, surroundings).identity == identify(settings)


@pytest.mark.parametrize("environment", [{}, {"TEA_KEY": ""}, {"OPENAI_API_KEY": "sk-kettle"}])
def test_an_endpoint_without_its_key_is_refused(tmp_path: Path, environment: dict[str, str]) -> None:
    assert refusal(tmp_path, environment, {"tea-net": 0.02}) == (
        "error[no-key]: there is no key for https://kitchen.example/v1\n"
        "  --> the environment variable TEA_KEY\n"
        "  it is not set\n"
        "  mend: set TEA_KEY; a local endpoint that asks for none takes any text"
    )


@pytest.mark.parametrize("key", ["sk-kettle\n", "sk kettle", " ", "sk-thé"])
def test_a_key_that_cannot_be_sent_is_refused_and_not_shown(tmp_path: Path, key: str) -> None:
    assert refusal(tmp_path, {"TEA_KEY": key}, {"tea-net": 0.02}) == (
        "error[bad-key]: the key for https://kitchen.example/v1 cannot be sent\n"
        "  --> the environment variable TEA_KEY\n"
        "  it holds white space or a character outside ASCII\n"
        "  mend: set TEA_KEY to the key alone"
    )


@pytest.mark.parametrize("prices", [{}, {"pot-net": 0.02}])
def test_a_model_without_a_price_is_refused(tmp_path: Path, prices: dict[str, float]) -> None:
    assert refusal(tmp_path, {"TEA_KEY": "sk-kettle"}, prices) == (
        "error[unknown-price]: what tea-net costs is not known\n"
        "  --> eval/thresholds.yaml: budget.prices\n"
        "  a model whose price is not committed is not called\n"
        "  mend: add its price for a million tokens; 0 for a local endpoint"
    )
