"""Pages: everything that comes from outside is escaped, nothing is loaded from another host, every link leads somewhere."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from foregone.errors import Refused
from foregone.release.manifest import Release
from foregone.render.pages import PAGE_CSP, SiteFacts, Templates, load_templates, render_page
from tiny_corpus import SETTINGS, edit, import_replies, manifest, run, write_sources

TEMPLATES = Path("site_templates")
URL = "https://kitchen.example/answers/"
HOSTILE = """<script>alert(1)</script>"><img src=x onerror='alert(2)'> {{ 7*7 }} &lt;b&gt;"""
HOSTILE_YAML = "'" + HOSTILE.replace("'", "''") + "'"
FACTS = SiteFacts(
    title="Kitchen",
    url=URL,
    base_path="/answers/",
    corpus_title="The kitchen",
    corpus_description="Tea.",
    index_version="0123456789ab",
)


@dataclass
class Page(HTMLParser):
    """What a browser reads of a page: elements with attributes, the text, and the text of each title and heading."""

    elements: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    text: str = ""

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def templates() -> Templates:
    return load_templates(TEMPLATES)


@pytest.fixture(scope="module")
def dist(varied: Path) -> Path:
    """The published site of the varied project, whose url has a path."""
    run("build", "--project", str(varied))
    return varied / "dist"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of a project that has markup wherever text comes from outside."""
    root = tmp_path_factory.mktemp("hostile")
    write_sources(root)
    corpus = f"1.  Boiling {HOSTILE}\n\n   Water boils at 100 degrees {HOSTILE} in a kettle.\n"
    (root / "corpus/sources/kettle.txt").write_text(corpus, encoding="utf-8")
    pins = manifest({"kettle": corpus}).replace("The kitchen", HOSTILE_YAML).replace("How tea is made.", HOSTILE_YAML)
    (root / "corpus/manifest.yaml").write_text(pins.replace("The kettle", HOSTILE_YAML), encoding="utf-8")
    (root / "foregone.yaml").write_text(SETTINGS.replace("Kitchen answers", HOSTILE_YAML), encoding="utf-8")
    (root / "eval/questions.yaml").write_text(
        f"format: 1\nquestions:\n  - id: boil\n    text: {HOSTILE_YAML}\n    topic: {HOSTILE_YAML}\n"
        "    kind: when\n    sections: [kettle#1]\n",
        encoding="utf-8",
    )
    run("index", "build", "--project", str(root))
    claims = [
        {"text": f"Water boils at 100 degrees. {HOSTILE}", "kind": "finding", "section": "kettle#1", "quote": None},
        {
            "text": f"Lava boils at 200 degrees. {HOSTILE}",
            "kind": "finding",
            "section": "kettle#1",
            "quote": corpus[-120:],
        },
    ]
    import_replies(root, {"boil": {"question": "boil", "outcome": "answered", "claims": claims}})
    edit(root / "eval/drafts/boil.json", "language model, from the exported prompt", HOSTILE.replace('"', '\\"'))
    run("build", "--project", str(root))
    return root / "dist"


def test_markup_from_outside_is_text_on_every_page(hostile: Path) -> None:
    pages = {path: parsed(path) for path in html_files(hostile)}
    elements = {tag for page in pages.values() for tag, _ in page.elements}
    attributes = {name for page in pages.values() for _, attrs in page.elements for name in attrs}

    assert not elements & {"script", "img", "b", "iframe", "style", "base", "form"}
    assert not {name for name in attributes if name.startswith("on") or name == "style"}


@pytest.mark.parametrize(
    ("path", "times"),
    [
        ("index.html", 7),
        ("404.html", 3),
        ("q/boil/index.html", 13),
        ("s/kettle/1/index.html", 7),
    ],
)
def test_markup_from_outside_is_shown_letter_by_letter(path: str, times: int, hostile: Path) -> None:
    assert parsed(hostile / path).text.count(HOSTILE) == times


def test_no_page_loads_anything_from_another_host(dist: Path) -> None:
    loaded = {
        f"{tag} {value}"
        for path in html_files(dist)
        for tag, attributes in parsed(path).elements
        for name, value in attributes.items()
        if name in ("src", "srcset", "href", "action", "data", "poster") and urlsplit(value).netloc
        if not (tag == "a" and value.startswith("https://kitchen.example/"))
        if not (tag == "link" and attributes.get("rel") == "canonical" and value.startswith(URL))
    }

    assert loaded == set()


def test_no_style_sheet_loads_anything() -> None:
    assert [
        path.name for path in TEMPLATES.glob("*.css") if re.search(r"url\(|@import|//", path.read_text("utf-8"))
    ] == []


def test_every_page_has_the_policy_and_neither_inline_style_nor_inline_script(dist: Path) -> None:
    for path in html_files(dist):
        elements = parsed(path).elements
        policies = [attrs["content"] for tag, attrs in elements if attrs.get("http-equiv") == "Content-Security-Policy"]
        assert policies == [PAGE_CSP]
        assert [tag for tag, attrs in elements if tag == "style" or "style" in attrs] == []
        assert [tag for tag, attrs in elements if tag == "script" and "src" not in attrs] == []
        assert not any(name.startswith("on") for _, attrs in elements for name in attrs)


def test_every_link_of_every_page_leads_to_a_file_of_the_site(dist: Path) -> None:
    broken = {
        f"{page} {link}"
        for page in html_files(dist)
        for link in links(page)
        if (target := target_of(page.relative_to(dist).as_posix(), link)) is not None
        if not (dist / target).is_file()
    }

    assert broken == set()


def test_relative_links_of_a_released_page_stay_in_its_release(dist: Path) -> None:
    released = next(dist.glob("v/*"))

    outside = {
        f"{page} {link}"
        for page in html_files(released)
        for link in links(page)
        if not link.startswith(("/", "https://"))
        if not (target_of(page.relative_to(dist).as_posix(), link) or "").startswith(f"v/{released.name}/")
    }
    assert outside == set()


def test_every_anchor_of_a_claim_is_on_its_page_once(dist: Path) -> None:
    ids = [attrs["id"] for _, attrs in parsed(dist / "q/variety/index.html").elements if "id" in attrs]

    assert sorted(ids) == ["c1", "c2", "c3", "c4", "c5"]


def test_the_page_for_not_found_links_by_the_path_of_the_site(dist: Path) -> None:
    release = next(dist.glob("v/*")).name
    style = next(dist.glob("assets/*")).name

    assert set(links(dist / "404.html")) == {"/answers/", f"/answers/assets/{style}", f"/answers/v/{release}/"}


def test_a_page_names_the_stable_page_as_canonical_in_the_release_too(dist: Path) -> None:
    released = next(dist.glob("v/*"))
    pages = [released / "q/lid/index.html", dist / "q/lid/index.html", released / "index.html"]

    canonical = [
        attrs["href"] for page in pages for _, attrs in parsed(page).elements if attrs.get("rel") == "canonical"
    ]
    assert canonical == [f"{URL}q/lid/", f"{URL}q/lid/", URL]


def test_a_page_begins_with_the_bytes_that_the_edge_compares(
    release: Release, abandoned: Release, contextless: Release
) -> None:
    version = release.index_version or ""

    assert [
        one.tree[path].content.partition(b"<html")[0].decode()
        for one, path in (
            (release, "q/lid/index.html"),
            (release, "404.html"),
            (abandoned, "q/lid/index.html"),
            (contextless, "q/lid/index.html"),
            (contextless, "index.html"),
        )
    ] == [
        f"<!doctype html><!--1.0 {version} 200-->",
        f"<!doctype html><!--1.0 {version} 404-->",
        f"<!doctype html><!--1.0 {version} 503-->",
        "<!doctype html><!--1.0 null 503-->",
        "<!doctype html><!--1.0 null 200-->",
    ]


def test_a_page_marks_the_quote_in_its_passage(release: Release) -> None:
    page = release.tree["q/variety/index.html"].content.decode()

    assert (
        '<pre><mark><span class="aside">[quote begins] </span>A server pours with the Lid-State field set to shut.'
        '<span class="aside"> [quote ends]</span></mark>  The spout drips\nif the Lid-State field is absent.</pre>'
    ) in page


def test_a_page_shows_withdrawn_claims_struck_out_with_rule_and_words(release: Release) -> None:
    page = release.tree["q/lid/index.html"].content.decode()

    assert "<del>A shut lid keeps steam below 95 degrees.</del>" in page
    assert '<li>The section does not hold: 95. <span class="rule">(literal)</span></li>' in page


def test_a_page_of_an_answer_without_index_shows_no_outcome_and_no_claim(contextless: Release) -> None:
    text = parse(contextless.tree["q/lid/index.html"].content).text

    assert "nothing could be retrieved, so no answer is given" in text
    assert "Index version: missing" in text
    assert "The draft says" not in text


@pytest.mark.parametrize(
    ("path", "root"),
    [
        ("index.html", "./"),
        ("q/lid/index.html", "../../"),
        ("s/kettle/1/index.html", "../../../"),
        ("404.html", "/answers/"),
    ],
)
def test_links_begin_at_the_root_of_the_tree(path: str, root: str, tmp_path: Path) -> None:
    page = render_page(own_templates(tmp_path, "{{ root }}"), FACTS, "page.html.jinja", path, 200)

    assert page.decode() == f"<!doctype html><!--1.0 0123456789ab 200-->{root}"


@pytest.mark.parametrize(
    ("template", "line", "why"),
    [
        ("one\n{{ site.nobody }}", 1, "'foregone.render.pages.SiteFacts object' has no attribute 'nobody'"),
        ("one\n{% if %}", 2, "Expected an expression, got 'end of statement block'"),
        ("{% include 'other' %}", 1, "'other' not found in search path: 'PROJECT'"),
    ],
)
def test_a_template_that_cannot_be_rendered_is_refused(template: str, line: int, why: str, tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        render_page(own_templates(tmp_path, template), FACTS, "page.html.jinja", "q/lid/index.html", 200)

    assert str(refused.value).replace(str(tmp_path), "PROJECT") == (
        "error[template-failed]: the template page.html.jinja cannot be rendered for q/lid/index.html\n"
        f"  --> page.html.jinja:{line}\n"
        f"  {why}\n"
        "  mend: correct the template"
    )


def test_the_digest_of_the_templates_depends_on_every_file_and_its_name(tmp_path: Path) -> None:
    digests = {own_templates(tmp_path / "one", "a").digest, own_templates(tmp_path / "two", "b").digest}
    (tmp_path / "two/page.html.jinja").rename(tmp_path / "two/other.html.jinja")

    assert len(digests | {load_templates(tmp_path / "two").digest}) == 3


def own_templates(folder: Path, template: str) -> Templates:
    folder.mkdir(exist_ok=True)
    (folder / "site.css").write_text("", encoding="utf-8")
    (folder / "page.html.jinja").write_text(template, encoding="utf-8")
    return load_templates(folder)


def html_files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.html"))


def parsed(path: Path) -> Page:
    return parse(path.read_bytes())


def parse(content: bytes) -> Page:
    page = Page()
    page.feed(content.decode())
    page.close()
    return page


def links(page: Path) -> Iterator[str]:
    for tag, attributes in parsed(page).elements:
        if attributes.get("rel") != "canonical":
            yield from (attributes[name] for name in ("href", "src") if name in attributes)
        assert tag != "base"


def target_of(page: str, link: str) -> str | None:
    """The file of the site that `link` on `page` leads to; None where it leads to a section on the web."""
    url = urlsplit(urljoin(URL + page, link))
    if not url.geturl().startswith(URL):
        return None
    path = unquote(url.path).removeprefix(urlsplit(URL).path)
    return posixpath.join(path, "index.html") if path.endswith("/") or not path else path
