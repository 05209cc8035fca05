"""How far questions and claims repeat the corpus: where they copy it, every other figure flatters."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median

from foregone.corpus.corpus import Corpus
from foregone.draft.draft import Draft
from foregone.draft.quotes import locate_quote
from foregone.ground.words import content_stems
from foregone.retrieve.questions import Question


@dataclass(frozen=True, slots=True)
class SharedWords:
    """Share of content words that stand in another text, over many texts."""

    n: int
    median: float | None
    """In [0, 1]; None: nothing was measured."""


def question_wording(questions: Iterable[Question], corpus: Corpus) -> SharedWords:
    """Of each answerable question's content words: the share in the expected section that holds most of them."""
    shares = [
        max(
            _share(question.text, f"{corpus.by_id[name].heading} {corpus.by_id[name].text}")
            for name in question.sections
        )
        for question in questions
        if question.answerable
    ]
    return SharedWords(len(shares), median(shares) if shares else None)


def claim_wording(drafts: Mapping[str, Draft], corpus: Corpus) -> SharedWords:
    """Of each claim's content words: the share in its quote; quoted claims and quotes that were not found left out."""
    shares = []
    for draft in drafts.values():
        for claim in draft.claims:
            section = corpus.by_id.get(claim.section)
            span = locate_quote(section, claim.quote) if section and claim.quote else None
            if section and span and claim.text:
                shares.append(_share(claim.text, section.text[slice(*span)]))
    return SharedWords(len(shares), median(shares) if shares else None)


def _share(text: str, other: str) -> float:
    stems = content_stems(text)
    known = set(content_stems(other))
    return sum(stem in known for stem in stems) / len(stems) if stems else 0.0
