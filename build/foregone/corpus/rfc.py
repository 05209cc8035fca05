"""Parser for RFC plain text, paginated or not (RFC 2223, RFC 7322): document bytes become sections."""

import re
from dataclasses import dataclass, replace

from foregone.corpus.lines import Line, publish_lines, split_lines
from foregone.corpus.pages import remove_page_breaks
from foregone.corpus.section import Section
from foregone.corpus.sentences import has_sentences

NUMBERED = re.compile(r"(\d{1,3}(?:\.\d{1,3})*)\.?\s+(\S.*)")
APPENDIX = re.compile(r"Appendix ([A-Z])(?:[.:]|\s-+)?(?:\s+(\S.*))?", re.IGNORECASE)
APPENDIX_PART = re.compile(r"([A-Z](?:\.\d{1,3})+)\.?\s+(\S.*)")
UNNUMBERED = re.compile(
    r"(abstract|status of this memo|copyright|table of contents|index$|acknowledge?ments?|authors?'?s?'? address"
    r"|contributors|full copyright|intellectual property|editors?'?s?'? address|disclaimer)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Draft:
    """A section while its lines are gathered."""

    number: str
    title: str
    heading: Line
    body: tuple[Line, ...]


def parse_rfc(document: str, source: bytes) -> tuple[Section, ...]:
    """The numbered sections and appendices of `source` in order of appearance; a repeated number gets `-2`, `-3`, ...

    Abstract, boilerplate, contents, index and addresses are left out. Any UTF-8 text is parsed without an error; text
    that holds no heading has no sections.
    """
    drafts = _with_unique_numbers(_gather(remove_page_breaks(split_lines(source))))
    titles = {draft.number: draft.title for draft in drafts}
    return tuple(_section(document, draft, titles) for draft in drafts)


def _gather(lines: tuple[Line, ...]) -> list[_Draft]:
    """The sections between one heading and the next; what stands under an unnumbered title is dropped."""
    found = [(place, heading) for place, heading in enumerate(_headings(lines)) if heading is not None]
    ends = [*(place for place, _ in found[1:]), len(lines)]
    return [
        _with_wrapped_title(number, title, lines[place], lines[place + 1 : end])
        for (place, (number, title)), end in zip(found, ends, strict=False)
        if number
    ]


def _headings(lines: tuple[Line, ...]) -> list[tuple[str, str] | None]:
    blank_before = [True, *(not line.text.strip() for line in lines)]
    return [_heading(line.text, after_blank=blank) for line, blank in zip(lines, blank_before, strict=False)]


def _heading(text: str, *, after_blank: bool) -> tuple[str, str] | None:
    """Number and title of a heading line, ('', '') for one that ends the section before it, None for other lines."""
    if not after_blank or not text or text[0].isspace():
        return None
    if UNNUMBERED.match(text):
        return "", ""
    if appendix := APPENDIX.fullmatch(text):
        return appendix[1].upper(), _title(appendix[2] or "")
    numbered = NUMBERED.fullmatch(text) or APPENDIX_PART.fullmatch(text)
    return (numbered[1], _title(numbered[2])) if numbered else None


def _title(text: str) -> str:
    return " ".join(text.split())


def _with_wrapped_title(number: str, title: str, heading: Line, body: tuple[Line, ...]) -> _Draft:
    """The section, its title completed by the lines that follow the heading without a blank between."""
    taken = 0
    while taken < len(body) and taken < 2 and re.match(r" {4,}\S", body[taken].text) and title:
        taken += 1
    if taken < len(body) and body[taken].text.strip():
        taken = 0
    return _Draft(number, _title(" ".join((title, *(line.text for line in body[:taken])))), heading, body[taken:])


def _with_unique_numbers(drafts: list[_Draft]) -> list[_Draft]:
    unique: list[_Draft] = []
    taken: set[str] = set()
    for draft in drafts:
        number, again = draft.number, 1
        while number in taken:
            again += 1
            number = f"{draft.number}-{again}"
        taken.add(number)
        unique.append(replace(draft, number=number))
    return unique


def _section(document: str, draft: _Draft, titles: dict[str, str]) -> Section:
    text, runs = publish_lines(draft.body, join_hyphens=True)
    last = next((line for line in reversed(draft.body) if line.text.strip()), draft.heading)
    return Section(
        id=f"{document}#{draft.number}",
        document=document,
        number=draft.number,
        title=draft.title,
        trail=_trail(draft.number, titles),
        text=text,
        runs=runs,
        span=(draft.heading.byte_start, last.byte_end),
        has_sentences=has_sentences(draft.title, text),
    )


def _trail(number: str, titles: dict[str, str]) -> tuple[str, ...]:
    parts = number.split(".")
    around = (".".join(parts[:depth]) for depth in range(1, len(parts)))
    return tuple(f"{outer} {titles[outer]}".rstrip() for outer in around if outer in titles)
