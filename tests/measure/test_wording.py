"""How far questions and claims repeat the corpus is the share of their content words that stand in it."""

import pytest

from foregone.corpus.corpus import Corpus, load_corpus
from foregone.digest import Digest
from foregone.draft.draft import Draft, DraftClaim, Drafter
from foregone.draft.quotes import store_quote
from foregone.measure.wording import SharedWords, claim_wording, question_wording
from foregone.retrieve.questions import Question
from tiny_corpus import write_sources

WHISTLE = "The whistle sounds when steam passes the spout at 100 degrees and the pressure-valve is shut."


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    root = tmp_path_factory.mktemp("kitchen")
    write_sources(root)
    return load_corpus(root / "corpus/manifest.yaml")


def question_of(text: str, *sections: str) -> Question:
    return Question("q", text, "tea", "how", sections, "any", None if sections else "unsupported", why=None)


def draft_of(*claims: DraftClaim) -> Draft:
    digest = Digest("sha256:00")
    drafter = Drafter("imported", "a person", None)
    return Draft("q", "answered", drafter, "2026-12-01", "1", digest, {}, 1, 1, claims, digest)


def claim_of(corpus: Corpus, text: str | None, words: str | None, section: str = "kettle#2") -> DraftClaim:
    quote = store_quote(corpus, corpus.by_id["kettle#2"], words).quote if words else None
    return DraftClaim(text, "finding", {}, section, quote)


@pytest.mark.parametrize(
    ("text", "sections", "share"),
    [
        ("When does a whistle sound?", ("kettle#2",), 1.0),
        ("When does a whistle sing?", ("kettle#2",), 0.5),
        ("When does a kettle whistle?", ("kettle#2",), 1.0),
        ("When do birds sing?", ("kettle#2",), 0.0),
        ("Which china is for a whistle?", ("kettle#2", "cups#1.2"), 0.5),
        ("What is it?", ("kettle#2",), 0.0),
    ],
)
def test_a_question_shares_the_words_of_its_best_section(
    corpus: Corpus, text: str, sections: tuple[str, ...], share: float
) -> None:
    assert question_wording([question_of(text, *sections)], corpus) == SharedWords(1, share)


def test_the_median_is_over_answerable_questions(corpus: Corpus) -> None:
    texts = ["When does a whistle sound?", "When does a whistle sing?", "When do birds sing?"]
    questions = [*(question_of(text, "kettle#2") for text in texts), question_of("Which whistle sounds?")]

    assert question_wording(questions, corpus) == SharedWords(3, 0.5)


def test_a_claim_shares_the_words_of_its_quote(corpus: Corpus) -> None:
    claims = [
        claim_of(corpus, "The whistle sounds.", WHISTLE),
        claim_of(corpus, "The whistle sings.", WHISTLE),
        claim_of(corpus, "Scale silences it.", WHISTLE),
    ]

    assert claim_wording({"q": draft_of(*claims), "r": draft_of()}, corpus) == SharedWords(3, 0.5)


def test_claims_that_have_no_quote_to_compare_with_are_left_out(corpus: Corpus) -> None:
    claims = [
        claim_of(corpus, None, WHISTLE),
        claim_of(corpus, "It sounds.", None),
        claim_of(corpus, "It sounds.", "It sings."),
        claim_of(corpus, "It sounds.", WHISTLE, "kettle#7"),
    ]

    assert claim_wording({"q": draft_of(*claims)}, corpus) == SharedWords(0, None)


def test_nothing_is_measured_without_questions(corpus: Corpus) -> None:
    assert question_wording([question_of("What is tea?")], corpus) == SharedWords(0, None)
