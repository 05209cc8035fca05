"""The corpus is every pinned document cut into sections, or it is refused."""

from dataclasses import replace
from pathlib import Path

import pytest

from foregone.corpus.corpus import MAX_SECTIONS, Corpus, digest_sections, load_corpus, make_corpus
from foregone.corpus.manifest import Manifest
from foregone.corpus.section import Section
from foregone.digest import digest_bytes
from foregone.errors import Refused
from tiny_corpus import TEXTS, edit, manifest, write_sources

TEA = Section("tea#1", "tea", "1", "Tea", (), "Hot.", (), (0, 20), has_sentences=False)


def write_corpus(root: Path, texts: dict[str, str]) -> Path:
    """A corpus of these texts alone; returns the path of its manifest."""
    (root / "sources").mkdir()
    (root / "manifest.yaml").write_text(manifest(texts), encoding="utf-8")
    for document, text in texts.items():
        (root / f"sources/{document}.txt").write_bytes(text.encode())
    return root / "manifest.yaml"


@pytest.fixture
def kitchen(tmp_path: Path) -> Corpus:
    write_sources(tmp_path)
    return load_corpus(tmp_path / "corpus/manifest.yaml")


def test_sections_come_by_document_and_then_in_order_of_appearance(kitchen: Corpus) -> None:
    assert [section.id for section in kitchen.sections] == [
        "cups#1",
        "cups#1.1",
        "cups#1.2",
        "cups#A",
        "kettle#1",
        "kettle#2",
        "teapot#1",
        "teapot#1.1",
    ]


def test_headings_alone_are_kept_and_not_indexed(kitchen: Corpus) -> None:
    assert [section.id for section in kitchen.sections if section not in kitchen.indexed] == ["cups#1"]


def test_sections_and_documents_are_found_by_id(kitchen: Corpus) -> None:
    assert (kitchen.by_id["kettle#2"].title, kitchen.document("kettle").title) == ("Whistling", "The kettle")


def test_the_sources_are_the_pinned_bytes(kitchen: Corpus) -> None:
    assert kitchen.sources == {document: text.encode() for document, text in TEXTS.items()}


def test_the_fingerprint_is_that_of_the_manifest(kitchen: Corpus) -> None:
    assert kitchen.fingerprint == kitchen.manifest.fingerprint


def test_a_flipped_byte_is_refused_before_anything_is_parsed(tmp_path: Path) -> None:
    path = write_corpus(tmp_path, {"tea": "1.  Tea\n\n   Hot.\n"})
    (tmp_path / "sources/tea.txt").write_bytes(b"1.  Tea\n\n   Hat.\n")

    with pytest.raises(Refused) as refused:
        load_corpus(path)
    assert str(refused.value) == (
        f"error[pin-mismatch]: {tmp_path}/sources/tea.txt does not match its pin\n"
        f"  --> {path}:12\n"
        "  expected sha256:e3348dcf841f441f7a77ff74dfe1d7f11fb14fe321fafc453216a4ab079c1ec1  (17 bytes)\n"
        "  found    sha256:52b1f2dd497379e28cba7c7190d72846c9e294f2cfec6a38f500b5e44e16d4eb  (17 bytes)\n"
        "  mend: delete the file and run `foregone corpus fetch`, or review the change and pin it in the manifest"
    )


def test_a_pinned_document_that_is_not_utf8_is_refused_with_line_and_byte(tmp_path: Path) -> None:
    latin = b"\xef\xbb\xbf1.  Tea\n\n   Th\xe9\n"
    path = write_corpus(tmp_path, {"tea": ""})
    (tmp_path / "sources/tea.txt").write_bytes(latin)
    edit(path, "bytes: 0", f"bytes: {len(latin)}")
    edit(path, digest_bytes(b"")[7:], digest_bytes(latin)[7:])

    with pytest.raises(Refused) as refused:
        load_corpus(path)
    assert str(refused.value) == (
        f"error[not-utf8]: {tmp_path}/sources/tea.txt is not UTF-8 text\n"
        f"  --> {tmp_path}/sources/tea.txt:3\n"
        "  byte 17 is 0xe9: invalid continuation byte\n"
        "  mend: save the file as UTF-8"
    )


def test_a_corpus_without_text_is_refused(tmp_path: Path) -> None:
    path = write_corpus(tmp_path, {"cup": "1.  Cup\n", "tea": "1.  Tea\n\nAbstract\n\n   Hot.\n"})

    with pytest.raises(Refused) as refused:
        load_corpus(path)
    assert str(refused.value) == (
        "error[empty-corpus]: the corpus has no section with text\n"
        f"  --> {path}\n"
        "  2 headings in 2 documents\n"
        "  mend: pin documents that the chosen parser can cut into sections"
    )


def test_a_corpus_of_too_many_sections_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        make_corpus(Manifest(Path("corpus/manifest.yaml"), "", "", ()), (TEA,) * (MAX_SECTIONS + 1), {})

    assert str(refused.value) == (
        "error[too-many-sections]: the corpus has 1,000,001 sections\n"
        "  --> corpus/manifest.yaml\n"
        "  at most 1,000,000 are read\n"
        "  mend: pin fewer documents"
    )


@pytest.mark.parametrize(
    "other",
    [
        (),
        (TEA, TEA),
        (replace(TEA, id="tea#2"),),
        (replace(TEA, title="Cups"),),
        (replace(TEA, text="Hot!"),),
        (replace(TEA, span=(0, 21)),),
        (replace(TEA, has_sentences=True),),
    ],
    ids=["none", "two", "id", "title", "text", "span", "flag"],
)
def test_the_digest_of_the_sections_moves_with_everything_in_them(other: tuple[Section, ...]) -> None:
    assert digest_sections(other) != digest_sections((TEA,))
