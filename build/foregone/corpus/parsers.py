"""The parsers by name, as the manifest calls them; one contract: document id and bytes -> sections."""

from collections.abc import Callable, Mapping

from foregone.corpus.markdown import parse_markdown
from foregone.corpus.plain_text import parse_plain_text
from foregone.corpus.rfc import parse_rfc
from foregone.corpus.section import Section

Parser = Callable[[str, bytes], tuple[Section, ...]]
"""Never raises on UTF-8 text; ids are unique in the document; every text slices back out of the bytes."""

ANCHORED = frozenset({"markdown"})
"""Those whose section numbers are anchors already."""
PARSER_VERSION = 1
"""Counted up when a parser gives other sections for the same bytes; answers and drafts record it."""
PARSERS: Mapping[str, Parser] = {"markdown": parse_markdown, "rfc": parse_rfc, "text": parse_plain_text}
