"""Lines of a source and where they stand; a section's lines become its published text and the map back to the bytes."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from foregone.corpus.section import Run

HYPHEN_AT_END = re.compile(r"[A-Za-z0-9]-")
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a source, without its line end."""

    text: str
    byte_start: int
    """Bytes from the start of the file."""

    @property
    def byte_end(self) -> int:
        """Bytes from the start of the file, the line end not counted."""
        return self.byte_start + len(self.text.encode())


def split_lines(source: bytes) -> tuple[Line, ...]:
    """The lines of a UTF-8 source with their places; a byte order mark is passed over but counted."""
    lines: list[Line] = []
    start = len(BYTE_ORDER_MARK) if source.startswith(BYTE_ORDER_MARK) else 0
    for raw in re.findall(rb"[^\n]*\n|[^\n]+$", source[start:]):
        lines.append(Line(raw.rstrip(b"\r\n").decode(), start))
        start += len(raw)
    return tuple(lines)


def publish_lines(body: tuple[Line, ...], *, join_hyphens: bool) -> tuple[str, tuple[Run, ...]]:
    """The published text of the body and its map: a run a line, the indent that all share left out.

    Blank lines at either end go, and of several in a row one stays. With `join_hyphens`, a word that is broken behind a
    hyphen at a line end is whole again, the hyphen kept.
    """
    cut = _common_indent(line.text for line in body)
    parts: list[str] = []
    runs: list[Run] = []
    length, last = 0, ""
    for line in _trimmed(body):
        content = line.text.rstrip()
        start = min(cut, len(content))
        if join_hyphens and HYPHEN_AT_END.fullmatch(last) and re.match(r"[A-Za-z0-9]", content[start:].lstrip()):
            start += len(content[start:]) - len(content[start:].lstrip())
        elif parts:
            parts.append("\n")
            length += 1
        if content[start:]:
            runs.append(Run(length, line.byte_start + len(content[:start].encode()), len(content) - start))
        parts.append(content[start:])
        length += len(content) - start
        last = content[start:][-2:]
    return "".join(parts), tuple(runs)


def _common_indent(texts: Iterable[str]) -> int:
    return min((len(text) - len(text.lstrip()) for text in texts if text.strip()), default=0)


def _trimmed(body: tuple[Line, ...]) -> list[Line]:
    kept: list[Line] = []
    for line in body:
        if line.text.strip() or (kept and kept[-1].text.strip()):
            kept.append(line)
    while kept and not kept[-1].text.strip():
        kept.pop()
    return kept
