"""Each rule says what it found, what it wanted and what it makes of it."""

from fractions import Fraction

import pytest

from foregone.corpus.corpus import Corpus, load_corpus
from foregone.corpus.section import Span
from foregone.digest import Digest
from foregone.draft.draft import DraftClaim, Quote
from foregone.ground.outcome import RuleOutcome
from foregone.ground.rules import (
    RULES,
    Case,
    check_coverage,
    check_literals,
    check_quote,
    check_retrieved,
    check_section_known,
)
from foregone.ground.words import read_section
from tiny_corpus import write_sources

DIGEST = Digest("sha256:00")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    root = tmp_path_factory.mktemp("kitchen")
    write_sources(root)
    return load_corpus(root / "corpus/manifest.yaml")


def case_of(
    corpus: Corpus,
    text: str,
    *,
    section: str = "kettle#2",
    quote: Quote | None = None,
    span: Span | None = None,
    min_coverage: Fraction = Fraction(2, 3),
) -> Case:
    found = corpus.by_id.get(section)
    return Case(
        claim=DraftClaim(text, "finding", {}, section, quote),
        text=text,
        section=found,
        words=read_section(found) if found else None,
        span=span,
        evidence=frozenset({"kettle#1", "kettle#2"}),
        names=frozenset({"rfc"}),
        min_coverage=min_coverage,
    )


def test_the_rules_run_in_their_published_order() -> None:
    assert [name for name, _ in RULES] == [
        "citation_unknown",
        "citation_not_retrieved",
        "quote_not_found",
        "literal",
        "coverage",
    ]


def test_a_section_of_the_corpus_is_known(corpus: Corpus) -> None:
    assert check_section_known(case_of(corpus, "It stops.")) == RuleOutcome(
        "citation_unknown", "pass", "kettle#2", "kettle#2", "The cited section exists."
    )


def test_a_section_that_the_corpus_lacks_fails(corpus: Corpus) -> None:
    assert check_section_known(case_of(corpus, "It stops.", section="kettle#7")) == RuleOutcome(
        "citation_unknown",
        "fail",
        "no such section",
        "kettle#7",
        "The claim cites kettle#7, which the corpus does not hold.",
    )


def test_a_section_of_the_evidence_was_retrieved(corpus: Corpus) -> None:
    assert check_retrieved(case_of(corpus, "It stops.")) == RuleOutcome(
        "citation_not_retrieved",
        "pass",
        "2 passages",
        "kettle#2",
        "The cited section was retrieved for this question.",
    )


@pytest.mark.parametrize("section", ["teapot#1", "kettle#7"])
def test_a_section_outside_the_evidence_fails(corpus: Corpus, section: str) -> None:
    assert check_retrieved(case_of(corpus, "It stops.", section=section)) == RuleOutcome(
        "citation_not_retrieved",
        "fail",
        "2 passages",
        section,
        f"The claim cites {section}, which was not retrieved for this question.",
    )


QUOTES: list[tuple[Quote | None, Span | None, RuleOutcome]] = [
    (
        Quote((0, 93), DIGEST, None, ()),
        (0, 93),
        RuleOutcome(
            "quote_not_found", "pass", "characters 0 to 93", "quote", "The quoted words stand in the cited section."
        ),
    ),
    (
        None,
        None,
        RuleOutcome(
            "quote_not_found",
            "not_applicable",
            "no quote",
            "a quote",
            "The draft gives no quote; the evidence is the sentence that comes closest.",
        ),
    ),
    (
        Quote(None, DIGEST, "elsewhere", ("cups#A", "teapot#1")),
        None,
        RuleOutcome(
            "quote_not_found",
            "fail",
            "in another section",
            "quote",
            "The quoted words stand in cups#A, teapot#1, not here.",
        ),
    ),
    (
        Quote(None, DIGEST, "stitched", ()),
        None,
        RuleOutcome(
            "quote_not_found",
            "fail",
            "pieces of it",
            "quote",
            "The quoted words are pieces that do not stand next to each other.",
        ),
    ),
    (
        Quote(None, DIGEST, "absent", ()),
        None,
        RuleOutcome("quote_not_found", "fail", "nothing", "quote", "The quoted words do not stand in the corpus."),
    ),
    (
        Quote((0, 93), DIGEST, None, ()),
        None,
        RuleOutcome(
            "quote_not_found",
            "fail",
            "nothing",
            "quote",
            "The quoted words do not stand in the cited section any more.",
        ),
    ),
]


