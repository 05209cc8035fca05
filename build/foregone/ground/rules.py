"""The rules of the check, in order; each is pure and reports what it found and what it wanted."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from foregone.corpus.section import Section, Span
from foregone.draft.draft import DraftClaim
from foregone.ground.outcome import RuleOutcome
from foregone.ground.words import Literal, SectionWords, content_words, literals_of, squeeze

CHECK_VERSION = 1
"""Counted up when the same draft and passages can give another verdict; answers record it."""


@dataclass(frozen=True, slots=True)
class Case:
    """One claim and all that the rules may look at."""

    claim: DraftClaim
    text: str
    """The claim's text."""
    section: Section | None
    """The cited section; None: the corpus has none of that id."""
    words: SectionWords | None
    span: Span | None
    """Where the quote stands now."""
    evidence: frozenset[str]
    """Section ids that were retrieved for the question."""
    names: frozenset[str]
    """Corpus-wide names that no rule asks for."""
    min_coverage: Fraction


def check_section_known(case: Case) -> RuleOutcome:
    """The cited section is in the corpus."""
    if case.section is None or case.words is None:
        message = f"The claim cites {case.claim.section}, which the corpus does not hold."
        return RuleOutcome("citation_unknown", "fail", "no such section", case.claim.section, message)
    return RuleOutcome("citation_unknown", "pass", case.section.id, case.claim.section, "The cited section exists.")


def check_retrieved(case: Case) -> RuleOutcome:
    """The cited section is among the evidence."""
    found = f"{len(case.evidence)} passages"
    if case.claim.section not in case.evidence:
        message = f"The claim cites {case.claim.section}, which was not retrieved for this question."
        return RuleOutcome("citation_not_retrieved", "fail", found, case.claim.section, message)
    message = "The cited section was retrieved for this question."
    return RuleOutcome("citation_not_retrieved", "pass", found, case.claim.section, message)


def check_quote(case: Case) -> RuleOutcome:
    """The quoted words stand in the cited section."""
    quote = case.claim.quote
    if quote is None:
        message = "The draft gives no quote; the evidence is the sentence that comes closest."
        return RuleOutcome("quote_not_found", "not_applicable", "no quote", "a quote", message)
    if case.span is not None:
        message = "The quoted words stand in the cited section."
        return RuleOutcome("quote_not_found", "pass", f"characters {case.span[0]} to {case.span[1]}", "quote", message)
    found, message = {
        "elsewhere": ("in another section", f"The quoted words stand in {', '.join(quote.found_in)}, not here."),
        "stitched": ("pieces of it", "The quoted words are pieces that do not stand next to each other."),
        "absent": ("nothing", "The quoted words do not stand in the corpus."),
        None: ("nothing", "The quoted words do not stand in the cited section any more."),
    }[quote.missing]
    return RuleOutcome("quote_not_found", "fail", found, "quote", message)


def check_literals(case: Case) -> RuleOutcome:
    """Every number, name and quoted string of the claim stands in the cited section or its heading."""
    if case.words is None:
        return _not_applicable("literal")
    literals = literals_of(case.text, case.names, case.section)
    if not literals:
        message = "The claim holds no number, name or quoted string."
        return RuleOutcome("literal", "not_applicable", "", "", message)
    missing = [literal for literal in literals if not _stands(literal, case.words)]
    wanted = ", ".join(dict.fromkeys(literal.text for literal in literals))
    if not missing:
        return RuleOutcome("literal", "pass", wanted, wanted, "Every number, name and quoted string stands there.")
    lost = [literal for literal in missing if not _is_near(literal, case.words)]
    if not lost:
        near = ", ".join(literal.text for literal in missing)
        message = f"Written with other spaces or hyphens in the section: {near}."
        return RuleOutcome("literal", "warn", near, wanted, message, claim_span=missing[0].span)
    message = f"The section does not hold: {', '.join(dict.fromkeys(literal.text for literal in lost))}."
    kept = ", ".join(dict.fromkeys(literal.text for literal in literals if literal not in lost))
    return RuleOutcome("literal", "fail", kept, wanted, message, claim_span=lost[0].span)


def check_coverage(case: Case) -> RuleOutcome:
    """Enough of the claim's content words stand in the cited section or its heading."""
    if case.words is None:
        return _not_applicable("coverage")
    stems = content_words(case.text)
    if not stems:
        message = "The claim has no word that could be checked."
        return RuleOutcome("coverage", "fail", "no content word", "content words", message)
    absent = [word for stem, word in stems.items() if stem not in case.words.stems]
    share = Fraction(len(stems) - len(absent), len(stems))
    found = f"{len(stems) - len(absent)} of {len(stems)} content words"
    wanted = f"at least {case.min_coverage} of them"
    value, limit = round(float(share), 6), round(float(case.min_coverage), 6)
    if share >= case.min_coverage:
        return RuleOutcome("coverage", "pass", found, wanted, "Its words stand in the section.", value, limit)
    message = f"Too few of its words stand in the section; absent: {', '.join(absent)}."
    return RuleOutcome("coverage", "fail", found, wanted, message, value, limit)


RULES: tuple[tuple[str, Callable[[Case], RuleOutcome]], ...] = (
    ("citation_unknown", check_section_known),
    ("citation_not_retrieved", check_retrieved),
    ("quote_not_found", check_quote),
    ("literal", check_literals),
    ("coverage", check_coverage),
)
"""Reason code and rule, in the order in which they run and are published; all of them always run."""


def _not_applicable(rule: str) -> RuleOutcome:
    return RuleOutcome(rule, "not_applicable", "", "", "There is no section to compare with.")


def _stands(literal: Literal, words: SectionWords) -> bool:
    lowered = literal.text.lower()
    if lowered in words.tokens:
        return True
    return not lowered.replace(".", "").isdigit() and _is_bounded(lowered, words.lowered)


def _is_near(literal: Literal, words: SectionWords) -> bool:
    """Whether the literal stands there with other spaces or hyphens; a number never does: 10 is not near 100."""
    letters = squeeze(literal.text.lower())
    if not letters or letters.replace(".", "").isdigit():
        return False
    spaced = r"[\s\-]*".join(re.escape(letter) for letter in letters)
    return re.search(rf"(?<![^\W_]){spaced}(?![^\W_])", words.lowered) is not None


def _is_bounded(wanted: str, text: str) -> bool:
    """Whether `wanted` stands in `text` with no letter or digit of a longer word at either end."""
    start = text.find(wanted)
    while start >= 0:
        before, after = text[start - 1 : start], text[start + len(wanted) : start + len(wanted) + 1]
        if not (before.isalnum() and wanted[0].isalnum()) and not (after.isalnum() and wanted[-1].isalnum()):
            return True
        start = text.find(wanted, start + 1)
    return False
