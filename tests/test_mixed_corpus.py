"""Markdown and plain text go all the way beside an RFC: every page and every link of the site stands, in any script."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, unquote, urljoin, urlsplit
from urllib.request import urlopen

import jsonschema
import pytest

from foregone.release.serve import make_server
from foregone.render.tree import schema_bytes
from tiny_corpus import KETTLE, SETTINGS, THRESHOLDS, import_replies, run, unseen

GUIDE = """\
---
title: The tea guide
---
Tea is made of leaves and of hot water.

# Brewing हिन्दी चाय & more?

The chai simmers with milk for five minutes.

```sh
simmer --minutes 5

strain
```

## Zoë's pot

Zoë's pot of 1850 pours without a drip.

## Zoë's pot

The second pot of Zoë leaks at the lid.

## 2.0

Version two of the guide adds the saucer to every cup.
"""
NOTES = "The sugar bowl stands at the left of the milk jug.\n\nA spoon lies in the saucer.\n"
DOCUMENTS = {"guide": ("markdown", GUIDE), "kettle": ("rfc", KETTLE), "notes": ("text", NOTES)}
QUOTES = {
    "chai": ("guide#brewing-हिन्दी-चाय--more", "The chai simmers with milk for five minutes."),
    "drip": ("guide#zoës-pot", "Zoë's pot of 1850 pours without a drip."),
    "leak": ("guide#zoës-pot-1", "The second pot of Zoë leaks at the lid."),
    "saucer": ("guide#20", "Version two of the guide adds the saucer to every cup."),
    "sugar": ("notes#1", "The sugar bowl stands at the left of the milk jug."),
    "tea": ("guide#the-tea-guide", "Tea is made of leaves and of hot water."),
}
"""Question id -> the section that answers it, and its sentence there."""


def write_mixed_project(root: Path) -> None:
    for folder in ("corpus/sources", "eval/drafts"):
        (root / folder).mkdir(parents=True)
    lines = ["format: 1", "title: The kitchen", "description: How tea is made.", "documents:"]
    for document, (parser, text) in DOCUMENTS.items():
        content = text.encode()
        (root / f"corpus/sources/{document}.txt").write_bytes(content)
        lines += [
            f"  - id: {document}",
            f"    title: The {document}",
            f"    parser: {parser}",
            f"    url: https://kitchen.example/{document}",
            f'    section_url: "https://kitchen.example/{document}#{{anchor}}"',
            '    retrieved: "2026-12-01"',
            f"    bytes: {len(content)}",
            f"    sha256: {hashlib.sha256(content).hexdigest()}",
        ]
    questions = ["format: 1", "questions:"]
    for name, (section, quoted) in QUOTES.items():
        questions += [
            f"  - id: {name}",
            f'    text: "Is it so: {quoted}"',
            "    topic: tea",
            "    kind: how",
            f'    sections: ["{section}"]',
        ]
    (root / "corpus/manifest.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (root / "eval/questions.yaml").write_text("\n".join(questions) + "\n", encoding="utf-8")
    (root / "eval/thresholds.yaml").write_text(THRESHOLDS, encoding="utf-8")
    (root / "foregone.yaml").write_text(SETTINGS.replace("/answers/", "/"), encoding="utf-8")
    run("index", "build", "--project", str(root))
    import_replies(root, {name: reply(name) for name in QUOTES})


def reply(name: str) -> dict[str, object]:
    section, quoted = QUOTES[name]
    claim = {"text": f"It says: {quoted}", "kind": "finding", "section": section, "quote": quoted}
    return {"question": name, "outcome": "answered", "claims": [claim]}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("mixed")
    write_mixed_project(root)
    run("build", "--project", str(root))
    return root


@contextmanager
def serve(dist: Path) -> Iterator[str]:
    with make_server(dist, "127.0.0.1", 0, unseen) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


class LinksOf(HTMLParser):
    """The links of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del tag
        self.found += [value for name, value in attrs if name == "href" and value]


