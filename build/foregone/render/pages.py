"""Pages: the one module that imports Jinja2; every value is escaped, a template that names an unknown one fails."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError

from foregone.digest import Digest, address, digest_bytes, digest_text
from foregone.errors import Refused
from foregone.files import read_bytes
from foregone.render.answer_json import API_VERSION

RELEASE_TOKEN = "0release0id0"  # noqa: S105 - it stands for the id of the release, it is no secret
"""Stands in pages for the release's id until they are stamped; as long as an id."""
STYLE = "site.css"
PAGE_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
"""As `<meta>`; the header adds `frame-ancestors`, which a `<meta>` may not hold (CSP Level 3, section 3.3)."""


@dataclass(frozen=True, slots=True)
class SiteFacts:
    """What every page shows."""

    title: str
    url: str
    """Ends in `/`."""
    base_path: str
    corpus_title: str
    corpus_description: str
    index_version: str | None


@dataclass(frozen=True, slots=True)
class Style:
    """The style sheet under its content address."""

    path: str
    """From the root of the tree, e.g. `assets/site.0123456789ab.css`."""
    content: bytes


@dataclass(frozen=True, slots=True)
class Templates:
    """The templates of a project, compiled."""

    environment: Environment
    style: Style
    digest: Digest
    """Over every file of the folder."""


def load_templates(folder: Path) -> Templates:
    """The templates in `folder`."""
    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    css = read_bytes(folder / STYLE, mend="restore the project's site_templates folder")
    style = Style(f"assets/site.{address(digest_bytes(css))}.css", css)
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    lines = (f"{path.relative_to(folder).as_posix()} {digest_bytes(path.read_bytes())}\n" for path in paths)
    return Templates(environment, style, digest_text("".join(lines)))


def render_page(templates: Templates, site: SiteFacts, name: str, path: str, status: int, **values: Any) -> bytes:  # noqa: ANN401
    """The page `path` (from the root of the tree) by the template `name`, in token form.

    In-tree links are relative to the page, so that it works under `/` and under `/v/<release>/` alike; a page of
    another status than 200 that is served for any path (404) links by `base_path`.
    """
    root = site.base_path if path == "404.html" else "../" * path.count("/") or "./"
    opening = f"<!doctype html><!--{API_VERSION} {site.index_version or 'null'} {status}-->"
    try:
        body = templates.environment.get_template(name).render(
            site=site,
            root=root,
            canonical=site.url + path.removesuffix("index.html"),
            style=templates.style.path,
            csp=PAGE_CSP,
            release=RELEASE_TOKEN,
            **values,
        )
    except (TemplateError, ArithmeticError, TypeError, ValueError, LookupError, RecursionError) as error:
        where = f"{name}:{getattr(error, 'lineno', None) or 1}"
        raise Refused(
            "template-failed",
            f"the template {name} cannot be rendered for {path}",
            where=where,
            why=(str(error),),
            mend="correct the template",
        ) from error
    return (opening + body).encode()
