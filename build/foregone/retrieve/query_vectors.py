"""The committed vectors of the question set: one file that is named by the questions and the embedder.

A list beside it says of which texts its rows are, so that a changed set takes over the vectors of what did not change.
Reading the vectors needs no list.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from foregone.digest import DIGEST_PATTERN, Digest, address, digest_bytes, digest_text
from foregone.errors import Refused
from foregone.files import read_bytes, write_atomically
from foregone.index.embedder import Embedder, EmbedderIdentity, embed_texts
from foregone.index.partial import PartialVectors, embed_missing
from foregone.index.store import npy_bytes, read_npy
from foregone.located import load_json
from foregone.retrieve.questions import QuestionSet

MEND = "run `foregone index build`"
LIST_MEND = "delete the file: the questions are then embedded anew when the set changes"
QueryVectors = npt.NDArray[np.float16]
"""(n_questions, dimension) rows of unit length, in the order of the set."""
Vectors = Mapping[Digest, npt.NDArray[np.float16]]
"""Digest of a text -> its vector."""


@dataclass(frozen=True, slots=True)
class QuestionPlan:
    """What embedding the question set takes."""

    path: Path
    """Where the vectors are committed."""
    embedder: EmbedderIdentity
    texts: tuple[Digest, ...]
    """Of each question's text, in the order of the set."""
    known: Vectors
    """From the file of an earlier set or from a build that was stopped."""
    missing: Mapping[Digest, str]
    """What is to be embedded, each text once."""
    partial: PartialVectors
    """Where each batch is kept at once."""


def vectors_path(root: Path, questions: Digest, embedder: EmbedderIdentity) -> Path:
    """Where the vectors of these questions by this embedder are committed."""
    name = address(digest_text(f"{questions}\n{embedder.model}\n{embedder.tokenizer}\n"))
    return root / f"{name}.npy"


def list_path(path: Path) -> Path:
    """Where the texts of the vectors at `path` are listed."""
    return path.with_suffix(".json")


def plan_questions(
    root: Path, questions: QuestionSet, embedder: EmbedderIdentity, partial: PartialVectors
) -> QuestionPlan:
    """Which questions are to be embedded: none where the file of this set is there."""
    path = vectors_path(root, questions.vectors_digest, embedder)
    by_digest = {digest_text(question.text): question.text for question in questions.questions}
    texts = tuple(digest_text(question.text) for question in questions.questions)
    if path.exists():
        return QuestionPlan(path, embedder, texts, {}, {}, partial)
    known = {**_listed_vectors(root, embedder), **partial.load()}
    missing = {digest: text for digest, text in by_digest.items() if digest not in known}
    return QuestionPlan(path, embedder, texts, known, missing, partial)


def embed_questions(plan: QuestionPlan, embedder: Embedder, advance: Callable[[int], None]) -> int:
    """Write the question vectors and remove those of other sets; returns how many were embedded (0: all were there).

    `advance` is told the number of questions in each batch.
    """
    if not plan.path.exists():
        known = {**plan.known, **embed_missing(embedder, plan.missing, "query", plan.partial, advance)}
        rows = np.array([known[digest] for digest in plan.texts], dtype=np.float16)
        write_atomically(plan.path, npy_bytes(rows))
        plan.partial.clear()
    if not list_path(plan.path).exists():
        write_atomically(list_path(plan.path), _list_bytes(plan))
    for other in (*plan.path.parent.glob("*.npy"), *plan.path.parent.glob("*.json")):
        if other.stem != plan.path.stem:
            other.unlink()
    return len(plan.missing)


def embed_once(questions: QuestionSet, embedder: Embedder, advance: Callable[[int], None]) -> QueryVectors:
    """The vectors of a question set that is not the project's own: nothing is written."""
    texts = [question.text for question in questions.questions]
    return embed_texts(embedder, texts, "query", lambda places, _: advance(len(places)))


def load_query_vectors(root: Path, questions: QuestionSet, embedder: EmbedderIdentity) -> QueryVectors:
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


def _list_bytes(plan: QuestionPlan) -> bytes:
    """The list of the vectors that are written: their digest, for a list of other vectors is of no use."""
    value = {
        "format": 1,
        "vectors": digest_bytes(plan.path.read_bytes()),
        "model": plan.embedder.model,
        "tokenizer": plan.embedder.tokenizer,
        "texts": plan.texts,
    }
    return (json.dumps(value, indent=1) + "\n").encode()


def _listed_vectors(root: Path, embedder: EmbedderIdentity) -> Vectors:
    """The vectors of earlier sets by the same embedder; a list that is not of the file beside it is passed over."""
    known: dict[Digest, npt.NDArray[np.float16]] = {}
    for path in sorted(root.glob("*.npy")):
        if not list_path(path).exists():
            continue
        top = load_json(list_path(path), mend=LIST_MEND).mapping(
            required=("format", "vectors", "model", "tokenizer", "texts")
        )
        top["format"].integer(1, 1)
        texts = [Digest(entry.matching(DIGEST_PATTERN, "a digest")) for entry in top["texts"].items()]
        content = read_bytes(path, mend=MEND)
        named = tuple(top[key].string() for key in ("vectors", "model", "tokenizer"))
        if named != (digest_bytes(content), embedder.model, embedder.tokenizer):
            continue
        rows = read_npy(content, path)
        if len(rows) != len(texts):
            top["texts"].refuse(
                "bad-value",
                f"{list_path(path)} lists {len(texts)} texts",
                why=(f"{path} has {len(rows)} vectors",),
                mend=LIST_MEND,
            )
        known |= dict(zip(texts, rows, strict=True))
    return known
