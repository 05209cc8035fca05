"""The evidence is the union of the top sections of every leg, in fused order."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from foregone.corpus.chunks import chunk_sections, count_words
from foregone.corpus.corpus import Corpus, load_corpus
from foregone.digest import Digest, digest_text
from foregone.index.bm25 import build_bm25
from foregone.index.index import DenseIndex, Index
from foregone.retrieve.evidence import Passage, digest_evidence, gather, retrieve_all
from foregone.retrieve.questions import QuestionSet, load_questions
from foregone.retrieve.ranking import Ranking, ScoredSection
from foregone.settings import Bm25Settings, RetrievalSettings
from tiny_corpus import write_sources

SETTINGS = RetrievalSettings(Bm25Settings("english", 40, 10), None, 10, 2)
VECTORS = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]], dtype=np.float16)


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    write_sources(tmp_path)
    return load_corpus(tmp_path / "corpus/manifest.yaml")


@pytest.fixture
def questions(tmp_path: Path, corpus: Corpus) -> QuestionSet:
    return load_questions(tmp_path / "eval/questions.yaml", corpus.by_id)


def bm25_index(corpus: Corpus) -> Index:
    chunks = chunk_sections(corpus.sections, 40, 10, count_words)
    bm25 = build_bm25(chunks, "english")
    return Index("0123456789ab", bm25, tuple(chunk.section for chunk in chunks), None, Digest("sha256:00"))


def ranking(*sections: str) -> Ranking:
    return tuple(ScoredSection(section, 9.0 - place) for place, section in enumerate(sections))


def test_the_evidence_is_the_top_of_each_leg_in_fused_order() -> None:
    legs = {"bm25": ranking("a", "b", "c", "d"), "dense": ranking("d", "c", "b")}

    retrieved = gather("q", legs, SETTINGS)
    assert [place.section for place in retrieved.fused] == ["d", "b", "c", "a"]
    assert retrieved.evidence_ids == ("d", "b", "c", "a")
    assert gather("q", legs, replace(SETTINGS, evidence_per_leg=1)).evidence_ids == ("d", "a")


def test_a_passage_carries_every_rank_and_score() -> None:
    legs = {"bm25": ranking("a", "b"), "dense": ranking("b")}

    assert gather("q", legs, replace(SETTINGS, evidence_per_leg=1)).evidence == (
        Passage("b", {"bm25": 2, "dense": 1, "fused": 1}, {"bm25": 8.0, "dense": 9.0, "fused": 1 / 12 + 1 / 11}),
        Passage("a", {"bm25": 1, "dense": None, "fused": 2}, {"bm25": 9.0, "dense": None, "fused": 1 / 11}),
    )


def test_a_leg_that_is_not_in_use_has_no_rank() -> None:
    assert gather("q", {"bm25": ranking("a")}, SETTINGS).evidence == (
        Passage("a", {"bm25": 1, "dense": None, "fused": 1}, {"bm25": 9.0, "dense": None, "fused": 1 / 11}),
    )


def test_no_passage_is_found_for_words_that_the_corpus_lacks() -> None:
    retrieved = gather("q", {"bm25": ()}, SETTINGS)

    assert (retrieved.fused, retrieved.evidence) == ((), ())


def test_bm25_alone_finds_the_passages_of_every_question(corpus: Corpus, questions: QuestionSet) -> None:
    found = tuple(retrieve_all(bm25_index(corpus), questions, None, SETTINGS))

    assert [(retrieved.question, retrieved.evidence_ids) for retrieved in found] == [
        ("whistle", ("kettle#2", "kettle#1")),
        ("lid", ("kettle#1", "teapot#1.1")),
        ("colour", ("teapot#1", "kettle#2")),
    ]


def test_the_dense_leg_ranks_every_section_by_its_best_chunk(corpus: Corpus, questions: QuestionSet) -> None:
    rows = np.array([[1.0, 0.0], [0.0, -1.0], [-1.0, 0.0], [0.0, 1.0]], dtype=np.float16)
    dense = DenseIndex(("cups#1.2", "cups#1.2", "kettle#1", "kettle#1"), rows)

    found = tuple(retrieve_all(replace(bm25_index(corpus), dense=dense), questions, VECTORS, SETTINGS))
    assert [retrieved.legs["dense"] for retrieved in found] == [
        (ScoredSection("cups#1.2", 1.0), ScoredSection("kettle#1", 0.0)),
        (ScoredSection("kettle#1", 1.0), ScoredSection("cups#1.2", 0.0)),
        (ScoredSection("kettle#1", float(VECTORS[2, 1])), ScoredSection("cups#1.2", float(VECTORS[2, 0]))),
    ]


def test_the_order_of_the_chunks_changes_nothing_that_is_retrieved(corpus: Corpus, questions: QuestionSet) -> None:
    chunks = chunk_sections(corpus.sections, 40, 10, count_words)
    rows = np.random.default_rng(7).standard_normal((len(chunks), 2))
    halves = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float16)

    found = []
    for seed in range(20):
        order = np.random.default_rng(seed).permutation(len(chunks)).tolist()
        moved = [chunks[place] for place in order]
        names = tuple(chunk.section for chunk in moved)
        dense = DenseIndex(names, halves[order])
        index = Index("0123456789ab", build_bm25(moved, "english"), names, dense, Digest("sha256:00"))
        found.append(tuple(retrieve_all(index, questions, VECTORS, SETTINGS)))
    assert all(other == found[0] for other in found)


def test_the_digest_of_the_evidence_is_over_sorted_lines(corpus: Corpus) -> None:
    lines = f"cups#A:{corpus.by_id['cups#A'].digest}\nkettle#2:{corpus.by_id['kettle#2'].digest}\n"

    assert digest_evidence(corpus, ("kettle#2", "cups#A")) == digest_text(lines)
