"""The committed vectors of the question set: one file that is named by the questions and the embedder."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from foregone.digest import Digest, address, digest_text
from foregone.errors import Refused
from foregone.files import read_bytes, write_atomically
from foregone.index.embedder import Embedder, EmbedderIdentity
from foregone.index.partial import PartialVectors, embed_missing
from foregone.index.store import npy_bytes, read_npy
from foregone.retrieve.questions import QuestionSet

MEND = "run `foregone index build`"


def vectors_path(root: Path, questions: Digest, embedder: EmbedderIdentity) -> Path:
    """Where the vectors of these questions by this embedder are committed."""
    name = address(digest_text(f"{questions}\n{embedder.model}\n{embedder.tokenizer}\n"))
    return root / f"{name}.npy"


def embed_questions(
    root: Path, questions: QuestionSet, embedder: Embedder, partial: PartialVectors, advance: Callable[[int], None]
) -> int:
    """Write the question vectors and remove those of other sets; returns how many were embedded (0: all were there).

    Each batch is kept in `partial` at once; `advance` is told the number of questions in it.
    """
    path = vectors_path(root, questions.vectors_digest, embedder.identity)
    embedded = 0
    if not path.exists():
        by_digest = {digest_text(question.text): question.text for question in questions.questions}
        known = partial.load()
        missing = {digest: text for digest, text in by_digest.items() if digest not in known}
        known |= embed_missing(embedder, missing, "query", partial, advance)
        rows = np.array([known[digest_text(question.text)] for question in questions.questions], dtype=np.float16)
        write_atomically(path, npy_bytes(rows))
        partial.clear()
        embedded = len(missing)
    for other in root.glob("*.npy"):
        if other != path:
            other.unlink()
    return embedded


def load_query_vectors(root: Path, questions: QuestionSet, embedder: EmbedderIdentity) -> npt.NDArray[np.float16]:
    """(n_questions, dimension) in the order of the set; Refused where they are absent or of another size."""
    path = vectors_path(root, questions.vectors_digest, embedder)
    if not path.exists():
        raise Refused(
            "questions-not-embedded",
            "the question set has changed since its vectors were made",
            where=str(path),
            why=("there are no vectors of these questions by this embedder",),
            mend=MEND,
        )
    vectors = read_npy(read_bytes(path, mend=MEND), path)
    expected = (len(questions.questions), embedder.dimension)
    if vectors.shape != expected:
        raise Refused(
            "bad-vector",
            f"{path} has the shape {vectors.shape}",
            where=str(path),
            why=(f"expected {expected}",),
            mend=f"delete the file and {MEND}",
        )
    return vectors
