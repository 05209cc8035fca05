"""BM25 scores are exact sums, the same for any order of the chunks and on every machine."""

import math
import os
import subprocess
import sys
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from foregone.corpus.chunks import Chunk, chunk_sections, count_words
from foregone.corpus.corpus import load_corpus
from foregone.index.bm25 import WEIGHT_STEP, build_bm25, stems_of, weigh_terms

REPOSITORY = Path(__file__).parents[2]
TEXTS = ("kettle whistle steam", "teapot leaves leaves", "cup handle bowl steam steam")


def chunks_of(*texts: str) -> tuple[Chunk, ...]:
    return tuple(Chunk(f"kitchen#{number}", (0, len(text)), text) for number, text in enumerate(texts, start=1))


def test_a_weight_is_the_published_formula_rounded_to_its_step() -> None:
    index = build_bm25(chunks_of(*TEXTS), "english")

    idf = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    weights = [idf * tf / (tf + 1.5 * (1 - 0.75 + 0.75 * length / (11 / 3))) for tf, length in ((1, 3), (2, 5))]
    first, third = (round(weight / WEIGHT_STEP) * WEIGHT_STEP for weight in weights)
    assert index.score("steam").tolist() == [first, 0.0, third]


def test_a_word_that_is_asked_twice_counts_twice() -> None:
    index = build_bm25(chunks_of(*TEXTS), "english")

    assert index.score("whistle whistle").tolist() == (index.score("whistle") * 2).tolist()


@pytest.mark.parametrize("query", ["", "the of and", "saucer", "?"])
def test_a_query_that_shares_no_stem_scores_nothing(query: str) -> None:
    assert build_bm25(chunks_of(*TEXTS), "english").score(query).tolist() == [0.0, 0.0, 0.0]


def test_scores_are_equal_for_any_order_of_the_chunks() -> None:
    query, chunks = "steam from the kettle's bowl", chunks_of(*TEXTS)
    expected = build_bm25(chunks, "english").score(query)

    for order in permutations(range(3)):
        scores = build_bm25([chunks[place] for place in order], "english").score(query)
        assert scores.tolist() == expected[list(order)].tolist()


def test_words_are_lower_case_stems_without_stop_words() -> None:
    assert stems_of("The Whistling kettles are NOT whistled, x", "english") == ["whistl", "kettl", "whistl"]


def test_the_vocabulary_is_sorted_whatever_the_hash_seed() -> None:
    program = (
        "from foregone.corpus.chunks import Chunk\n"
        "from foregone.index.bm25 import build_bm25\n"
        f"index = build_bm25([Chunk('k', (0, 1), text) for text in {TEXTS!r}], 'english')\n"
        "print(list(index.vocabulary.items()), index.weights.tobytes().hex(), index.rows.tolist())\n"
    )
    printed = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "20")
    ]

    words = ["bowl", "cup", "handl", "kettl", "leav", "steam", "teapot", "whistl"]
    assert printed[0] == printed[1]
    assert printed[0].startswith(str([(word, column) for column, word in enumerate(words)]))


def test_no_weight_of_the_corpus_lies_near_a_rounding_midpoint() -> None:
    corpus = load_corpus(REPOSITORY / "corpus/manifest.yaml")
    raw, _ = weigh_terms(chunk_sections(corpus.sections, 220, 40, count_words), "english")

    from_midpoint = np.abs(raw["data"] / WEIGHT_STEP % 1.0 - 0.5) * WEIGHT_STEP
    assert from_midpoint.min() > 1e-13
