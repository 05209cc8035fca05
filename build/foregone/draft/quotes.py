"""Finding a quote in a section, and finding it again when the section has changed."""

import re
from dataclasses import dataclass

from foregone.corpus.corpus import Corpus
from foregone.corpus.section import Section, Span
from foregone.corpus.sentences import plain, split_sentences
from foregone.digest import Digest, digest_words
from foregone.draft.draft import Quote

FRAGMENT_BREAK = re.compile(r"\[?(?:\.\.\.|…)\]?|(?<=[.!?;:])\s+")
PLAIN_QUOTES = str.maketrans({"\u201c": '"', "\u201d": '"', "\u2018": "'", "\u2019": "'"})
"""Typographic quotation marks, which a reply may have put for plain ones."""
MAX_RUN = 12
"""Sentences of the longest run that is looked up by its digest."""


@dataclass(frozen=True, slots=True)
class FoundQuote:
    """A quote in its stored form."""

    quote: Quote
    widened: bool
    """Whether a part was widened to its whole sentences."""


def store_quote(corpus: Corpus, section: Section, words: str) -> FoundQuote:
    """The stored form of the words that a reply quotes from `section`."""
    span = find_words(section.text, words)
    if span is not None:
        whole = widen(section.text, span)
        quoted = section.text[slice(*whole)]
        widened = whole[0] < span[0] or span[1] < whole[1]
        return FoundQuote(Quote(whole, quote_digest(quoted), None, ()), widened)
    elsewhere = tuple(other.id for other in corpus.indexed if find_words(other.text, words) is not None)
    if elsewhere:
        return FoundQuote(Quote(None, digest_words(words), "elsewhere", elsewhere), widened=False)
    fragments = [fragment for fragment in FRAGMENT_BREAK.split(words) if len(fragment.split()) > 1]
    stitched = len(fragments) > 1 and all(find_words(section.text, fragment) is not None for fragment in fragments)
    return FoundQuote(Quote(None, digest_words(words), "stitched" if stitched else "absent", ()), widened=False)


def find_words(text: str, words: str) -> Span | None:
    r"""The span in `text` of the first place that has the letters of `words` in a row, white space and bars aside.

    >>> find_words("Send the Set-Cookie\n   field.", "Set- Cookie field")
    (9, 28)
    """
    letters, places = _squeeze(text)
    wanted, _ = _squeeze(words)
    start = letters.find(wanted) if wanted else -1
    return None if start < 0 else (places[start], places[start + len(wanted) - 1] + 1)


def widen(text: str, span: Span) -> Span:
    """`span` widened to the whole sentences that it touches, a list marker before them left out.

    A span of whole sentences can be found again by its digest.
    """
    touched = [sentence for sentence in split_sentences(text) if sentence.start < span[1] and span[0] < sentence.end]
    if not touched:
        return span
    return touched[0].start, touched[-1].end


def locate_quote(section: Section, quote: Quote) -> Span | None:
    """Where the words of `quote` stand in `section` now: its span, or else the run of sentences with its digest."""
    if quote.span is None:
        return None
    if quote_digest(section.text[slice(*quote.span)]) == quote.digest:
        return quote.span
    sentences = split_sentences(section.text)
    for first, start in enumerate(sentences):
        for last in sentences[first : first + MAX_RUN]:
            if quote_digest(section.text[start.start : last.end]) == quote.digest:
                return start.start, last.end
    return None


def quote_digest(text: str) -> Digest:
    """The digest of the words of a published text, line breaks, indents and bars aside."""
    return digest_words(plain(text))


def _squeeze(text: str) -> tuple[str, list[int]]:
    """The letters of `text` without white space and bars, typographic quotes made plain, and the place of each."""
    places = [place for place, letter in enumerate(text) if not letter.isspace() and letter != "|"]
    return "".join(text[place] for place in places).translate(PLAIN_QUOTES), places
