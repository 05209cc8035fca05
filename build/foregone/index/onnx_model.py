"""Sentence embeddings by ONNX Runtime: the one module that imports onnxruntime and tokenizers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from foregone.corpus.section import Span
from foregone.errors import Refused
from foregone.index.embedder import EmbedderIdentity, TextKind

BATCH = 16
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
"""What a model may ask for."""

Pooling = Literal["mean", "cls", "max", "mean_sqrt_len", "last", "none"]
"""How token states become one vector (Reimers and Gurevych 2019); `none`: the model does it itself."""


@dataclass(frozen=True, slots=True)
class ModelShape:
    """How a model wants its input and what its output means."""

    window: int
    """Word pieces that it sees; the rest of a longer text is cut."""
    pooling: Pooling
    prefixes: Mapping[TextKind, str]
    """What is put before a text."""


class OnnxEmbedder:
    """A loaded model with its tokenizer."""

    batch_size = BATCH

    def __init__(self, identity: EmbedderIdentity, shape: ModelShape, model: bytes | Path, tokenizer: str) -> None:
        """`model` is a path where its weights may lie in files beside it."""
        self.identity = identity
        self._shape = shape
        self._session, self._tokenizer = _load_both(identity.name, model, tokenizer)
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    def weigh(self, text: str, words: Sequence[Span]) -> Sequence[int]:
        """Word pieces that begin in each word of `text`; at least one."""
        starts = [start for start, _ in self._tokenizer.encode(text, add_special_tokens=False).offsets]
        weights, place = [], 0
        for _, end in words:
            before = place
            while place < len(starts) and starts[place] < end:
                place += 1
            weights.append(max(1, place - before))
        return weights

    def embed(self, texts: Sequence[str], kind: TextKind) -> npt.NDArray[np.float32]:
        """(n_texts, dimension) pooled rows in the order of `texts`."""
        prefix = self._shape.prefixes.get(kind, "")
        self._tokenizer.enable_truncation(self._shape.window)
        self._tokenizer.enable_padding()
        encoded = self._tokenizer.encode_batch([prefix + text for text in texts])
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        mask = np.array([row.attention_mask for row in encoded], dtype=np.int64)
        ids = np.array([row.ids for row in encoded], dtype=np.int64)
        offered = dict(zip(INPUTS, (ids, mask, np.zeros_like(ids)), strict=True))
        fed = {name: offered[name] for name in self.inputs}
        if self._shape.pooling == "none":
            return np.asarray(self._session.run(["sentence_embedding"], fed)[0], dtype=np.float32)
        states = self._session.run(None, fed)[0].astype(np.float64)
        return pool(states, mask, self._shape.pooling).astype(np.float32)

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of what the model asks for."""
        return tuple(entry.name for entry in self._session.get_inputs())

    @property
    def outputs(self) -> Mapping[str, int]:
        """Name of what the model gives -> its number of axes, in the model's order."""
        return {entry.name: len(entry.shape) for entry in self._session.get_outputs()}


def pool(states: npt.NDArray[np.float64], mask: npt.NDArray[np.int64], pooling: Pooling) -> npt.NDArray[np.float64]:
    """(n, d) vectors of token states (n, tokens, d); `mask` (n, tokens) is 1 where a token counts.

    >>> pool(np.array([[[1.0], [3.0], [9.0]]]), np.array([[1, 1, 0]]), "mean")
    array([[2.]])
    """
    wide = mask[:, :, None]
    counted = mask.sum(axis=1, keepdims=True)
    pooled: npt.NDArray[np.float64]
    if pooling == "cls":
        pooled = states[:, 0]
    elif pooling == "last":
        pooled = states[np.arange(len(states)), mask.cumsum(axis=1).argmax(axis=1)]
    elif pooling == "max":
        pooled = np.where(wide == 1, states, -np.inf).max(axis=1)
    else:
        pooled = (states * wide).sum(axis=1) / (np.sqrt(counted) if pooling == "mean_sqrt_len" else counted)
    return pooled


def _load_both(name: str, model: bytes | Path, tokenizer: str) -> tuple[Any, Any]:
    """A session and a tokenizer; what the two packages raise has no other base than Exception."""
    onnxruntime, tokenizers = _import_both(name)
    try:
        source = str(model) if isinstance(model, Path) else model
        session = onnxruntime.InferenceSession(source, providers=["CPUExecutionProvider"])
        return session, tokenizers.Tokenizer.from_str(tokenizer)
    except Exception as error:
        raise Refused(
            "unknown-model",
            f"the embedder {name} cannot be loaded",
            where=name,
            why=(str(error).partition("\n")[0],),
            mend="look at its model and its tokenizer.json",
        ) from error


def _import_both(name: str) -> tuple[Any, Any]:
    try:
        import onnxruntime
        import tokenizers
    except ImportError as error:
        raise Refused(
            "no-embedder",
            f"the embedder {name} cannot run here",
            why=(str(error),),
            mend="run `make dense`, or take `dense` out of retrieval.legs in foregone.yaml",
        ) from error
    return onnxruntime, tokenizers
