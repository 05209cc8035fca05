"""Question vectors are named by the questions and the embedder, and are made only once."""

import json
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
from foregone.located import Source
from foregone.retrieve.query_vectors import embed_questions, list_path, load_query_vectors, plan_questions, vectors_path
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
    return QuestionSet(questions, Source(Path("questions.yaml"), ""), Digest("sha256:00"))


def embed(
    root: Path,
    questions: QuestionSet,
    embedder: FakeEmbedder | None = None,
    told: list[int] | None = None,
    partial: PartialVectors | None = None,
) -> int:
    embedder = embedder or FakeEmbedder()
    plan = plan_questions(root, questions, embedder.identity, partial or PartialVectors(root / "partial"))
    return embed_questions(plan, embedder, (told if told is not None else []).append)


QUESTIONS = questions_of("Does it whistle?", "What does a shut lid do for steam?")


def test_vectors_are_loaded_as_they_were_embedded(tmp_path: Path) -> None:
    told: list[int] = []
    embedded = embed(tmp_path, QUESTIONS, told=told)

    vectors = load_query_vectors(tmp_path, QUESTIONS, IDENTITY)
    assert (embedded, told) == (2, [2])
    assert (vectors.dtype.str, vectors.tolist()) == ("<f2", [[1.0, 0.0], [0.0, 1.0]])


def test_vectors_that_are_there_are_not_made_again(tmp_path: Path) -> None:
    told: list[int] = []
    counts = [embed(tmp_path, QUESTIONS, told=told) for _ in range(2)]

    assert (counts, told) == ([2, 0], [2])


def test_the_vectors_of_an_earlier_set_are_removed(tmp_path: Path) -> None:
    for questions in (QUESTIONS, questions_of("Does it hiss?")):
        embed(tmp_path, questions)

    path = vectors_path(tmp_path, questions_of("Does it hiss?").vectors_digest, IDENTITY)
    assert sorted(tmp_path.iterdir()) == [list_path(path), path]


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
    embedded = embed(tmp_path, QUESTIONS, told=told, partial=partial)
    assert (embedded, sum(told), partial.load()) == (len(QUESTIONS.questions) - 1, len(QUESTIONS.questions) - 1, {})


def test_the_vectors_of_questions_that_stay_are_taken_over(tmp_path: Path) -> None:
    embed(tmp_path, QUESTIONS)
    changed = questions_of("Is it hot?", QUESTIONS.questions[1].text, QUESTIONS.questions[0].text, "Is it hot?")

    told: list[int] = []
    assert (embed(tmp_path, changed, told=told), told) == (1, [1])
    assert load_query_vectors(tmp_path, changed, IDENTITY).tolist() == [[1, 0], [0, 1], [1, 0], [1, 0]]


def test_vectors_without_a_list_get_one_and_are_not_made_again(tmp_path: Path) -> None:
    embed(tmp_path, QUESTIONS)
    path = list_path(vectors_path(tmp_path, QUESTIONS.vectors_digest, IDENTITY))
    before = path.read_bytes()
    path.unlink()

    assert (embed(tmp_path, QUESTIONS), path.read_bytes()) == (0, before)


def test_without_a_list_a_changed_set_is_embedded_whole(tmp_path: Path) -> None:
    embed(tmp_path, QUESTIONS)
    list_path(vectors_path(tmp_path, QUESTIONS.vectors_digest, IDENTITY)).unlink()

    assert embed(tmp_path, questions_of(*(question.text for question in QUESTIONS.questions), "Is it hot?")) == 3


def test_a_list_of_other_vectors_is_passed_over(tmp_path: Path) -> None:
    embed(tmp_path, QUESTIONS)
    path = vectors_path(tmp_path, QUESTIONS.vectors_digest, IDENTITY)
    path.write_bytes(npy_bytes(np.array([[0.0, 1.0], [1.0, 0.0]], dtype=np.float16)))

    assert embed(tmp_path, questions_of(QUESTIONS.questions[0].text)) == 1


def test_the_vectors_of_another_embedder_are_not_taken_over(tmp_path: Path) -> None:
    embed(tmp_path, QUESTIONS)
    other = FakeEmbedder(replace(IDENTITY, model=Digest("sha256:1e")))

    assert embed(tmp_path, QUESTIONS, other) == 2


def test_a_list_of_another_length_is_refused(tmp_path: Path) -> None:
    embed(tmp_path, QUESTIONS)
    path = vectors_path(tmp_path, QUESTIONS.vectors_digest, IDENTITY)
    value = json.loads(list_path(path).read_text("utf-8"))
    value["texts"].pop()
    list_path(path).write_text(json.dumps(value), encoding="utf-8")

    with pytest.raises(Refused) as refused:
        embed(tmp_path, questions_of("Is it hot?"))
    assert str(refused.value) == (
        f"error[bad-value]: {list_path(path)} lists 1 texts\n"
        f"  --> {list_path(path)}:1\n"
        f"  {path} has 2 vectors\n"
        "  mend: delete the file: the questions are then embedded anew when the set changes"
    )
