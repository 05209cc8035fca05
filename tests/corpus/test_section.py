"""A section's text is mapped to the bytes of its source, whatever was taken out between its lines."""

import pytest

from foregone.corpus.section import Run, Section, Span, byte_span, document_label, slice_source
from foregone.digest import digest_text

SOURCE = "\ufeff1. Tea\n\n   Zoë's pot is\n   pre-\n   warmed.\n".encode()
TEXT = "Zoë's pot is\npre-warmed."
RUNS = (Run(0, 14, 12), Run(13, 31, 4), Run(17, 39, 7))


def tea(document: str = "rfc7168", title: str = "Tea", number: str = "1") -> Section:
    return Section(
        id=f"{document}#{number}",
        document=document,
        number=number,
        title=title,
        trail=(),
        text=TEXT,
        runs=RUNS,
        span=(3, 46),
        has_sentences=True,
    )


@pytest.mark.parametrize(
    ("words", "span"),
    [
        (TEXT, (14, 46)),
        ("Zoë", (14, 18)),
        ("pot", (21, 24)),
        ("is\npre", (25, 34)),
        ("pre-warmed", (31, 45)),
        ("warmed", (39, 45)),
        ("\npre", (31, 34)),
    ],
)
def test_words_are_found_in_the_bytes_from_their_first_letter_to_their_last(words: str, span: Span) -> None:
    start = TEXT.index(words)

    assert byte_span(tea(), (start, start + len(words))) == span


def test_every_span_is_read_back_from_the_bytes() -> None:
    spans = [(start, end) for start in range(len(TEXT)) for end in range(start, len(TEXT) + 1)]

    assert [slice_source(tea(), SOURCE, span) for span in spans] == [TEXT[start:end] for start, end in spans]


def test_a_changed_byte_is_seen_in_what_is_read_back() -> None:
    assert slice_source(tea(), SOURCE.replace(b"pot", b"cup"), (0, 12)) == "Zoë's cup is"


@pytest.mark.parametrize(
    ("document", "label"), [("rfc9110", "RFC 9110"), ("rfc", "rfc"), ("rfc-index", "rfc-index"), ("kettle", "kettle")]
)
def test_a_document_is_called_by_its_number_where_it_is_an_rfc(document: str, label: str) -> None:
    assert document_label(document) == label


@pytest.mark.parametrize(("title", "heading"), [("Tea", "RFC 7168 §1 Tea"), ("", "RFC 7168 §1")])
def test_a_heading_is_document_number_and_title(title: str, heading: str) -> None:
    assert tea(title=title).heading == heading


def test_a_section_is_digested_by_its_published_text() -> None:
    assert tea(title="Cups").digest == digest_text(TEXT)


@pytest.mark.parametrize("number", ["1", "9.2.10", "A", "A.1", "1-2", "B.2-3"])
def test_a_number_stands_in_the_heading_behind_its_sign(number: str) -> None:
    assert tea("kettle", number=number).heading == f"kettle §{number} Tea"


@pytest.mark.parametrize("anchor", ["tea", "tea-1", "a", "zoës-tea", "1-tea", "a.1"])
def test_an_anchor_is_left_out_of_the_heading(anchor: str) -> None:
    assert tea("kettle", number=anchor).heading == "kettle Tea"
