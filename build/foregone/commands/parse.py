"""`foregone corpus parse FOLDER`: whether a parser takes texts that are not pinned yet."""

import gzip
import zlib
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from foregone.commands.output import say
from foregone.corpus.rfc import parse_rfc
from foregone.corpus.section import slice_source
from foregone.errors import Misused, Refused
from foregone.files import decode_utf8, read_bytes
from foregone.progress import Progress


@dataclass(frozen=True, slots=True)
class Parsed:
    """What the parser made of one text."""

    name: str
    sections: int
    with_text: int
    repeated: int
    """Sections whose number stood before and got a suffix."""
    torn: int
    """Sections whose text does not slice back out of the bytes."""


def parse(arguments: Namespace) -> int:
    """Parse every .txt and .txt.gz below a folder and print what came out.

    1 where a text is refused or does not slice back.
    """
    paths = sorted({path.resolve() for pattern in ("*.txt", "*.txt.gz") for path in arguments.folder.rglob(pattern)})
    if not paths:
        raise Misused("no-texts", f"{arguments.folder} holds no .txt or .txt.gz", mend="name a folder of RFC texts")
    refused, parsed = 0, []
    with Progress("parsing") as progress:
        for done, path in enumerate(paths, start=1):
            try:
                parsed.append(_parse(path))
            except Refused as error:
                refused += 1
                say(error.diagnostics())
            progress.reach(done, len(paths))
    for line in _summary(parsed, refused):
        say(line)
    return 1 if refused or any(one.torn for one in parsed) else 0


def _parse(path: Path) -> Parsed:
    content = read_bytes(path, mend="make it a readable file")
    if path.suffix == ".gz":
        content = _unpack(content, path)
    decode_utf8(content, path)
    sections = parse_rfc(path.name.partition(".")[0], content)
    return Parsed(
        name=path.name,
        sections=len(sections),
        with_text=sum(section.text != "" for section in sections),
        repeated=sum("-" in section.number for section in sections),
        torn=sum(slice_source(section, content, (0, len(section.text))) != section.text for section in sections),
    )


def _unpack(content: bytes, path: Path) -> bytes:
    try:
        return gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        raise Refused(
            "bad-gzip",
            f"{path} cannot be unpacked",
            where=str(path),
            why=(str(error),),
            mend="bring the file again: it is cut off or damaged",
        ) from error


def _summary(parsed: list[Parsed], refused: int) -> Iterator[str]:
    yield f"{len(parsed)} texts parsed, {refused} refused"
    sections, texts = sum(one.sections for one in parsed), sum(one.with_text for one in parsed)
    yield f"{sections:,} sections, {texts:,} with text, {sum(one.torn for one in parsed)} that do not slice back"
    yield f"{sum(one.sections < 3 for one in parsed)} texts with under 3 sections"
    yield f"{sum(one.repeated > 0 for one in parsed)} texts with repeated section numbers"
