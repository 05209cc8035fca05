"""What each embedder is called, and how it measures words: known without loading what embeds, or reaching a network."""

from pathlib import Path
from typing import assert_never

from foregone.corpus.chunks import Weigh, count_words
from foregone.digest import digest_text
from foregone.embedder_settings import EmbedderSettings, OnnxSettings, OpenAiSettings, PackagedSettings
from foregone.index.embedder import EmbedderIdentity
from foregone.index.minilm import IDENTITY as MINILM
from foregone.index.minilm import load_minilm
from foregone.index.onnx_folder import identify_folder, load_folder


def identify(settings: EmbedderSettings) -> EmbedderIdentity:
    """The identity of an embedder that need not be installed here."""
    match settings:
        case PackagedSettings():
            return MINILM
        case OnnxSettings():
            return identify_folder(settings)
        case OpenAiSettings():
            return identify_endpoint(settings)
        case _:
            assert_never(settings)


def identify_endpoint(settings: OpenAiSettings) -> EmbedderIdentity:
    """The identity: base URL, model and dimension."""
    digest = digest_text(f"{settings.base_url}\n{settings.model}\n{settings.dimension}\n")
    return EmbedderIdentity(settings.model, digest, digest, settings.dimension)


def load_weigh(settings: EmbedderSettings, root: Path) -> Weigh:
    """How the embedder measures words; Refused where it takes a tokenizer that is not installed here."""
    match settings:
        case PackagedSettings():
            return load_minilm().weigh
        case OnnxSettings():
            return load_folder(settings, root).weigh
        case OpenAiSettings():
            return count_words
        case _:
            assert_never(settings)
