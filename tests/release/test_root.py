"""The files that stand at the root alone."""

import json

import pytest

from foregone.digest import Digest, digest_bytes
from foregone.release.root import (
    FAMILIES,
    IMMUTABLE,
    REVALIDATE,
    KeptRelease,
    current_bytes,
    headers_bytes,
    headers_for,
    site_bytes,
)
from foregone.render.pages import PAGE_CSP


def test_current_json_names_the_release_and_those_before_it() -> None:
    assert current_bytes(
        KeptRelease("aaaaaaaaaaaa", Digest("sha256:aa"), "0123456789ab"),
        (KeptRelease("bbbbbbbbbbbb", Digest("sha256:bb"), None),),
    ) == (
        b'{"api_version":"1.0","release":"aaaaaaaaaaaa","manifest_sha256":"sha256:aa","index_version":"0123456789ab",'
        b'"stale":[],"previous":[{"release":"bbbbbbbbbbbb","manifest_sha256":"sha256:bb","index_version":null}]}\n'
    )


def test_site_json_lists_what_stands_at_the_root_alone_with_digest_but_for_itself_and_the_pointer() -> None:
    assert json.loads(site_bytes({"_headers": b"x", "404.txt": b""})) == {
        "api_version": "1.0",
        "root_only": [
            {"path": "404.txt", "sha256": digest_bytes(b""), "size": 0},
            {"path": "_headers", "sha256": digest_bytes(b"x"), "size": 1},
            {"path": "current.json"},
            {"path": "site.json"},
        ],
    }


@pytest.mark.parametrize(
    ("path", "cache"),
    [
        ("/", REVALIDATE),
        ("/index.html", REVALIDATE),
        ("/404.html", REVALIDATE),
        ("/q/lid/", REVALIDATE),
        ("/s/kettle/1/", REVALIDATE),
        ("/api/v1/questions.json", REVALIDATE),
        ("/current.json", REVALIDATE),
        ("/site.json", REVALIDATE),
        ("/v/0123456789ab/", IMMUTABLE),
        ("/v/0123456789ab/api/v1/questions.json", IMMUTABLE),
        ("/assets/site.0123456789ab.css", IMMUTABLE),
        ("/elsewhere", None),
    ],
)
def test_a_path_is_cached_as_its_family_says(path: str, cache: str | None) -> None:
    headers = dict(headers_for(path))

    assert (headers.get("Cache-Control"), headers["X-Content-Type-Options"]) == (cache, "nosniff")


def test_no_path_is_in_two_families_since_two_policies_would_intersect() -> None:
    paths = [family.replace("*", "x") for family, _ in FAMILIES]
    found = {
        path: [
            family for family, _ in FAMILIES if path == family or (family[-1] == "*" and path.startswith(family[:-1]))
        ]
        for path in paths
    }

    assert {path: len(families) for path, families in found.items()} == dict.fromkeys(paths, 1)


def test_headers_are_written_in_the_form_that_hosts_read() -> None:
    lines = headers_bytes().decode().splitlines()

    assert lines[:3] == [
        "/",
        "  Cache-Control: public, max-age=0, must-revalidate",
        f"  Content-Security-Policy: {PAGE_CSP}; frame-ancestors 'none'",
    ]
    assert [line for line in lines if not line.startswith("  ")] == [family for family, _ in FAMILIES]
