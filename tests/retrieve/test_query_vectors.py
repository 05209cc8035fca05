"""Question vectors are named by the questions and the embedder, and are made only once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from foregone.corpus.chunks import Weigh, count_words
from foregone.digest import Digest, digest_text
from foregone.errors import Refused
from foregone.index.embedder import EmbedderIdentity, TextKind
from foregone.index.partial import PartialVectors, embed_missing
from foregone.index.store import npy_bytes
from foregone.retrieve.query_vectors import embed_questions, load_query_vectors, vectors_path
from foregone.retrieve.questions import Question, QuestionSet

IDENTITY = EmbedderIdentity("tea-net", Digest("sha256:0e"), Digest("sha256:0f"), 2)


@dataclass
class FakeEmbedder:
    """A text of more than 20 characters points up, a shorter one right."""

    identity: EmbedderIdentity = IDENTITY
    batch_size: int = 16
    weigh: Weigh = count_words

    def embed(self, texts: Sequence[str], kind: TextKind) -> npt.NDArray[np.float32]:
        assert kind == "query"
        return np.array([[0.0, 1.0] if len(text) > 20 else [1.0, 0.0] for text in texts], dtype=np.float32)


def questions_of(*texts: str) -> QuestionSet:
    questions = tuple(
        Question(f"q{number}", text, "tea", "how", ("kettle#1",), "any", state=None, why=None)
        for number, text in enumerate(texts, start=1)
    )
    return QuestionSet(questions, Digest("sha256:00"))


QUESTIONS = questions_of("Does it whistle?", "What does a shut lid do for steam?")


def test_vectors_are_loaded_as_they_were_embedded(tmp_path: Path) -> None:
    told: list[int] = []
    embedded = embed_questions(tmp_path, QUESTIONS, FakeEmbedder(), PartialVectors(tmp_path / "partial"), told.append)

    vectors = load_query_vectors(tmp_path, QUESTIONS, IDENTITY)
    assert (embedded, told) == (2, [2])
    assert (vectors.dtype.str, vectors.tolist()) == ("<f2", [[1.0, 0.0], [0.0, 1.0]])


def test_vectors_that_are_there_are_not_made_again(tmp_path: Path) -> None:
    told: list[int] = []
    counts = [
        embed_questions(tmp_path, QUESTIONS, FakeEmbedder(), PartialVectors(tmp_path / "partial"), told.append)
        for _ in range(2)
    ]

    assert (counts, told) == ([2, 0], [2])


def test_the_vectors_of_an_earlier_set_are_removed(tmp_path: Path) -> None:
    for questions in (QUESTIONS, questions_of("Does it hiss?")):
        embed_questions(tmp_path, questions, FakeEmbedder(), PartialVectors(tmp_path / "partial"), lambda _: None)

    assert list(tmp_path.iterdir()) == [vectors_path(tmp_path, questions_of("Does it hiss?").vectors_digest, IDENTITY)]


def test_the_name_depends_on_questions_model_and_tokenizer(tmp_path: Path) -> None:
    paths = {
        vectors_path(tmp_path, questions, embedder)
        for questions in (QUESTIONS.vectors_digest, questions_of("Does it hiss?").vectors_digest)
        for embedder in (
            IDENTITY,
            replace(IDENTITY, model=Digest("sha256:1e")),
            replace(IDENTITY, tokenizer=Digest("sha256:1f")),
        )
    }

    assert len(paths) == 6
    assert vectors_path(tmp_path, Digest("sha256:00"), IDENTITY) == tmp_path / "3d5ae548314d.npy"


def test_a_question_without_a_vector_is_refused(tmp_path: Path) -> None:
    path = vectors_path(tmp_path, QUESTIONS.vectors_digest, IDENTITY)

    with pytest.raises(Refused) as refused:
        load_query_vectors(tmp_path, QUESTIONS, IDENTITY)

    assert str(refused.value) == (
        "error[questions-not-embedded]: the question set has changed since its vectors were made\n"
        f"  --> {path}\n"
        "  there are no vectors of these questions by this embedder\n"
        "  mend: run `foregone index build`"
    )


def test_vectors_of_another_size_are_refused(tmp_path: Path) -> None:
    path = vectors_path(tmp_path, QUESTIONS.vectors_digest, IDENTITY)
    path.write_bytes(npy_bytes(np.eye(3, dtype=np.float16)))

    with pytest.raises(Refused) as refused:
        load_query_vectors(tmp_path, QUESTIONS, IDENTITY)

    assert str(refused.value) == (
        f"error[bad-vector]: {path} has the shape (3, 3)\n"
        f"  --> {path}\n"
        "  expected (2, 2)\n"
        "  mend: delete the file and run `foregone index build`"
    )


def test_a_vector_that_is_not_of_unit_length_is_refused(tmp_path: Path) -> None:
    path = vectors_path(tmp_path, QUESTIONS.vectors_digest, IDENTITY)
    path.write_bytes(npy_bytes(np.array([[1.0, 0.0], [0.5, 0.5]], dtype=np.float16)))

    with pytest.raises(Refused) as refused:
        load_query_vectors(tmp_path, QUESTIONS, IDENTITY)

    assert str(refused.value) == (
        f"error[bad-vector]: row 1 of {path} is not of unit length\n"
        f"  --> {path}\n"
        "  expected a norm of 1 within 0.00390625, found 0.707107\n"
        "  mend: run `foregone index build`"
    )


def test_a_stopped_embedding_of_questions_goes_on_where_it_was(tmp_path: Path) -> None:
    partial = PartialVectors(tmp_path / "partial")
    texts = {digest_text(question.text): question.text for question in QUESTIONS.questions[:1]}
    embed_missing(FakeEmbedder(), texts, "query", partial, lambda _: None)

    told: list[int] = []
    embedded = embed_questions(tmp_path, QUESTIONS, FakeEmbedder(), partial, told.append)
    assert (embedded, sum(told), partial.load()) == (len(QUESTIONS.questions) - 1, len(QUESTIONS.questions) - 1, {})
