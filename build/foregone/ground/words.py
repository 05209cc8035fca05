"""The words that the rules compare: content words as stems, and literals that must stand exactly."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from foregone.corpus.section import Section, Span, document_label
from foregone.corpus.sentences import Sentence, split_sentences
from foregone.index.bm25 import stems_of

TOKEN = re.compile(r"[A-Za-z0-9]+(?:[-_'.][A-Za-z0-9]+)*")
QUOTED = re.compile(r"\"([^\"\s][^\"]{0,80})\"|`([^`]{1,80})`")
SENTENCE_START = re.compile(r"(?:^|[.!?:]\s+)[\"'(]*$")
FUNCTION_WORDS = frozenset(
    [
        "about",
        "above",
        "after",
        "again",
        "all",
        "also",
        "although",
        "always",
        "an",
        "and",
        "any",
        "anything",
        "are",
        "as",
        "at",
        "be",
        "because",
        "been",
        "before",
        "being",
        "below",
        "between",
        "both",
        "but",
        "by",
        "can",
        "cannot",
        "could",
        "did",
        "do",
        "does",
        "doing",
        "done",
        "down",
        "each",
        "either",
        "else",
        "even",
        "ever",
        "every",
        "few",
        "for",
        "from",
        "further",
        "get",
        "gets",
        "give",
        "given",
        "gives",
        "had",
        "has",
        "have",
        "having",
        "he",
        "her",
        "here",
        "his",
        "how",
        "however",
        "if",
        "in",
        "instead",
        "into",
        "is",
        "it",
        "its",
        "itself",
        "just",
        "kept",
        "keep",
        "let",
        "like",
        "made",
        "make",
        "makes",
        "many",
        "may",
        "might",
        "more",
        "most",
        "much",
        "must",
        "need",
        "neither",
        "never",
        "no",
        "nor",
        "not",
        "nothing",
        "of",
        "off",
        "on",
        "once",
        "one",
        "only",
        "onto",
        "or",
        "other",
        "otherwise",
        "our",
        "out",
        "over",
        "own",
        "per",
        "rather",
        "same",
        "shall",
        "she",
        "should",
        "since",
        "so",
        "some",
        "such",
        "take",
        "taken",
        "than",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "therefore",
        "these",
        "they",
        "this",
        "those",
        "though",
        "through",
        "thus",
        "to",
        "too",
        "under",
        "until",
        "unless",
        "up",
        "upon",
        "use",
        "used",
        "uses",
        "using",
        "very",
        "via",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "whether",
        "which",
        "while",
        "who",
        "whom",
        "whose",
        "why",
        "will",
        "with",
        "within",
        "without",
        "would",
        "yet",
        "you",
        "your",
    ]
)
REQUIREMENT_WORDS = frozenset({"MUST", "SHALL", "SHOULD", "MAY", "NOT", "REQUIRED", "RECOMMENDED", "OPTIONAL"})
"""BCP 14 (RFC 2119, RFC 8174): capitals of strength, not names."""
NUMBER_WORDS = {
    word: str(value)
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905 - reads as a row
    )
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
    """The words of a section, its heading and the name of its document counted."""
    whole = f"{section.heading}\n{section.text}"
    found = TOKEN.findall(whole)
    tokens = {part.lower() for token in found for part in (token, *re.split(r"[-_']", token))}
    sentences = split_sentences(section.text)
    lowered = " ".join(word for word in whole.lower().split() if word != "|")
    return SectionWords(
        stems=frozenset(content_stems(whole)),
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
    words = [word for word in re.findall(r"[a-z0-9]{2,}", text.lower()) if word not in FUNCTION_WORDS]
    return list(dict.fromkeys(stems_of(" ".join(words), "english")))


def literals_of(text: str, names: Collection[str], own: Section | None) -> tuple[Literal, ...]:
    """Numbers, tokens with capitals inside or hyphens, capitalised names and quoted strings of a claim.

    `names` are corpus-wide names that say nothing (HTTP, URI). What names the claim's own section or document (`own`)
    is left out: a claim must not fail for saying where it stands.
    """
    exempt = {name.lower() for name in names} | _own_names(own)
    found = [Literal(match[1] or match[2], match.span()) for match in QUOTED.finditer(text)]
    for match in TOKEN.finditer(text):
        inside = any(literal.span[0] <= match.start() and match.end() <= literal.span[1] for literal in found)
        name = match[0].removesuffix("'s")
        if not inside and _is_literal(text, match) and not _is_exempt(name, exempt):
            found.append(Literal(name, (match.start(), match.start() + len(name))))
    return tuple(sorted(found, key=lambda literal: literal.span))


def squeeze(text: str) -> str:
    """`text` without white space and hyphens.

    >>> squeeze("freshness-life time")
    'freshnesslifetime'
    """
    return re.sub(r"[\s\-]+", "", text)


def _own_names(own: Section | None) -> set[str]:
    if own is None:
        return set()
    label = document_label(own.document)
    parts = own.number.split(".")
    around = {".".join(parts[:depth]) for depth in range(1, len(parts) + 1)}
    return {own.document, "section", "appendix", *label.lower().split(), *(number.lower() for number in around)}


def _is_exempt(token: str, exempt: Collection[str]) -> bool:
    return token.lower() in exempt or all(part.lower() in exempt for part in re.split(r"[-'.]", token))


def _is_literal(text: str, match: re.Match[str]) -> bool:
    token = match[0]
    if any(letter.isdigit() for letter in token) or "-" in token or "_" in token:
        return True
    if token in REQUIREMENT_WORDS or not any(letter.isupper() for letter in token):
        return False
    return any(letter.isupper() for letter in token[1:]) or not SENTENCE_START.search(text[: match.start()])
