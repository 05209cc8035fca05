"""Every parser keeps one contract: it never raises, ids are unique and stable, and texts slice back."""

import random
from pathlib import Path

import pytest

from foregone.corpus.manifest import load_manifest
from foregone.corpus.parsers import ANCHORED, PARSERS, Parser
from foregone.corpus.section import slice_source
from tiny_corpus import TEXTS, edit, write_sources

LETTERS = "1.A \n\r\t\f#-=`>|*[]:é\u2028\U0001f375\ufeff\x00"
REPEATED = {
    "markdown": ("# Tea\n\nHot.\n\n# Tea\n\nCold.\n\n# Tea\n", ["d#tea", "d#tea-1", "d#tea-2"]),
    "rfc": ("1.  Tea\n\n   Hot.\n\n1.  Tea\n\n   Cold.\n\n1.  Tea\n", ["d#1", "d#1-2", "d#1-3"]),
    "text": ("\n\n".join(["tea " * 300] * 3), ["d#1", "d#2", "d#3"]),
}


def test_the_parsers_are_these() -> None:
    assert (sorted(PARSERS), sorted(ANCHORED), sorted(REPEATED)) == (
        ["markdown", "rfc", "text"],
        ["markdown"],
        sorted(PARSERS),
    )


@pytest.mark.parametrize("name", PARSERS)
def test_a_section_that_comes_again_gets_a_suffix_that_later_ones_do_not_change(name: str) -> None:
    text, ids = REPEATED[name]
    cut = text[: text.rindex("\n\n", 0, -2)]

    assert [section.id for section in PARSERS[name]("d", text.encode())] == ids
    assert [section.id for section in PARSERS[name]("d", cut.encode())] == ids[:-1]


@pytest.mark.parametrize("parser", PARSERS.values(), ids=PARSERS)
def test_any_text_is_parsed_and_slices_back_under_ids_that_are_unique(parser: Parser) -> None:
    chance = random.Random(822)
    for _ in range(200):
        source = "".join(chance.choice(LETTERS) for _ in range(200)).encode()
        sections = parser("d", source)

        assert len({section.id for section in sections}) == len(sections)
        assert [slice_source(one, source, (0, len(one.text))) for one in sections] == [one.text for one in sections]


@pytest.mark.parametrize("parser", PARSERS.values(), ids=PARSERS)
@pytest.mark.parametrize("text", [*TEXTS.values(), "", "\ufeff", "\n", "tea"])
def test_a_section_lies_within_its_document(parser: Parser, text: str) -> None:
    source = text.encode()

    for section in parser("d", source):
        assert 0 <= section.span[0] < section.span[1] <= len(source)


@pytest.mark.parametrize("name", PARSERS)
def test_a_manifest_chooses_the_parser_by_name(tmp_path: Path, name: str) -> None:
    write_sources(tmp_path)
    path = tmp_path / "corpus/manifest.yaml"
    edit(path, "The cups\n    parser: rfc", f"The cups\n    parser: {name}")

    assert [document.parser for document in load_manifest(path).documents] == [name, "rfc", "rfc"]
