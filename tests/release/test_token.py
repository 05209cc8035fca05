"""No input holds the release token, however it came into what was read: pages are stamped by replacing it."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from foregone.errors import Refused
from foregone.pipeline import answer_questions
from foregone.project import load_project
from foregone.workers import Workers
from tiny_corpus import edit, run, unseen


def pin_markdown(root: Path, text: str) -> None:
    """Put a Markdown text in the place of `cups`."""
    manifest = root / "corpus/manifest.yaml"
    before = (root / "corpus/sources/cups.txt").read_bytes()
    after = text.encode()
    (root / "corpus/sources/cups.txt").write_bytes(after)
    edit(manifest, f"bytes: {len(before)}\n", f"bytes: {len(after)}\n")
    edit(manifest, hashlib.sha256(before).hexdigest(), hashlib.sha256(after).hexdigest())
    edit(manifest, "The cups\n    parser: rfc", "The cups\n    parser: markdown")
    run("index", "build", "--project", str(root))


def answer(root: Path, report: Callable[[str], None] = unseen) -> None:
    answer_questions(load_project(root), lambda: 0.0, Workers(1, lambda _: None), report)


@pytest.mark.parametrize(
    ("text", "section"),
    [
        ("# A 0release**0**id0 cup\n\nIt holds tea.\n", "cups#a-0release0id0-cup"),
        ("# 0Re.lease0id0\n\nIt holds tea.\n", "cups#0release0id0"),
        ("# 0rele*ase0id0*\n\n## Cup\n\nIt holds tea.\n", "cups#0release0id0"),
        ("# Cup\n\nIt holds 0release0id0.\n", "cups#cup"),
    ],
    ids=["split by markup", "anchor", "trail", "text"],
)
def test_a_section_that_holds_the_token_is_named(project: Path, text: str, section: str) -> None:
    pin_markdown(project, text)

    with pytest.raises(Refused) as refused:
        answer(project)
    assert str(refused.value) == (
        f"error[release-token]: section {section} holds the text 0release0id0\n"
        f"  --> {project}/corpus/sources/cups.txt\n"
        "  pages hold it in the place of their release's id, so no input may\n"
        "  mend: write it in another way"
    )


def test_a_document_that_holds_the_token_is_named(project: Path) -> None:
    edit(project / "corpus/manifest.yaml", "kitchen.example/cups.txt", "kitchen.example/0release0id0.txt")

    with pytest.raises(Refused) as refused:
        answer(project)
    assert str(refused.value).splitlines()[:2] == [
        "error[release-token]: document cups holds the text 0release0id0",
        f"  --> {project}/corpus/manifest.yaml",
    ]


def test_a_comment_that_holds_the_token_reaches_no_page_and_is_not_refused(project: Path) -> None:
    edit(project / "foregone.yaml", "kept_releases: 2", "kept_releases: 2  # not 0release0id0")

    answer(project)


def test_a_source_that_is_damaged_after_it_was_read_is_not_read_again(project: Path) -> None:
    def damage(step: str) -> None:
        if step == "ranking passages":
            (project / "corpus/sources/cups.txt").write_bytes(b"\xff 0release0id0")

    answer(project, damage)
