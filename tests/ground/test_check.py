"""The check judges every claim of a draft, and both ceilings hold."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from foregone.budget import Budget
from foregone.corpus.corpus import Corpus, load_corpus, make_corpus
from foregone.corpus.section import Section, Span
from foregone.digest import Digest
from foregone.draft.draft import Draft, DraftClaim, Drafter
from foregone.draft.quotes import store_quote
from foregone.errors import Refused
from foregone.ground.check import corpus_wide_names, ground_draft, read_passages
from foregone.ground.outcome import GroundedClaim, GroundedDraft, RuleOutcome, Work
from tiny_corpus import write_sources

WHISTLE = "The whistle sounds when steam passes the spout at 100 degrees and the pressure-valve is shut."
BUDGET = Budget(150, 50, 60, 10, 0, 5000, 2.0, 1500, None, None, None)
EVIDENCE = ("kettle#2", "kettle#1", "cups#1.2", "cups#1.1")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    root = tmp_path_factory.mktemp("kitchen")
    write_sources(root)
    return load_corpus(root / "corpus/manifest.yaml")


def draft_of(*claims: DraftClaim) -> Draft:
    digest = Digest("sha256:0d")
    drafter = Drafter("imported", "a person", None)
    return Draft("whistle", "answered", drafter, "2026-12-01", "1", digest, {}, 1, 1, claims, digest)


def claim_of(corpus: Corpus, text: str | None, words: str | None = WHISTLE, section: str = "kettle#2") -> DraftClaim:
    quote = store_quote(corpus, corpus.by_id[section], words).quote if words else None
    return DraftClaim(text, "finding", {}, section, quote)


def stopped_clock() -> float:
    return 7.0


def clock_of(*readings: float) -> Callable[[], float]:
    return iter(readings).__next__


def ground(
    corpus: Corpus,
    *claims: DraftClaim,
    evidence: Sequence[str] = EVIDENCE,
    budget: Budget = BUDGET,
    clock: Callable[[], float] = stopped_clock,
) -> GroundedDraft:
    passages = read_passages(corpus, [claim.section for claim in claims])
    share = Fraction(2, 3)
    return ground_draft(draft_of(*claims), evidence, passages, min_coverage=share, budget=budget, clock=clock)


def summary(claim: GroundedClaim) -> tuple[str, dict[str, str]]:
    return claim.verdict, {rule.rule: rule.outcome for rule in claim.rules}


def test_a_supported_claim_is_published_with_every_rule(corpus: Corpus) -> None:
    text = "The whistle sounds once steam passes the spout at 100 degrees."
    rules = (
        RuleOutcome("citation_unknown", "pass", "kettle#2", "kettle#2", "The cited section exists."),
        RuleOutcome(
            "citation_not_retrieved",
            "pass",
            "4 passages",
            "kettle#2",
            "The cited section was retrieved for this question.",
        ),
        RuleOutcome(
            "quote_not_found", "pass", "characters 0 to 93", "quote", "The quoted words stand in the cited section."
        ),
        RuleOutcome("literal", "pass", "100", "100", "Every number, name and quoted string stands there."),
        RuleOutcome(
            "coverage",
            "pass",
            "7 of 7 content words",
            "at least 2/3 of them",
            "Its words stand in the section.",
            1.0,
            0.666667,
        ),
    )

    assert ground(corpus, claim_of(corpus, text)) == GroundedDraft(
        "whistle",
        Digest("sha256:0d"),
        (GroundedClaim("c1", text, "kettle#2", "supported", "quote", (0, 93), rules, ()),),
        Work(claims=1, sentences=3, tokens=11 + 52, limit=5000),
        abandoned=False,
    )


def test_a_claim_that_breaks_one_rule_is_withdrawn_and_the_others_still_run(corpus: Corpus) -> None:
    (claim,) = ground(corpus, claim_of(corpus, "The whistle sounds at 95 degrees.")).claims

    assert summary(claim) == (
        "withdrawn",
        {
            "citation_unknown": "pass",
            "citation_not_retrieved": "pass",
            "quote_not_found": "pass",
            "literal": "fail",
            "coverage": "pass",
        },
    )


def test_a_warning_withdraws_nothing_and_a_claim_without_content_is_withdrawn(corpus: Corpus) -> None:
    warned, empty = ground(
        corpus, claim_of(corpus, "The whistle sounds by the pressureValve."), claim_of(corpus, "It is so.")
    ).claims

    assert (warned.verdict, warned.rules[3].outcome) == ("supported", "warn")
    assert (empty.verdict, [rule.outcome for rule in empty.rules[3:]]) == ("withdrawn", ["not_applicable", "fail"])


@pytest.mark.parametrize("text", ["\u200b", ".", "\U0001f36a", "Сервер должен удалить всё.", "服务器必须删除"])
def test_a_claim_of_which_no_word_can_be_checked_is_withdrawn(corpus: Corpus, text: str) -> None:
    (claim,) = ground(corpus, claim_of(corpus, text)).claims

    assert claim.verdict == "withdrawn"


def test_claims_are_numbered_in_the_order_of_the_draft(corpus: Corpus) -> None:
    grounded = ground(corpus, *(claim_of(corpus, text) for text in ("It is so.", "It sings.", "It sounds.")))

    assert [(claim.id, claim.text, claim.verdict) for claim in grounded.claims] == [
        ("c1", "It is so.", "withdrawn"),
        ("c2", "It sings.", "withdrawn"),
        ("c3", "It sounds.", "supported"),
    ]


def test_a_claim_whose_section_is_gone_is_withdrawn(corpus: Corpus) -> None:
    lost = replace(claim_of(corpus, "It sounds."), section="kettle#7")
    (claim,) = ground(corpus, lost).claims

    assert (claim.origin, claim.span) == ("none", None)
    assert summary(claim) == (
        "withdrawn",
        {
            "citation_unknown": "fail",
            "citation_not_retrieved": "fail",
            "quote_not_found": "fail",
            "literal": "not_applicable",
            "coverage": "not_applicable",
        },
    )


def test_a_heading_alone_cannot_be_cited(corpus: Corpus) -> None:
    (claim,) = ground(corpus, DraftClaim("Cups.", "finding", {}, "cups#1", None)).claims

    assert (claim.verdict, claim.rules[0].outcome) == ("withdrawn", "fail")


def test_a_claim_outside_the_evidence_is_withdrawn(corpus: Corpus) -> None:
    (claim,) = ground(corpus, claim_of(corpus, "It sounds."), evidence=("cups#1.2",)).claims

    assert (claim.verdict, claim.rules[1].found, claim.rules[1].outcome) == ("withdrawn", "1 passages", "fail")


def test_where_a_quote_stands_instead_is_kept(corpus: Corpus) -> None:
    claim = claim_of(corpus, "A whistle sounds.", "A cup is filled to 90 percent.")
    (grounded,) = ground(corpus, claim).claims

    assert (grounded.verdict, grounded.origin, grounded.span, grounded.elsewhere) == (
        "withdrawn",
        "none",
        None,
        ("cups#1.2",),
    )


ALIGNED: list[tuple[str, str, str, Span | None]] = [
    ("A whistle stops soon after the heat is off.", "kettle#2", "aligned", (95, 181)),
    ("Scale keeps the whistle silent.", "kettle#2", "aligned", (186, 290)),
    ("A whistle.", "kettle#2", "aligned", (0, 93)),
    ("Birds sing.", "kettle#2", "none", None),
    ("It is so.", "kettle#2", "none", None),
]


@pytest.mark.parametrize(("text", "section", "origin", "span"), ALIGNED)
def test_a_claim_without_a_quote_is_aligned_to_its_closest_sentence(
    corpus: Corpus, text: str, section: str, origin: str, span: Span | None
) -> None:
    (claim,) = ground(corpus, claim_of(corpus, text, None, section)).claims

    assert (claim.origin, claim.span) == (origin, span)


def test_the_text_of_a_quoted_claim_is_its_quote_on_one_line(corpus: Corpus) -> None:
    (claim,) = ground(corpus, claim_of(corpus, None)).claims

    assert (claim.text, claim.verdict) == (WHISTLE, "supported")


def with_text(corpus: Corpus, section_id: str, text: str) -> Corpus:
    def changed(section: Section) -> Section:
        return replace(section, text=text) if section.id == section_id else section

    return make_corpus(corpus.manifest, tuple(changed(section) for section in corpus.sections), dict(corpus.sources))


def test_a_quote_is_evidence_where_it_stands_now(corpus: Corpus) -> None:
    moved = with_text(corpus, "kettle#2", f"Kettles hum.\n\n{WHISTLE}")
    (claim,) = ground(moved, claim_of(corpus, "The whistle sounds.")).claims

    assert (claim.verdict, claim.origin, claim.span) == ("supported", "quote", (14, 14 + len(WHISTLE)))


@pytest.mark.parametrize("text", [None, "The whistle sounds."])
def test_a_claim_whose_quote_is_gone_is_withdrawn_without_evidence(corpus: Corpus, text: str | None) -> None:
    changed = with_text(corpus, "kettle#2", WHISTLE.replace("100", "99"))
    (claim,) = ground(changed, claim_of(corpus, text)).claims

    assert (claim.verdict, claim.origin, claim.span) == ("withdrawn", "none", None)
    assert claim.rules[2].message == "The quoted words do not stand in the cited section any more."


def test_markup_in_a_claim_passes_through_unchanged(corpus: Corpus) -> None:
    text = '<script>alert("1")</script> & <b>The whistle</b> sounds.'
    (claim,) = ground(corpus, claim_of(corpus, text)).claims

    assert claim.text == text


def test_a_draft_without_claims_takes_no_work(corpus: Corpus) -> None:
    assert ground(corpus) == GroundedDraft("whistle", Digest("sha256:0d"), (), Work(0, 0, 0, 5000), abandoned=False)


def test_work_is_counted_as_if_nothing_were_cached(corpus: Corpus) -> None:
    claims = [claim_of(corpus, text) for text in ("It sounds.", "The whistle sounds at 100 degrees.")]
    everything = read_passages(corpus, corpus.by_id)
    grounded = [
        ground_draft(
            draft_of(*claims), EVIDENCE, passages, min_coverage=Fraction(1, 2), budget=BUDGET, clock=stopped_clock
        ).work
        for passages in (everything, everything, read_passages(corpus, ["kettle#2"]))
    ]

    assert grounded == [Work(claims=2, sentences=6, tokens=2 + 6 + 2 * 52, limit=5000)] * 3


def test_work_up_to_its_limit_is_done(corpus: Corpus) -> None:
    grounded = ground(corpus, claim_of(corpus, "It sounds."), budget=replace(BUDGET, max_work=54))

    assert (grounded.abandoned, len(grounded.claims), grounded.work) == (False, 1, Work(1, 3, 54, 54))


def test_an_answer_past_its_work_is_abandoned_without_claims(corpus: Corpus) -> None:
    grounded = ground(corpus, claim_of(corpus, "It sounds."), budget=replace(BUDGET, max_work=53))

    assert grounded == GroundedDraft("whistle", Digest("sha256:0d"), (), Work(1, 3, 54, 53), abandoned=True)


def test_an_abandoned_answer_judges_no_claim(corpus: Corpus) -> None:
    claims = [claim_of(corpus, "It sounds.")] * 3

    grounded = ground(corpus, *claims, budget=replace(BUDGET, max_work=1), clock=clock_of(7.0))
    assert (grounded.abandoned, grounded.work) == (True, Work(3, 9, 162, 1))


def test_time_up_to_the_deadline_is_allowed(corpus: Corpus) -> None:
    claims = [claim_of(corpus, "It sounds.")] * 2

    assert len(ground(corpus, *claims, clock=clock_of(0.0, 0.1, 0.15)).claims) == 2


def test_a_deadline_that_is_exceeded_is_refused_with_question_and_stage(corpus: Corpus) -> None:
    claims = [claim_of(corpus, "It sounds.")] * 3

    with pytest.raises(Refused) as refused:
        ground(corpus, *claims, clock=clock_of(7.0, 7.1, 7.1516))

    assert str(refused.value) == (
        "error[deadline-exceeded]: grounding the question 'whistle' took too long\n"
        "  --> eval/thresholds.yaml: budget.request_deadline_ms\n"
        "  stage ground: 152 ms spent, 150 ms allowed\n"
        "  mend: build again on a quieter machine; if it stays, shorten the draft or the sections that it cites"
    )


def test_only_cited_sections_that_have_text_are_read(corpus: Corpus) -> None:
    passages = read_passages(corpus, ["kettle#2", "kettle#2", "cups#1", "kettle#7"])

    assert list(passages.words) == ["kettle#2"]


def test_names_of_titles_and_of_many_sections_say_nothing(corpus: Corpus) -> None:
    titled = tuple(
        replace(document, title=f"The {document.id.upper()} of TEA 1") for document in corpus.manifest.documents
    )
    manifest = replace(corpus.manifest, documents=titled)

    assert corpus_wide_names(replace(corpus, manifest=manifest)) == {
        "cups", "kettle", "teapot", "tea", "must", "not", "rfc",
    }  # fmt: skip


def test_a_name_of_less_than_one_section_in_ten_is_asked_for(corpus: Corpus) -> None:
    (first, *_) = corpus.indexed
    rest = tuple(replace(first, id=f"cups#9.{number}", text="Cups are filled.") for number in range(10))
    rare = make_corpus(corpus.manifest, (replace(first, text="TEA is BREWED."), *rest), {})
    common = make_corpus(corpus.manifest, (replace(first, text="TEA is BREWED."), *rest[1:]), {})

    assert [sorted(corpus_wide_names(names)) for names in (rare, common)] == [["rfc"], ["brewed", "rfc", "tea"]]
