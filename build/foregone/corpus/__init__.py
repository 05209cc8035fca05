"""Stage 1: pinned documents become sections and chunks.

Takes the manifest and the fetched files; gives the parsed corpus: documents, sections, their published text, the map
from that text to the bytes of the pinned file, sentences and chunks. A file that does not match its pin is refused
before anything reads it. Never changes a source, never ranks anything.
"""
