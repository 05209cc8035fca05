"""A manifest lists every file of its release, and the release is named by the manifest's digest."""

import hashlib
import json

from foregone.release.manifest import Release, stamp, unstamp
from foregone.render.pages import RELEASE_TOKEN

RELEASE = "0123456789ab"


def test_the_id_is_the_first_12_hex_digits_of_the_manifests_sha256(release: Release) -> None:
    assert release.id == hashlib.sha256(release.manifest).hexdigest()[:12]


def test_the_manifest_lists_every_other_file_once_by_path(release: Release) -> None:
    assert [entry["path"] for entry in files(release)] == sorted(release.tree)


def test_plain_sha256_and_size_of_every_other_file_are_those_of_the_manifest(release: Release) -> None:
    plain = [entry for entry in files(release) if "self" not in entry]

    assert plain == [
        {"path": entry["path"], "sha256": f"sha256:{hashlib.sha256(content).hexdigest()}", "size": len(content)}
        for entry in plain
        for content in [release.stamped(str(entry["path"]))]
    ]


def test_a_page_is_listed_in_its_token_form(release: Release) -> None:
    page = release.stamped("q/lid/index.html").replace(release.id.encode(), RELEASE_TOKEN.encode())
    entry = next(entry for entry in files(release) if entry["path"] == "q/lid/index.html")

    assert entry == {
        "path": "q/lid/index.html",
        "sha256": f"sha256:{hashlib.sha256(page).hexdigest()}",
        "size": len(page),
        "self": True,
    }


def test_pages_alone_are_listed_as_naming_their_release(release: Release) -> None:
    assert {entry["path"] for entry in files(release) if "self" in entry} == {
        path for path in release.tree if path.endswith(".html")
    }


def test_a_stamped_page_names_the_release_and_no_token(release: Release) -> None:
    page = release.stamped("index.html").decode()

    assert (release.id in page, RELEASE_TOKEN in page) == (True, False)


def test_the_keys_of_a_manifest_stand_in_the_published_order(release: Release) -> None:
    value = json.loads(release.manifest)

    assert list(value) == [
        "format", "index_version", "corpus", "questions", "drafts", "settings", "thresholds", "rules", "templates",
        "counts", "files",
    ]  # fmt: skip
    assert list(value["corpus"]) == ["sha256", "documents"]
    assert value["counts"] == {
        "questions": 4, "grounded": 1, "partial": 2, "unsupported": 1, "no_context": 0, "abandoned": 0,
    }  # fmt: skip


def test_an_abandoned_answer_is_counted(abandoned: Release, contextless: Release) -> None:
    counts = [json.loads(one.manifest)["counts"] for one in (abandoned, contextless)]

    assert [(one["abandoned"], one["unsupported"], one["no_context"]) for one in counts] == [(3, 1, 0), (0, 0, 4)]


def test_the_token_is_as_long_as_an_id_and_is_put_back() -> None:
    page = b"<p>0release0id0 and 0release0id0</p>"

    assert stamp(page, RELEASE) == b"<p>0123456789ab and 0123456789ab</p>"
    assert unstamp(stamp(page, RELEASE), RELEASE) == page


def files(release: Release) -> list[dict[str, object]]:
    entries: list[dict[str, object]] = json.loads(release.manifest)["files"]
    return entries
