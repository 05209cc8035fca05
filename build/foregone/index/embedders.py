"""The embedders by their settings: how each is loaded."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import assert_never

import numpy as np
import numpy.typing as npt

from foregone.corpus.chunks import Weigh, count_words
from foregone.embedder_settings import EmbedderSettings, OnnxSettings, OpenAiSettings, PackagedSettings
from foregone.errors import Refused
from foregone.index.embedder import Embedder, TextKind
from foregone.index.identities import identify
from foregone.index.minilm import load_minilm
from foregone.index.onnx_folder import load_folder
from foregone.index.openai_endpoint import Endpoint, OpenAiEmbedder
from foregone.spend import Ledger

TIMEOUT_S = 60.0
RETRIES = 4


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What loading an embedder may need of the outside."""

    root: Path
    """Of the project."""
    environment: dict[str, str]
    ledger: Ledger
    prices: dict[str, float]
    """Model -> US dollars for a million tokens."""
    timeout_s: float = TIMEOUT_S


def load(settings: EmbedderSettings, around: Surroundings) -> Embedder:
    """The embedder, ready; Refused where it is not installed, not the pinned one, or may not be paid for."""
    match settings:
        case PackagedSettings():
            return load_minilm()
        case OnnxSettings():
            return load_folder(settings, around.root)
        case OpenAiSettings():
            return OpenAiEmbedder(_endpoint(settings, around))
        case _:
            assert_never(settings)


class DeferredEmbedder:
    """An embedder that is loaded when it is first needed: what an endpoint's chunks are measured in is known before."""

    def __init__(self, settings: EmbedderSettings, around: Surroundings) -> None:
        self.identity = identify(settings)
        self._settings = settings
        self._around = around

    @cached_property
    def loaded(self) -> Embedder:
        """The embedder, ready; Refused as by `load`."""
        return load(self._settings, self._around)

    @property
    def batch_size(self) -> int:
        """Texts that are best embedded together."""
        return self.loaded.batch_size

    @property
    def weigh(self) -> Weigh:
        """Measures each word in the unit of this embedder's chunks."""
        return count_words if isinstance(self._settings, OpenAiSettings) else self.loaded.weigh

    def embed(self, texts: Sequence[str], kind: TextKind) -> npt.NDArray[np.float32]:
        """(n_texts, dimension) rows in the order of `texts`, not yet of unit length."""
        return self.loaded.embed(texts, kind)


def _endpoint(settings: OpenAiSettings, around: Surroundings) -> Endpoint:
    key = around.environment.get(settings.key_variable, "")
    if not key:
        raise Refused(
            "no-key",
            f"there is no key for {settings.base_url}",
            where=f"the environment variable {settings.key_variable}",
            why=("it is not set",),
            mend=f"set {settings.key_variable}; a local endpoint that asks for none takes any text",
        )
    if not re.fullmatch(r"[!-~]+", key):
        raise Refused(
            "bad-key",
            f"the key for {settings.base_url} cannot be sent",
            where=f"the environment variable {settings.key_variable}",
            why=("it holds white space or a character outside ASCII",),
            mend=f"set {settings.key_variable} to the key alone",
        )
    if settings.model not in around.prices:
        raise Refused(
            "unknown-price",
            f"what {settings.model} costs is not known",
            where="eval/thresholds.yaml: budget.prices",
            why=("a model whose price is not committed is not called",),
            mend="add its price for a million tokens; 0 for a local endpoint",
        )
    return Endpoint(settings, key, around.timeout_s, RETRIES, around.ledger, around.prices[settings.model] / 1e6)