@pytest.mark.parametrize(("quote", "span", "outcome"), QUOTES)
def test_a_quote_passes_where_it_stands(
    corpus: Corpus, quote: Quote | None, span: Span | None, outcome: RuleOutcome
) -> None:
    assert check_quote(case_of(corpus, "It stops.", quote=quote, span=span)) == outcome


def literal(outcome: str, found: str, wanted: str, message: str, span: Span | None = None) -> RuleOutcome:
    assert outcome in ("pass", "fail", "warn", "not_applicable")
    return RuleOutcome("literal", outcome, found, wanted, message, claim_span=span)  # type: ignore[arg-type] # narrowed


ALL_STAND = "Every number, name and quoted string stands there."
LITERALS: list[tuple[str, str, str, RuleOutcome]] = [
    (
        "nothing exact is said",
        "kettle#2",
        "A whistle is silent.",
        literal("not_applicable", "", "", "The claim holds no number, name or quoted string."),
    ),
    (
        "no section",
        "kettle#7",
        "It holds 9 litres.",
        literal("not_applicable", "", "", "There is no section to compare with."),
    ),
    (
        "all stand",
        "kettle#2",
        'It says "turns the knob" at 100 degrees, by the pressure-valve, at 100.',
        literal("pass", "turns the knob, 100, pressure-valve", "turns the knob, 100, pressure-valve", ALL_STAND),
    ),
    (
        "a number in words",
        "kettle#2",
        "It stops within 5 seconds.",
        literal("pass", "5", "5", ALL_STAND),
    ),
    (
        "in the heading alone",
        "kettle#2",
        "It is called `whistling`.",
        literal("pass", "whistling", "whistling", ALL_STAND),
    ),
    (
        "in another case",
        "teapot#1.1",
        "Servers set the LID-STATE.",
        literal("pass", "LID-STATE", "LID-STATE", ALL_STAND),
    ),
    (
        "inside a hyphenated word",
        "teapot#1.1",
        "Servers set a State.",
        literal("pass", "State", "State", ALL_STAND),
    ),
    (
        "with a hyphen less",
        "teapot#1.1",
        "Servers set LidState fields.",
        literal(
            "warn", "LidState", "LidState", "Written with other spaces or hyphens in the section: LidState.", (12, 20)
        ),
    ),
    (
        "with a hyphen more",
        "teapot#1",
        "A tea-pot of 1850 pours.",
        literal(
            "warn",
            "tea-pot",
            "tea-pot, 1850",
            "Written with other spaces or hyphens in the section: tea-pot.",
            (2, 9),
        ),
    ),
    (
        "with a space less",
        "kettle#1",
        "It holds 250ml.",
        literal("warn", "250ml", "250ml", "Written with other spaces or hyphens in the section: 250ml.", (9, 14)),
    ),
    (
        "another number",
        "kettle#2",
        "It sounds at 95 degrees, not at 100.",
        literal("fail", "100", "95, 100", "The section does not hold: 95.", (13, 15)),
    ),
    (
        "digits of a longer number",
        "kettle#2",
        "It sounds at 10 degrees.",
        literal("fail", "", "10", "The section does not hold: 10.", (13, 15)),
    ),
    (
        "the end of a longer number",
        "kettle#1",
        "It holds 50ml.",
        literal("fail", "", "50ml", "The section does not hold: 50ml.", (9, 13)),
    ),
    (
        "letters of a longer word",
        "kettle#2",
        'Spouts are `leaned` on, "one" a month.',
        literal("fail", "", "leaned, one", "The section does not hold: leaned, one.", (11, 19)),
    ),
    (
        "letters over two words",
        "kettle#2",
        "It is called `hewhi`.",
        literal("fail", "", "hewhi", "The section does not hold: hewhi.", (13, 20)),
    ),
    (
        "the same twice",
        "kettle#2",
        "It is 95 or 95.",
        literal("fail", "", "95", "The section does not hold: 95.", (6, 8)),
    ),
    (
        "one lost, one near",
        "teapot#1.1",
        "The LidState is 7.",
        literal("fail", "LidState", "LidState, 7", "The section does not hold: 7.", (16, 17)),
    ),
    (
        "signs alone",
        "kettle#2",
        "It is written `--`.",
        literal("fail", "", "--", "The section does not hold: --.", (14, 18)),
    ),
]


