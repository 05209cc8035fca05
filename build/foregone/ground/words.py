"""The words that the rules compare: content words as stems, and literals that must stand exactly."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from foregone.corpus.section import Section, Span, document_label
from foregone.corpus.sentences import Sentence, split_sentences
from foregone.ground.function_words import FUNCTION_WORDS
from foregone.index.bm25 import stems_of

TOKEN = re.compile(r"[A-Za-z0-9]+(?:[-_'.][A-Za-z0-9]+)*")
QUOTED = re.compile(r"\"([^\"\s][^\"]{0,80})\"|`([^`]{1,80})`")
SENTENCE_START = re.compile(r"(?:^|[.!?:]\s+)[\"'(]*$")
REQUIREMENT_WORDS = frozenset({"MUST", "SHALL", "SHOULD", "MAY", "NOT", "REQUIRED", "RECOMMENDED", "OPTIONAL"})
"""BCP 14 (RFC 2119, RFC 8174): capitals of strength, not names."""
PLACE_WORDS = frozenset({"section", "sections", "appendix"})
"""Capitalised or not, they say where something stands."""
NUMBER_WORDS = {
    word: str(value)
    for value, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}


@dataclass(frozen=True, slots=True)
class Literal:
    """A part of a claim that has to stand in its section as it is."""

    text: str
    span: Span
    """Code points of the claim's text."""


@dataclass(frozen=True, slots=True)
class SectionWords:
    """A section, tokenised once for all claims that cite it."""

    stems: frozenset[str]
    """Content stems of heading and text."""
    tokens: frozenset[str]
    """Lower-case tokens of heading and text, hyphenated ones whole and in parts (1.5 holds no 5); number words also as
    digits."""
    lowered: str
    """Heading and text in lower case on one line."""
    sentences: tuple[Sentence, ...]
    sentence_stems: tuple[frozenset[str], ...]
    n_tokens: int


def read_section(section: Section) -> SectionWords:
    """The words of a section, its title counted, the name of its document for coverage alone.

    Its number is not counted, or a section 9 would support every claim that holds a 9.
    """
    whole = f"{section.title}\n{section.text}"
    found = TOKEN.findall(whole)
    tokens = {part.lower() for token in found for part in (token, *re.split(r"[-_']", token))}
    sentences = split_sentences(section.text)
    lowered = " ".join(word for word in whole.lower().split() if word != "|")
    return SectionWords(
        stems=frozenset(content_stems(f"{document_label(section.document)} {whole}")),
        tokens=frozenset(tokens | {NUMBER_WORDS[token] for token in tokens if token in NUMBER_WORDS}),
        lowered=lowered,
        sentences=sentences,
        sentence_stems=tuple(
            frozenset(content_stems(section.text[sentence.start : sentence.end])) for sentence in sentences
        ),
        n_tokens=len(found),
    )


def content_stems(text: str) -> list[str]:
    """Stems of the words of `text` that carry content, in order, each once."""
    return list(content_words(text))


def content_words(text: str) -> dict[str, str]:
    """Stem -> the first word of `text` that has it, for the words that carry content, in order.

    >>> content_words("A kettle whistles; kettles whistle.")
    {'kettl': 'kettle', 'whistl': 'whistles'}
    """
    words = [word for word in re.findall(r"[a-z0-9]{2,}", text.lower()) if word not in FUNCTION_WORDS]
    first: dict[str, str] = {}
    for stem, word in zip(stems_of(" ".join(words), "english"), words, strict=True):
        first.setdefault(stem, word)
    return first


def literals_of(text: str, names: Collection[str], own: Section | None) -> tuple[Literal, ...]:
    """Numbers, tokens with capitals inside or hyphens, capitalised names and quoted strings of a claim.

    `names` are corpus-wide names that say nothing (HTTP, URI). What names the claim's own section or document (`own`)
    is left out: a claim must not fail for saying where it stands.
    """
    exempt = {name.lower() for name in names} | PLACE_WORDS
    masked = own_reference(own).sub(lambda match: " " * len(match[0]), text) if own else text
    found = [Literal(match[1] or match[2], match.span()) for match in QUOTED.finditer(masked)]
    for match in TOKEN.finditer(masked):
        inside = any(literal.span[0] <= match.start() and match.end() <= literal.span[1] for literal in found)
        name = match[0].removesuffix("'s")
        if not inside and _is_literal(masked, match) and not _is_exempt(name, exempt):
            found.append(Literal(name, (match.start(), match.start() + len(name))))
    return tuple(sorted(found, key=lambda literal: literal.span))


def own_reference(section: Section) -> re.Pattern[str]:
    """Matches what names the section itself or what it lies in: its document, and its number behind the word for it.

    A number that stands alone is none: a claim that says 9 of something asks for a 9, in section 9 too.
    """
    label = document_label(section.document)
    parts = section.number.split(".")
    around = "|".join(re.escape(".".join(parts[:depth])) for depth in range(len(parts), 0, -1))
    documents = "|".join(re.escape(name) for name in (label, section.document)).replace(r"\ ", r"[\s-]?")
    place = rf"(?:\b(?:sections?|appendix)\s+|§\s*)(?:{around})(?![\w]|\.\w)"
    return re.compile(rf"\b(?:{documents})(?:'s)?\b|{place}", re.IGNORECASE)


def squeeze(text: str) -> str:
    """`text` without white space and hyphens.

    >>> squeeze("freshness-life time")
    'freshnesslifetime'
    """
    return re.sub(r"[\s\-]+", "", text)


def _is_exempt(token: str, exempt: Collection[str]) -> bool:
    return token.lower() in exempt or all(part.lower() in exempt for part in re.split(r"[-'.]", token))


def _is_literal(text: str, match: re.Match[str]) -> bool:
    token = match[0]
    if any(letter.isdigit() for letter in token) or "-" in token or "_" in token:
        return True
    if token in REQUIREMENT_WORDS or not any(letter.isupper() for letter in token):
        return False
    return any(letter.isupper() for letter in token[1:]) or not SENTENCE_START.search(text[: match.start()])
