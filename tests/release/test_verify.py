"""Verification needs nothing but the folder, and names whatever is missing, changed or too much in it."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from foregone.digest import address, digest_bytes
from foregone.errors import Refused
from foregone.located import MAX_CHARACTERS
from foregone.release.manifest import Release
from foregone.release.publish import files_below, publish
from foregone.release.root import KeptRelease
from foregone.release.verify import MANIFEST_KEYS, Finding, verify_release, verify_site
from foregone.render.answer_json import json_bytes
from tiny_corpus import run, unseen


@pytest.fixture
def dist(release: Release, abandoned: Release, tmp_path: Path) -> Path:
    """A site of two releases."""
    publish(abandoned, tmp_path / "dist", 2, unseen)
    publish(release, tmp_path / "dist", 2, unseen)
    return tmp_path / "dist"


def test_a_published_site_is_whole(release: Release, abandoned: Release, dist: Path) -> None:
    found = verify_site(dist)

    files = len(release.tree) * 2 + len(abandoned.tree) + len(["manifest.json"] * 2 + ["_headers", "site", "current"])
    assert (found.release, found.releases, found.files, found.findings) == (release.id, 2, files, ())


def test_a_flipped_byte_of_any_file_is_named_with_its_path(dist: Path) -> None:
    for path in [path for path in files_below(dist) if Path(path).name not in ("current.json", "site.json")]:
        content = (dist / path).read_bytes()
        for place in (0, len(content) // 2, len(content) - 1):
            replace(dist / path, content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
            assert [(one.kind, one.path) for one in verify_site(dist).findings] == [("changed", path)], place
        replace(dist / path, content)


def test_any_flipped_byte_of_the_pointer_is_named_or_refused(dist: Path) -> None:
    unnoticed = [place for place in flips(dist / "current.json") if "current.json" not in said_of(dist)]

    assert unnoticed == []


def test_any_flipped_byte_of_the_list_of_root_files_is_named(dist: Path) -> None:
    unnoticed = [place for place in flips(dist / "site.json") if "site.json" not in said_of(dist)]

    assert unnoticed == []


def test_a_missing_file_is_named_with_its_path(dist: Path) -> None:
    for path in [path for path in files_below(dist) if path != "current.json"]:
        content = (dist / path).read_bytes()
        (dist / path).unlink()
        assert ("missing", path) in [(one.kind, one.path) for one in verify_site(dist).findings], path
        (dist / path).write_bytes(content)


def test_a_manifest_of_seventy_thousand_files_is_read(tmp_path: Path) -> None:
    digest = f"sha256:{64 * 'a'}"
    files = [{"path": f"api/v1/answers/q{number}.json", "sha256": digest, "size": 1} for number in range(70_000)]
    manifest = json_bytes({**dict.fromkeys(MANIFEST_KEYS), "files": files})
    kept = KeptRelease(address(digest_bytes(manifest)), digest_bytes(manifest), None)
    (tmp_path / "v" / kept.release).mkdir(parents=True)
    (tmp_path / "v" / kept.release / "manifest.json").write_bytes(manifest)

    assert len(manifest) > MAX_CHARACTERS
    assert {finding.kind for finding in verify_release(tmp_path, kept)} == {"missing"}


def test_a_site_without_its_pointer_is_refused(dist: Path) -> None:
    (dist / "current.json").unlink()

    with pytest.raises(Refused) as refused:
        verify_site(dist)

    assert str(refused.value).replace(str(dist), "DIST") == (
        "error[no-site]: DIST holds no published site\n"
        "  --> DIST/current.json\n"
        "  there is no current.json\n"
        "  mend: run `foregone build`"
    )


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("letter", "neither the current release nor site.json lists it"),
        (".hidden", "neither the current release nor site.json lists it"),
        ("q/lid/letter.html", "neither the current release nor site.json lists it"),
        ("answer/lid", "neither the current release nor site.json lists it"),
        ("assets/site.0123456789ab.css", "neither the current release nor site.json lists it"),
        ("v/{release}/letter", "the manifest does not list it"),
        ("v/{release}/q/lid/deep/er/letter", "the manifest does not list it"),
        ("v/{release}/_headers", "the manifest does not list it"),
    ],
)
def test_a_stray_is_named_with_its_path(place: str, why: str, release: Release, dist: Path) -> None:
    path = place.format(release=release.id)
    (dist / path).parent.mkdir(parents=True, exist_ok=True)
    (dist / path).touch()

    assert verify_site(dist).findings == (Finding("stray", path, why),)


def test_a_release_that_the_pointer_does_not_name_is_a_stray(dist: Path) -> None:
    (dist / "v/0123456789ab").mkdir()
    (dist / "v/letter").touch()

    assert verify_site(dist).findings == (
        Finding("stray", "v/0123456789ab", "current.json does not name this release"),
        Finding("stray", "v/letter", "current.json does not name this release"),
    )


def test_a_link_in_the_place_of_a_file_counts_as_missing(release: Release, dist: Path) -> None:
    path = dist / "v" / release.id / "404.html"
    path.unlink()
    path.symlink_to(dist / "404.html")

    assert verify_site(dist).findings == (Finding("missing", f"v/{release.id}/404.html", "the manifest lists it"),)


def test_a_link_in_the_place_of_a_folder_is_a_stray(release: Release, dist: Path, tmp_path: Path) -> None:
    (dist / "q").rename(tmp_path / "q")
    (dist / "q").symlink_to(tmp_path / "q")
    released = dist / "v" / release.id
    (released / "s").rename(tmp_path / "s")
    (released / "s").symlink_to(tmp_path / "s")

    assert [(one.kind, one.path) for one in verify_site(dist).findings] == [
        ("stray", "q"),
        ("stray", f"v/{release.id}/s"),
    ]


def test_a_link_in_the_place_of_a_release_is_named(release: Release, dist: Path, tmp_path: Path) -> None:
    (dist / "v" / release.id).rename(tmp_path / "elsewhere")
    (dist / "v" / release.id).symlink_to(tmp_path / "elsewhere")

    assert verify_site(dist).findings == (Finding("changed", f"v/{release.id}", "it is a link"),)


def test_a_release_that_the_pointer_names_and_that_is_gone_is_named(abandoned: Release, dist: Path) -> None:
    shutil.rmtree(dist / "v" / abandoned.id)

    path = f"v/{abandoned.id}/manifest.json"
    assert verify_site(dist).findings == (
        Finding("missing", path, "the manifest of a release that current.json names"),
    )


def test_a_page_of_another_release_in_the_place_of_this_one_is_named(
    release: Release, abandoned: Release, dist: Path
) -> None:
    page = (dist / "v" / abandoned.id / "404.html").read_bytes()
    replace(dist / "v" / release.id / "404.html", page)
    replace(dist / "404.html", page)

    assert [(one.kind, one.path) for one in verify_site(dist).findings] == [
        ("changed", "404.html"),
        ("changed", f"v/{release.id}/404.html"),
    ]


def test_a_page_that_was_not_stamped_is_named(release: Release, dist: Path) -> None:
    replace(dist / "404.html", release.tree["404.html"].content)

    assert verify_site(dist).findings == (
        Finding(
            "changed",
            "404.html",
            "it is not the file of the current release: it holds 0release0id0, which stands for the release in its digest",
        ),
    )


def test_a_changed_asset_of_the_release_before_is_named(project: Path) -> None:
    run("build", "--project", str(project))
    asset = next((project / "dist/assets").iterdir())
    shutil.copytree("site_templates", project / "site_templates")
    (project / "site_templates/site.css").write_text("p { color: red }", encoding="utf-8")
    run("build", "--project", str(project))
    replace(asset, b"p { color: blue }")

    assert [(one.kind, one.path) for one in verify_site(project / "dist").findings] == [
        ("changed", f"assets/{asset.name}")
    ]


@pytest.mark.parametrize("path", ["../letter", "q/../../letter", "/etc/hostname", "q//lid", "./404.html", "q/lid/"])
def test_a_manifest_that_lists_a_path_out_of_its_release_is_named(path: str, dist: Path) -> None:
    forged = forge(dist, lambda manifest: manifest["files"][0].update(path=path))

    findings = {one.path: one.why for one in verify_site(dist).findings}
    assert findings[f"v/{forged}/manifest.json"] == "it lists a path that leaves the release"


def test_a_manifest_of_another_form_is_refused(dist: Path) -> None:
    forged = forge(dist, lambda manifest: manifest["files"][0].pop("size"))

    with pytest.raises(Refused) as refused:
        verify_site(dist)

    assert str(refused.value).replace(str(dist), "DIST") == (
        f"error[missing-key]: files[0] has no 'size'\n  --> DIST/v/{forged}/manifest.json:1\n  mend: add 'size'"
    )


def test_a_pointer_that_says_another_index_version_than_the_manifest_is_named(release: Release, dist: Path) -> None:
    pointer = json.loads((dist / "current.json").read_bytes()) | {"index_version": "0123456789ab"}
    replace(dist / "current.json", json_bytes(pointer))

    assert verify_site(dist).findings == (
        Finding("changed", "current.json", f"it is not what v/{release.id}/manifest.json says of this release"),
    )


def replace(path: Path, content: bytes) -> None:
    """Write a file of its own: root and release share theirs."""
    path.unlink()
    path.write_bytes(content)


def flips(path: Path) -> Any:  # noqa: ANN401 - a generator of places
    """Flip a bit of each byte in turn."""
    content = path.read_bytes()
    for place in range(len(content)):
        replace(path, content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        yield place
    replace(path, content)


def said_of(dist: Path) -> str:
    """All that verification says."""
    try:
        return "\n".join(f"{one.path}: {one.why}" for one in verify_site(dist).findings)
    except Refused as error:
        return str(error)


def forge(dist: Path, change: Any) -> str:  # noqa: ANN401 - any change of the manifest
    """Change the manifest of the current release, and give everything that depends on it the name that follows."""
    pointer = json.loads((dist / "current.json").read_bytes())
    folder = dist / "v" / pointer["release"]
    manifest = json.loads((folder / "manifest.json").read_bytes())
    change(manifest)
    content = json_bytes(manifest)
    replace(folder / "manifest.json", content)
    pointer |= {"release": address(digest_bytes(content)), "manifest_sha256": digest_bytes(content)}
    folder.rename(dist / "v" / pointer["release"])
    replace(dist / "current.json", json_bytes(pointer))
    return str(pointer["release"])
