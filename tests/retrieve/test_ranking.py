"""Rankings are by score, then by section id, whatever the order of the chunks."""

from itertools import permutations

import numpy as np

from foregone.retrieve.ranking import ScoredSection, fuse, rank_sections, ranks_of


def ranking(*sections: str) -> tuple[ScoredSection, ...]:
    return tuple(ScoredSection(section, float(-place)) for place, section in enumerate(sections))


def test_a_section_is_scored_by_its_best_chunk() -> None:
    scores = np.array([0.5, 2.0, 1.0, -3.0])

    assert rank_sections(["kettle#2", "kettle#1", "kettle#2", "cups#1"], scores, floor=None) == (
        ScoredSection("kettle#1", 2.0),
        ScoredSection("kettle#2", 1.0),
        ScoredSection("cups#1", -3.0),
    )


def test_ties_go_by_section_id() -> None:
    placed = rank_sections(["b#10", "a#2", "b#1", "a#10"], np.array([1.0, 1.0, 1.0, 2.0]), floor=None)

    assert [place.section for place in placed] == ["a#10", "a#2", "b#1", "b#10"]


def test_a_section_at_the_floor_is_absent() -> None:
    placed = rank_sections(["a", "b", "c"], np.array([0.0, 2.0**-20, -1.0]), floor=0.0)

    assert placed == (ScoredSection("b", 2.0**-20),)


def test_the_order_of_the_chunks_changes_no_ranking() -> None:
    chunks = [("a", 1.0), ("b", 1.0), ("a", 3.0), ("c", 1.0), ("b", 0.25)]

    placed = {
        rank_sections([section for section, _ in order], np.array([score for _, score in order]), floor=0.5)
        for order in permutations(chunks)
    }
    assert placed == {(ScoredSection("a", 3.0), ScoredSection("b", 1.0), ScoredSection("c", 1.0))}


def test_no_chunk_gives_no_ranking() -> None:
    assert rank_sections([], np.array([]), floor=None) == ()


def test_fusion_sums_the_reciprocals_of_k_and_rank() -> None:
    assert fuse([ranking("a", "b", "c"), ranking("c", "a")], 10) == (
        ScoredSection("a", 1 / 11 + 1 / 12),
        ScoredSection("c", 1 / 13 + 1 / 11),
        ScoredSection("b", 1 / 12),
    )


def test_fused_ties_go_by_section_id() -> None:
    assert [place.section for place in fuse([ranking("b", "a"), ranking("a", "b")], 10)] == ["a", "b"]


def test_the_order_of_the_legs_does_not_change_the_fusion() -> None:
    one, other = ranking("a", "b", "c", "d"), ranking("d", "b", "e")

    assert fuse([one, other], 60) == fuse([other, one], 60)


def test_one_leg_alone_keeps_its_order() -> None:
    assert [place.section for place in fuse([ranking("c", "a", "b")], 0)] == ["c", "a", "b"]


def test_ranks_count_from_one() -> None:
    assert ranks_of(ranking("c", "a")) == {"c": 1, "a": 2}