@pytest.mark.parametrize(
    ("section", "text", "outcome"), [case[1:] for case in LITERALS], ids=[case[0] for case in LITERALS]
)
def test_literals_have_to_stand_in_the_section(corpus: Corpus, section: str, text: str, outcome: RuleOutcome) -> None:
    assert check_literals(case_of(corpus, text, section=section)) == outcome


def test_a_claim_does_not_fail_for_naming_its_section(corpus: Corpus) -> None:
    claim = case_of(corpus, "Section 2 of kettle and RFC say so.")

    assert check_literals(claim).outcome == "not_applicable"


COVERAGE: list[tuple[str, str, Fraction, RuleOutcome]] = [
    (
        "enough",
        "Whistles sound or sing.",
        Fraction(2, 3),
        RuleOutcome(
            "coverage",
            "pass",
            "2 of 3 content words",
            "at least 2/3 of them",
            "Its words stand in the section.",
            0.666667,
            0.666667,
        ),
    ),
    (
        "the same with a higher bar",
        "Whistles sound or sing.",
        Fraction(3, 4),
        RuleOutcome(
            "coverage",
            "fail",
            "2 of 3 content words",
            "at least 3/4 of them",
            "Too few of its words stand in the section; absent: sing.",
            0.666667,
            0.75,
        ),
    ),
    (
        "none",
        "Birds sing songs.",
        Fraction(2, 3),
        RuleOutcome(
            "coverage",
            "fail",
            "0 of 3 content words",
            "at least 2/3 of them",
            "Too few of its words stand in the section; absent: birds, sing, songs.",
            0.0,
            0.666667,
        ),
    ),
    (
        "the heading counts",
        "A kettle whistles.",
        Fraction(1),
        RuleOutcome(
            "coverage",
            "pass",
            "2 of 2 content words",
            "at least 1 of them",
            "Its words stand in the section.",
            1.0,
            1.0,
        ),
    ),
    (
        "nothing to compare",
        "It is what it is.",
        Fraction(2, 3),
        RuleOutcome(
            "coverage", "fail", "no content word", "content words", "The claim has no word that could be checked."
        ),
    ),
]


@pytest.mark.parametrize(
    ("text", "min_coverage", "outcome"), [case[1:] for case in COVERAGE], ids=[case[0] for case in COVERAGE]
)
def test_enough_content_words_have_to_stand_in_the_section(
    corpus: Corpus, text: str, min_coverage: Fraction, outcome: RuleOutcome
) -> None:
    assert check_coverage(case_of(corpus, text, min_coverage=min_coverage)) == outcome


def test_coverage_does_not_apply_without_a_section(corpus: Corpus) -> None:
    assert check_coverage(case_of(corpus, "It stops.", section="kettle#7")) == RuleOutcome(
        "coverage", "not_applicable", "", "", "There is no section to compare with."
    )


def test_a_rule_has_decided_unless_it_could_not_tell() -> None:
    outcomes = ("pass", "fail", "warn", "undecided", "not_applicable")

    decided = [RuleOutcome("coverage", outcome, "", "", "").decided for outcome in outcomes]  # type: ignore[arg-type] # closed above
    assert decided == [True, True, True, False, False]
