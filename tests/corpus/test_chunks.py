"""Chunks are windows over the words of one section that leave no word out."""

import random
from collections.abc import Sequence
from itertools import pairwise

import pytest

from foregone.corpus.chunks import Chunk, chunk_sections, count_words, cut_windows, make_chunk
from foregone.corpus.rfc import parse_rfc
from foregone.corpus.section import Section, Span
from foregone.digest import digest_text
from tiny_corpus import TEXTS


def sections(document: str) -> tuple[Section, ...]:
    return parse_rfc(document, TEXTS[document].encode())


@pytest.mark.parametrize(
    ("weights", "size", "overlap", "windows"),
    [
        ([], 3, 1, []),
        ([1], 3, 1, [(0, 1)]),
        ([1, 1, 1], 3, 1, [(0, 3)]),
        ([1, 1, 1, 1], 3, 1, [(0, 3), (2, 4)]),
        ([1, 1, 1, 1], 3, 2, [(0, 3), (1, 4)]),
        ([1, 1, 1, 1], 3, 0, [(0, 3), (3, 4)]),
        ([2, 2, 2], 4, 3, [(0, 2), (1, 3)]),
        ([9, 1, 9], 3, 1, [(0, 1), (1, 2), (2, 3)]),
        ([1, 1, 1, 3], 3, 2, [(0, 3), (3, 4)]),
        ([1, 1, 1, 2], 3, 2, [(0, 3), (2, 4)]),
        ([0, 0, 1, 0], 1, 0, [(0, 4)]),
    ],
    ids=[
        "nothing",
        "one word",
        "full",
        "shared word",
        "most shared",
        "none shared",
        "heavy words",
        "too heavy words",
        "no room to share",
        "little room to share",
        "weightless words",
    ],
)
def test_windows_over_words(weights: list[int], size: int, overlap: int, windows: list[Span]) -> None:
    assert cut_windows(weights, size, overlap) == windows


def test_windows_cover_all_words_in_order_and_keep_size_and_overlap() -> None:
    chance = random.Random(220)
    for _ in range(2000):
        weights = [chance.choice((0, 1, 1, 1, 2, 5)) for _ in range(chance.randrange(1, 30))]
        size = chance.randrange(1, 12)
        overlap = chance.randrange(size)
        windows = cut_windows(weights, size, overlap)
        sizes = [sum(weights[first:last]) for first, last in windows]
        pairs = list(pairwise(windows))

        assert (windows[0][0], windows[-1][1]) == (0, len(weights))
        assert all(one[0] < other[0] <= one[1] < other[1] for one, other in pairs)
        assert all(weight <= size or last - first == 1 for weight, (first, last) in zip(sizes, windows, strict=True))
        assert all(sum(weights[other[0] : one[1]]) <= overlap for one, other in pairs)


def test_a_chunk_is_the_heading_and_the_words_on_one_line() -> None:
    lid, note = sections("teapot")[1], sections("kettle")[1]

    assert [make_chunk(lid, (54, 103)), make_chunk(note, (235, 258))] == [
        Chunk("teapot#1.1", (54, 103), "teapot §1.1 Pouring. The spout drips if the Lid-State field is absent."),
        Chunk("kettle#2", (235, 258), "kettle §2 Whistling. silent, so the spout"),
    ]


def test_chunks_share_words_and_never_cross_into_another_section() -> None:
    chunks = chunk_sections(sections("teapot"), 8, 2, count_words)

    assert [(chunk.section, chunk.text.partition(". ")[2]) for chunk in chunks] == [
        ("teapot#1", "A teapot brews tea from leaves and hot"),
        ("teapot#1", "and hot water. Zoë's teapot of 1850 is"),
        ("teapot#1", "1850 is the oldest that still pours."),
        ("teapot#1.1", "A server pours with the Lid-State field set"),
        ("teapot#1.1", "field set to shut. The spout drips if"),
        ("teapot#1.1", "drips if the Lid-State field is absent."),
    ]


def test_a_heading_alone_has_no_chunk() -> None:
    assert [chunk.section for chunk in chunk_sections(sections("cups"), 40, 10, count_words)] == [
        "cups#1.1",
        "cups#1.2",
        "cups#A",
    ]


def test_a_word_broken_at_a_line_end_weighs_as_its_two_parts_and_is_published_whole() -> None:
    whole = sections("kettle")[1]
    start = whole.text.index("pressure-valve")
    weighed: list[Span] = []

    def weigh(text: str, words: Sequence[Span]) -> Sequence[int]:
        weighed.extend(span for span in words if start <= span[0] < start + len("pressure-valve"))
        return count_words(text, words)

    (chunk,) = chunk_sections((whole,), 220, 40, weigh)

    assert (weighed, "pressure-valve" in chunk.text) == ([(start, start + 9), (start + 9, start + 14)], True)


def test_a_chunk_is_digested_by_its_indexed_text_alone() -> None:
    assert [Chunk(section, (0, 3), "tea §1 Tea. Hot").digest for section in ("tea#1", "cup#1")] == [
        digest_text("tea §1 Tea. Hot")
    ] * 2
