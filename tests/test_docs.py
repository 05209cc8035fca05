"""Every example in docs/inputs.md is read by the loader that it is for."""

import re
import textwrap
from pathlib import Path

import pytest

from foregone.budget import DraftingPrice, Prices
from foregone.corpus.manifest import load_manifest
from foregone.corpus.parsers import PARSERS
from foregone.retrieve.questions import load_questions
from foregone.settings import load_settings
from foregone.thresholds import load_thresholds
from tiny_corpus import THRESHOLDS

ROOT = Path(__file__).parents[1]
DOCS = (ROOT / "docs/inputs.md").read_text("utf-8")
EXAMPLES = re.findall(r"```yaml\n(.*?)```", DOCS, re.DOTALL)
SITE = "site: {title: t, url: https://a.example/}\nrules: {min_coverage: 2/3}\nkept_releases: 1\nretrieval:\n"
BM25 = textwrap.indent(next(example for example in EXAMPLES if example.startswith("legs:")), "  ")


def example(start: str, tmp_path: Path, before: str = "", indent: str = "") -> Path:
    """A file with the one example that begins with `start`."""
    (found,) = [text for text in EXAMPLES if text.startswith(start)]
    path = tmp_path / "example.yaml"
    path.write_text(before + textwrap.indent(found, indent), encoding="utf-8")
    return path


def test_the_manifest_is_read(tmp_path: Path) -> None:
    manifest = load_manifest(example("format: 1\ntitle", tmp_path))

    assert [(document.id, document.parser) for document in manifest.documents] == [("kettle", "markdown")]


def test_the_questions_are_read(tmp_path: Path) -> None:
    questions = load_questions(example("format: 1\nquestions", tmp_path), {"kettle#boiling"})

    assert [question.id for question in questions.questions] == ["boil-empty", "colour"]


def test_the_budget_is_read(tmp_path: Path) -> None:
    thresholds = load_thresholds(example("request_deadline_ms", tmp_path, "budget:\n", "  "))

    assert thresholds.budget.prices == Prices(
        "2026-12-01", {"text-embedding-3-small": 0.02}, DraftingPrice("tea-writer", 0.8, 4.0)
    )


def test_the_floors_are_read(tmp_path: Path) -> None:
    thresholds = load_thresholds(example("measured_on", tmp_path, THRESHOLDS))

    assert thresholds.retrieval is not None
    assert thresholds.retrieval.max_rank == {"boil-empty": 3}


def test_every_floor_is_described() -> None:
    (floors,) = [text for text in EXAMPLES if text.startswith("measured_on")]
    names = set(re.findall(r"^ *([a-z_0-9]+): ", floors, re.MULTILINE))

    assert {name for name in names if f"`{name}`" not in DOCS} == set()


def test_site_rules_and_kept_releases_are_read(tmp_path: Path) -> None:
    path = example("site:", tmp_path)
    with path.open("a", encoding="utf-8") as settings:
        settings.write(f"retrieval:\n{BM25}")

    read = load_settings(path)
    assert (read.title, read.url, str(read.rules.min_coverage), read.kept_releases) == (
        "Kitchen answers",
        "https://answers.example/",
        "2/3",
        3,
    )


def test_bm25_alone_is_read(tmp_path: Path) -> None:
    assert load_settings(example("legs: [bm25]", tmp_path, SITE, "  ")).retrieval.legs == ("bm25",)


@pytest.mark.parametrize("kind", ["all-MiniLM", "onnx", "openai"])
def test_each_embedder_is_read(tmp_path: Path, kind: str) -> None:
    before = SITE + BM25.replace("[bm25]", "[bm25, dense]")
    settings = load_settings(example(f"dense: {{embedder: {kind}", tmp_path, before, "  "))

    assert settings.retrieval.legs == ("bm25", "dense")


def test_every_parser_is_described() -> None:
    assert [name for name in PARSERS if f"| `{name}` |" not in DOCS] == []
