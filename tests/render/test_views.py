"""What templates see: quotes in their surroundings, states in words, claims with what broke them."""

from pathlib import Path

import pytest

from foregone.corpus.corpus import Corpus, load_corpus
from foregone.decide.answer import Answer
from foregone.decide.state import STATES
from foregone.pipeline import answer_questions
from foregone.project import load_project
from foregone.render.views import (
    AROUND,
    ListedView,
    QuoteView,
    StateView,
    cut_quote,
    view_answer,
    view_listed,
    view_section,
    view_state,
)
from foregone.workers import Workers


@pytest.fixture(scope="module")
def corpus(varied: Path) -> Corpus:
    return load_corpus(varied / "corpus/manifest.yaml")


@pytest.fixture(scope="module")
def answers(varied: Path) -> dict[str, Answer]:
    workers = Workers(1, lambda _: None)
    return dict(answer_questions(load_project(varied), lambda: 0.0, workers, lambda _: None).answers)


def test_a_quote_in_a_short_section_is_shown_with_all_of_it() -> None:
    assert cut_quote("One. Two. Three.", (5, 9)) == QuoteView(
        "One. ", "Two.", " Three.", cut_before=False, cut_after=False
    )


def test_a_quote_in_a_long_section_is_shown_with_whole_lines_around_it() -> None:
    line = "x" * 99 + "\n"
    text = line * 10 + "The quote." + "\n" + line * 10

    view = cut_quote(text, (1000, 1010))

    assert view == QuoteView(line * 5, "The quote.", "\n" + (line * 5).rstrip("\n"), cut_before=True, cut_after=True)


def test_a_long_line_around_a_quote_is_left_out() -> None:
    text = "x" * 700 + "The quote." + "y" * 700

    assert cut_quote(text, (700, 710)) == QuoteView("", "The quote.", "", cut_before=True, cut_after=True)


@pytest.mark.parametrize("start", range(0, 3000, 97))
def test_the_parts_of_a_quote_view_are_neighbours_in_the_section(start: int) -> None:
    text = "".join(f"line {number}\n" * (number % 3) for number in range(400))
    span = (start, min(start + 200, len(text)))

    view = cut_quote(text, span)

    assert (view.before + view.quoted + view.after) in text
    assert (view.cut_before, view.cut_after) == (
        not text.startswith(view.before + view.quoted),
        not text.endswith(view.quoted + view.after),
    )
    assert max(len(view.before), len(view.after)) <= AROUND


def test_every_state_has_a_symbol_a_word_and_a_definition() -> None:
    views = [view_state(state) for state in (*STATES, None)]

    assert [(view.code, view.symbol, view.word) for view in views] == [
        ("grounded", "●", "grounded"),
        ("partial", "◐", "partial"),
        ("unsupported", "○", "unsupported"),
        ("no_context", "⊘", "no context"),
        ("abandoned", "⊘", "abandoned"),
    ]
    assert all(view.definition for view in views)


def test_a_kept_claim_shows_its_citation_and_its_quote(answers: dict[str, Answer], corpus: Corpus) -> None:
    claim = view_answer(answers["variety"], corpus).kept[2]

    assert (claim.id, claim.text, claim.citation) == (
        "c3", "Lid-State is shut while a server pours.", "teapot §1.1 Pouring",
    )  # fmt: skip
    assert (claim.section_path, claim.section_url) == (
        "s/teapot/1.1/", "https://kitchen.example/teapot.html#section-1.1",
    )  # fmt: skip
    assert claim.quote == QuoteView(
        "", "A server pours with the Lid-State field set to shut.",
        "  The spout drips\nif the Lid-State field is absent.", cut_before=False, cut_after=False,
    )  # fmt: skip


def test_a_withdrawn_claim_shows_every_rule_that_it_broke(answers: dict[str, Answer], corpus: Corpus) -> None:
    withdrawn = view_answer(answers["variety"], corpus).withdrawn

    assert [(claim.id, [rule for rule, _ in claim.broken]) for claim in withdrawn] == [
        ("c4", ["quote_not_found"]),
        ("c5", ["citation_not_retrieved", "literal", "coverage"]),
    ]


def test_a_passage_that_only_a_withdrawn_claim_cites_is_shown_as_not_cited(
    answers: dict[str, Answer], corpus: Corpus
) -> None:
    passages = view_answer(answers["variety"], corpus).passages

    assert {passage.path: passage.cited for passage in passages} == {
        "s/kettle/1/": False, "s/kettle/2/": True, "s/teapot/1.1/": True,
    }  # fmt: skip


def test_a_claim_without_quote_says_that_the_check_found_its_evidence(
    answers: dict[str, Answer], corpus: Corpus
) -> None:
    view = view_answer(answers["variety"], corpus)

    assert [(claim.id, claim.aligned) for claim in view.kept] == [("c1", False), ("c2", True), ("c3", False)]


def test_an_answer_says_what_the_draft_declared_and_what_the_check_read(
    answers: dict[str, Answer], corpus: Corpus
) -> None:
    view = view_answer(answers["whistle"], corpus)
    work = answers["whistle"].grounded.work if answers["whistle"].grounded else None

    assert work
    assert (view.outcome, view.work) == (
        "The draft says that it answers the question.",
        f"1 claims checked against {work.sentences} sentences: {work.tokens} tokens read, at most 5,000 allowed",
    )


def test_a_listed_answer_counts_kept_and_withdrawn_claims(answers: dict[str, Answer]) -> None:
    state = StateView(
        "partial", "◐", "partial", "only a part of an answer is supported: the rest is missing or was withdrawn"
    )

    assert view_listed(answers["lid"]) == ListedView(
        "lid", "What does a shut lid do for steam from the spout?", "kettles", state, 1, 1
    )


def test_a_section_page_names_the_sections_around_it(corpus: Corpus) -> None:
    view = view_section(corpus.by_id["teapot#1.1"], corpus, (("lid", "What?"),))

    assert (view.label, view.trail, view.json_path, view.cited_by) == (
        "teapot §1.1 Pouring",
        ("teapot", "1 Introduction"),
        "api/v1/sections/teapot/1.1.json",
        (("lid", "What?"),),
    )