def links_of(url: str, page: str) -> list[str]:
    """Every link of a page or an answer, whole and as a browser asks for it."""
    if url.endswith(".json"):
        links = [passage["href"] for passage in json.loads(page).get("passages", [])]
    else:
        links = LinksOf(page).found
    return [quote(urljoin(url, link), safe="/:%#?=&") for link in links]


def ask(url: str) -> tuple[int, str]:
    try:
        with urlopen(url) as response:
            return response.status, response.read().decode()
    except HTTPError as error:
        error.close()
        return error.code, ""


def crawl(base: str) -> dict[str, int]:
    """Path of every page, file and answer that can be reached by links -> status."""
    seen: dict[str, int] = {}
    queue = [base]
    while queue:
        url = queue.pop()
        if url not in seen and url.startswith(base):
            seen[url], page = ask(url)
            if url.endswith(("/", ".json")):
                queue += links_of(url, page)
    return {unquote(urlsplit(url).path): status for url, status in seen.items()}


def answer(project: Path, name: str) -> Any:  # noqa: ANN401 - JSON
    return json.loads((project / f"dist/api/v1/answers/{name}.json").read_text("utf-8"))


def test_the_site_is_whole(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("verify", "--project", str(project))

    assert capsys.readouterr().out.endswith(": whole\n")


def test_every_question_is_answered_from_the_section_that_holds_its_sentence(project: Path) -> None:
    answers = {name: answer(project, name) for name in QUOTES}

    assert {name: (found["state"], found["claims"][0]["evidence"]["text"]) for name, found in answers.items()} == {
        name: ("grounded", quoted) for name, (_, quoted) in QUOTES.items()
    }


def test_evidence_stands_in_the_bytes_of_the_source_where_it_says(project: Path) -> None:
    for name, (section, quoted) in QUOTES.items():
        start, end = answer(project, name)["claims"][0]["evidence"]["source"]["bytes"]
        source = (project / f"corpus/sources/{section.partition('#')[0]}.txt").read_bytes()

        assert source[start:end].decode() == quoted


def test_every_link_in_the_site_leads_to_a_file(project: Path) -> None:
    with serve(project / "dist") as base:
        statuses = crawl(base)

    assert {path for path, status in statuses.items() if status != 200} == set()
    assert {
        f"/{form}"
        for section, _ in QUOTES.values()
        for place in (section.replace("#", "/"),)
        for form in (f"s/{place}/", f"api/v1/sections/{place}.json")
    } <= set(statuses)


def test_a_section_is_linked_where_it_was_published_by_its_own_anchor(project: Path) -> None:
    urls = {
        name: json.loads((project / f"dist/api/v1/sections/{section.replace('#', '/')}.json").read_text("utf-8"))["url"]
        for name, (section, _) in QUOTES.items()
    }

    assert urls == {
        "chai": f"https://kitchen.example/guide#brewing-{quote('हिन्दी-चाय')}--more",
        "drip": "https://kitchen.example/guide#zo%C3%ABs-pot",
        "leak": "https://kitchen.example/guide#zo%C3%ABs-pot-1",
        "saucer": "https://kitchen.example/guide#20",
        "sugar": "https://kitchen.example/notes#section-1",
        "tea": "https://kitchen.example/guide#the-tea-guide",
    }


@pytest.mark.parametrize("kind", ["answer", "section", "manifest"])
def test_what_is_published_keeps_to_its_schema(project: Path, kind: str) -> None:
    folders = {
        "answer": "api/v1/answers/*.json",
        "section": "api/v1/sections/*/*.json",
        "manifest": "v/*/manifest.json",
    }
    paths = sorted((project / "dist").glob(folders[kind]))

    assert paths
    for path in paths:
        jsonschema.validate(json.loads(path.read_text("utf-8")), json.loads(schema_bytes(kind)))


def test_a_second_build_changes_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("build", "--project", str(project))

    assert "(unchanged, 0 files repaired)" in capsys.readouterr().out
