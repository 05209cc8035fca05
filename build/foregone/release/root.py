"""The files that stand at the root of the site alone: pointer, list of strays' exceptions, headers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from foregone.digest import Digest, digest_bytes
from foregone.render.answer_json import API_VERSION, json_bytes
from foregone.render.pages import PAGE_CSP

REVALIDATE = "public, max-age=0, must-revalidate"
IMMUTABLE = "public, max-age=31536000, immutable"
HEADER_CSP = f"{PAGE_CSP}; frame-ancestors 'none'"
DATA_CSP = "default-src 'none'; frame-ancestors 'none'"
SECURITY = (
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
)
OPEN = ("Access-Control-Allow-Origin", "*")
PAGE = (("Cache-Control", REVALIDATE), ("Content-Security-Policy", HEADER_CSP), *SECURITY)
DATA = (("Cache-Control", REVALIDATE), ("Content-Security-Policy", DATA_CSP), *SECURITY, OPEN)
FAMILIES: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    ("/", PAGE),
    ("/index.html", PAGE),
    ("/404.html", PAGE),
    ("/q/*", PAGE),
    ("/s/*", PAGE),
    ("/v/*", (("Cache-Control", IMMUTABLE), ("Content-Security-Policy", HEADER_CSP), *SECURITY, OPEN)),
    ("/api/*", DATA),
    ("/assets/*", (("Cache-Control", IMMUTABLE), *SECURITY)),
    ("/current.json", DATA),
    ("/site.json", DATA),
)
"""Path family -> its headers. No family holds another: rules add up, and two policies would intersect."""


@dataclass(frozen=True, slots=True)
class KeptRelease:
    """A release that stands under `/v/`."""

    release: str
    manifest_digest: Digest
    index_version: str | None

    def value(self) -> dict[str, Any]:
        """As it stands in current.json."""
        return {
            "release": self.release,
            "manifest_sha256": self.manifest_digest,
            "index_version": self.index_version,
        }


def current_bytes(current: KeptRelease, previous: tuple[KeptRelease, ...]) -> bytes:
    """`current.json`: which release is current and which came before, the newest first."""
    value = {
        "api_version": API_VERSION,
        **current.value(),
        "stale": [],
        "previous": [kept.value() for kept in previous],
    }
    return json_bytes(value)


def site_bytes(root_only: Mapping[str, bytes]) -> bytes:
    """`site.json`: the files that stand at the root alone, itself and current.json without digest."""
    listed = [
        {"path": path, "sha256": digest_bytes(content), "size": len(content)}
        for path, content in sorted(root_only.items())
    ]
    named = [{"path": "current.json"}, {"path": "site.json"}]
    return json_bytes({"api_version": API_VERSION, "root_only": [*listed, *named]})


def headers_bytes() -> bytes:
    """`_headers`, in the form that Netlify and Cloudflare Pages read."""
    lines = []
    for path, headers in FAMILIES:
        lines.append(path)
        lines.extend(f"  {name}: {value}" for name, value in headers)
    return ("\n".join(lines) + "\n").encode()


def headers_for(path: str) -> tuple[tuple[str, str], ...]:
    """The headers of a URL path by its family, as the host adds them.

    >>> dict(headers_for("/v/0123456789ab/index.html"))["Cache-Control"]
    'public, max-age=31536000, immutable'
    """
    for family, headers in FAMILIES:
        if path == family or (family.endswith("*") and path.startswith(family[:-1])):
            return headers
    return SECURITY
