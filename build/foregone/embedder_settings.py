"""The embedder in `foregone.yaml`: which kinds there are and what each needs."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from foregone.digest import Digest
from foregone.located import Located

EMBEDDERS = ("all-MiniLM-L6-v2-int8", "onnx", "openai")
"""The one from a package, a local folder, an OpenAI-compatible endpoint."""
KEYS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "all-MiniLM-L6-v2-int8": ((), ()),
    "onnx": (("folder", "sha256", "dimension"), ()),
    "openai": ((), ("base_url", "model", "dimension", "key_variable")),
}
"""Kind -> the keys that it needs and those that have a default."""
MAX_DIMENSION = 16_384


@dataclass(frozen=True, slots=True)
class PackagedSettings:
    """The embedder that comes with the group `dense`."""

    name: str


@dataclass(frozen=True, slots=True)
class OnnxSettings:
    """A sentence-transformers folder with an ONNX model."""

    folder: str
    """Path from the root of the project."""
    digest: Digest
    """Over the files of the folder."""
    dimension: int


@dataclass(frozen=True, slots=True)
class OpenAiSettings:
    """An OpenAI-compatible endpoint; the defaults are those of its first provider's small model."""

    base_url: str = "https://api.openai.com/v1"
    model: str = "text-embedding-3-small"
    dimension: int = 1536
    key_variable: str = "OPENAI_API_KEY"
    """Environment variable that holds the key."""


EmbedderSettings = PackagedSettings | OnnxSettings | OpenAiSettings


def read_embedder(kind: str, fields: Mapping[str, Located]) -> EmbedderSettings:
    """The embedder of that kind; `fields` are those of `retrieval.dense`, its keys checked."""
    if kind == "onnx":
        digest = fields["sha256"].matching(re.compile(r"[0-9a-f]{64}"), "64 hexadecimal digits")
        folder = fields["folder"].string()
        return OnnxSettings(folder, Digest(f"sha256:{digest}"), fields["dimension"].integer(1, MAX_DIMENSION))
    if kind == "openai":
        return _read_openai(fields)
    return PackagedSettings(kind)


def _read_openai(fields: Mapping[str, Located]) -> OpenAiSettings:
    default = OpenAiSettings()
    base_url, model, key = default.base_url, default.model, default.key_variable
    if "base_url" in fields:
        base_url = fields["base_url"].matching(re.compile(r"https?://[^\s@?#]+"), "an http or https URL without user")
    if "model" in fields:
        model = fields["model"].string()
    if "key_variable" in fields:
        key = fields["key_variable"].matching(re.compile(r"[A-Z][A-Z0-9_]*"), "the name of an environment variable")
    dimension = fields["dimension"].integer(1, MAX_DIMENSION) if "dimension" in fields else default.dimension
    return OpenAiSettings(base_url.rstrip("/"), model, dimension, key)
