"""The tree of a release: which files there are, and what each of them may name."""

import json
from pathlib import Path
from typing import Any

from foregone.digest import address, digest_bytes
from foregone.pipeline import answer_questions, render_release
from foregone.project import load_project
from foregone.release.manifest import Release
from foregone.render.pages import RELEASE_TOKEN
from foregone.render.tree import SCHEMAS, schema_bytes
from foregone.workers import Workers
from tiny_corpus import edit


def test_the_tree_of_the_tiny_site(release: Release) -> None:
    assert [path for path in release.tree if not path.startswith(("assets/", "api/v1/schema/"))] == [
        "404.html",
        "api/v1/answers/colour.json",
        "api/v1/answers/lid.json",
        "api/v1/answers/variety.json",
        "api/v1/answers/whistle.json",
        "api/v1/questions.json",
        "api/v1/sections/cups/1.2.json",
        "api/v1/sections/kettle/1.json",
        "api/v1/sections/kettle/2.json",
        "api/v1/sections/teapot/1.1.json",
        "api/v1/sections/teapot/1.json",
        "index.html",
        "q/colour/index.html",
        "q/lid/index.html",
        "q/variety/index.html",
        "q/whistle/index.html",
        "s/cups/1.2/index.html",
        "s/kettle/1/index.html",
        "s/kettle/2/index.html",
        "s/teapot/1.1/index.html",
        "s/teapot/1/index.html",
    ]


def test_the_style_sheet_stands_under_its_content_address(release: Release) -> None:
    style = Path("site_templates/site.css").read_bytes()
    found = {path: file.content for path, file in release.tree.items() if path.startswith("assets/")}

    assert list(found.values()) == [style]
    assert list(found) == [f"assets/site.{address(digest_bytes(style))}.css"]


def test_pages_name_their_release_and_nothing_else_does(release: Release) -> None:
    token = RELEASE_TOKEN.encode()

    assert {path: (file.names_release, token in file.content) for path, file in release.tree.items()} == {
        path: (path.endswith(".html"), path.endswith(".html")) for path in release.tree
    }


def test_the_published_schemas_are_those_of_the_package(release: Release) -> None:
    published = {name: release.tree[f"api/v1/schema/{name}.schema.json"].content for name in SCHEMAS}

    assert published == {name: schema_bytes(name) for name in SCHEMAS}


def test_a_section_lists_the_answers_whose_kept_claims_cite_it(release: Release) -> None:
    assert _sections(release, "cited_by") == {
        "cups#1.2": [],
        "kettle#1": ["lid"],
        "kettle#2": ["whistle", "variety"],
        "teapot#1": [],
        "teapot#1.1": ["variety"],
    }


def test_every_passage_that_was_read_or_cited_has_a_page(release: Release) -> None:
    answers = [json.loads(file.content) for path, file in release.tree.items() if path.startswith("api/v1/answers/")]
    named = {one["section"] for answer in answers for one in (*answer["passages"], *answer["claims"])}

    pages = {path for path in release.tree if path.startswith("s/")}
    assert pages == {f"s/{section.replace('#', '/')}/index.html" for section in named}


def test_a_reworded_question_changes_its_own_answer_and_no_other(written: Path, project: Path) -> None:
    edit(project / "eval/questions.yaml", "Which colour should", "What colour should")

    before, after = _tree(written), _tree(project)

    changed = {path for path in after if before.get(path) != after[path]}
    assert changed == {
        "api/v1/answers/colour.json",
        "api/v1/questions.json",
        "index.html",
        "q/colour/index.html",
    }


def _tree(root: Path) -> dict[str, bytes]:
    project, workers = load_project(root), Workers(1, lambda _: None)
    answered = answer_questions(project, lambda: 0.0, workers, lambda _: None)
    release = render_release(project, answered, workers, lambda _: None)
    return {path: file.content for path, file in release.tree.items()}


def _sections(release: Release, key: str) -> dict[str, Any]:
    sections = (json.loads(file.content) for path, file in release.tree.items() if path.startswith("api/v1/sections/"))
    return {section["id"]: section[key] for section in sections}
