"""Publishing: each page is whole at every moment, what is unchanged is not touched, and the next build mends the rest."""

import errno
import json
import os
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from foregone.digest import address, digest_bytes
from foregone.errors import Refused
from foregone.release.manifest import Release
from foregone.release.publish import files_below, publish, read_current, write_if_changed
from foregone.release.verify import verify_site
from tiny_corpus import edit, run, unseen

KEPT = 2
"""Releases that stay."""


class Seen(NamedTuple):
    """What tells whether a file was touched."""

    inode: int
    modified_ns: int
    content: bytes


@pytest.fixture
def dist(release: Release, tmp_path: Path) -> Path:
    """A site with one release."""
    publish(release, tmp_path / "dist", KEPT, unseen)
    return tmp_path / "dist"


def test_the_root_mirrors_the_release_but_for_its_manifest(release: Release, dist: Path) -> None:
    released, root = contents(dist / "v" / release.id), contents(dist)

    mirrored = {path: content for path, content in root.items() if not path.startswith("v/")}
    assert released.keys() - mirrored.keys() == {"manifest.json"}
    assert mirrored.keys() - released.keys() == {"_headers", "current.json", "site.json"}
    assert all(mirrored[path] == released[path] for path in mirrored.keys() & released.keys())


def test_the_root_links_to_the_release_instead_of_copying_it(release: Release, dist: Path) -> None:
    folder = dist / "v" / release.id

    assert [path for path in files_below(folder) if not is_same_file(folder / path, dist / path)] == ["manifest.json"]


def test_publishing_the_same_again_touches_nothing(release: Release, dist: Path) -> None:
    before = seen(dist)

    publish(release, dist, KEPT, unseen)

    assert seen(dist) == before


def test_building_the_same_again_touches_nothing(site: Path) -> None:
    before = seen(site / "dist")

    run("build", "--project", str(site))

    assert seen(site / "dist") == before


def test_a_release_keeps_the_one_before_it(release: Release, abandoned: Release, dist: Path) -> None:
    publish(abandoned, dist, KEPT, unseen)

    current = json.loads((dist / "current.json").read_text("utf-8"))
    assert (current["release"], current["manifest_sha256"]) == (abandoned.id, abandoned.manifest_digest)
    assert current["previous"] == [
        {
            "release": release.id,
            "manifest_sha256": release.manifest_digest,
            "index_version": release.index_version,
        }
    ]
    assert released(dist) == {release.id, abandoned.id}


def test_releases_past_the_kept_ones_are_deleted_oldest_first(
    abandoned: Release, contextless: Release, dist: Path
) -> None:
    publish(abandoned, dist, KEPT, unseen)
    publish(contextless, dist, KEPT, unseen)

    assert [one.release for one in read_current(dist)] == [contextless.id, abandoned.id]
    assert released(dist) == {contextless.id, abandoned.id}


def test_fewer_kept_releases_delete_more(abandoned: Release, dist: Path) -> None:
    publish(abandoned, dist, KEPT, unseen)
    publish(abandoned, dist, 1, unseen)

    assert ([one.release for one in read_current(dist)], released(dist)) == ([abandoned.id], {abandoned.id})


def test_a_release_that_comes_back_is_current_and_names_the_other_as_before_it(
    release: Release, abandoned: Release, dist: Path
) -> None:
    before = seen(dist / "v" / release.id)
    publish(abandoned, dist, KEPT, unseen)
    publish(release, dist, KEPT, unseen)

    assert [one.release for one in read_current(dist)] == [release.id, abandoned.id]
    assert (seen(dist / "v" / release.id), verify_site(dist).findings) == (before, ())


def test_unchanged_files_of_the_next_release_are_links_to_those_of_the_last(
    release: Release, abandoned: Release, dist: Path
) -> None:
    publish(abandoned, dist, KEPT, unseen)

    first, second = dist / "v" / release.id, dist / "v" / abandoned.id
    linked = {path for path in files_below(second) if is_same_file(second / path, first / path)}
    assert linked == {
        path
        for path, file in abandoned.tree.items()
        if not file.names_release and file.content == release.tree[path].content
    }


def test_assets_of_the_release_before_outlive_it_at_the_root_and_no_longer(project: Path) -> None:
    shutil.copytree("site_templates", project / "site_templates")
    css, sheets = project / "site_templates/site.css", []
    for number in range(3):
        css.write_text(f"/* {number} */", encoding="utf-8")
        run("build", "--project", str(project))
        sheets.append(f"site.{address(digest_bytes(css.read_bytes()))}.css")

    assert sorted(path.name for path in (project / "dist/assets").iterdir()) == sorted(sheets[1:])
    assert verify_site(project / "dist").findings == ()


def test_every_damaged_file_is_written_again(release: Release, dist: Path) -> None:
    wanted = contents(dist)
    for path in wanted.keys() - {"current.json"}:
        damage(dist / path)
        publish(release, dist, KEPT, unseen)
        assert contents(dist) == wanted, path


def test_every_missing_file_is_written_again(release: Release, dist: Path) -> None:
    wanted = contents(dist)
    for path in wanted:
        (dist / path).unlink()
        publish(release, dist, KEPT, unseen)
        assert contents(dist) == wanted, path


@pytest.mark.parametrize("place", ["letter", "q/letter", "v/letter", "api/v1/x/y/letter", ".tmp-index.html"])
def test_strays_are_deleted_with_the_folders_that_they_leave_empty(place: str, release: Release, dist: Path) -> None:
    wanted = contents(dist)
    for folder in (dist, dist / "v" / release.id):
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text("stray", encoding="utf-8")

    publish(release, dist, KEPT, unseen)

    empty = [path for path in dist.rglob("*") if path.is_dir() and not any(path.iterdir())]
    assert (contents(dist), empty) == (wanted, [])


@pytest.mark.parametrize("name", ["q", "v", "api", "index.html", "_headers", "current.json", "site.json", "assets"])
def test_a_link_gives_way_and_what_it_leads_to_stays(name: str, release: Release, dist: Path, tmp_path: Path) -> None:
    wanted, outside = contents(dist), tmp_path / "outside"
    outside.mkdir()
    (dist / name).rename(outside / name)
    (dist / name).symlink_to(outside / name)
    kept = contents(outside)

    publish(release, dist, KEPT, unseen)

    assert (contents(dist), (dist / name).is_symlink(), contents(outside)) == (wanted, False, kept)


@pytest.mark.parametrize("name", ["index.html", "_headers", "site.json", "api/v1/questions.json", "q/lid/index.html"])
def test_a_folder_in_the_place_of_a_file_gives_way(name: str, release: Release, dist: Path) -> None:
    wanted = contents(dist)
    for path in (dist / name, dist / "v" / release.id / name):
        path.unlink(missing_ok=True)
        path.mkdir()

    publish(release, dist, KEPT, unseen)

    assert contents(dist) == wanted


@pytest.mark.parametrize("name", ["q", "api/v1", "s/kettle", "v"])
def test_a_file_in_the_place_of_a_folder_gives_way(name: str, release: Release, dist: Path) -> None:
    wanted = contents(dist)
    shutil.rmtree(dist / name)
    (dist / name).write_text("mine", encoding="utf-8")

    publish(release, dist, KEPT, unseen)

    assert contents(dist) == wanted


def test_a_release_folder_that_is_a_link_is_written_as_a_folder(release: Release, dist: Path, tmp_path: Path) -> None:
    folder = dist / "v" / release.id
    folder.rename(tmp_path / "outside")
    folder.symlink_to(tmp_path / "outside")

    publish(release, dist, KEPT, unseen)

    assert (folder.is_symlink(), verify_site(dist).findings) == (False, ())


def test_links_above_the_site_and_the_site_itself_may_be_links(release: Release, tmp_path: Path) -> None:
    for folder in ("project", "elsewhere"):
        (tmp_path / folder).mkdir()
    (tmp_path / "project/dist").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "link").symlink_to(tmp_path / "project")

    publish(release, tmp_path / "link/dist", KEPT, unseen)

    assert ((tmp_path / "link").is_symlink(), (tmp_path / "project/dist").is_symlink()) == (True, True)
    assert verify_site(tmp_path / "elsewhere").findings == ()


def test_a_release_before_this_one_that_is_gone_is_not_named_any_more(
    release: Release, abandoned: Release, dist: Path
) -> None:
    publish(abandoned, dist, KEPT, unseen)
    shutil.rmtree(dist / "v" / release.id)

    publish(abandoned, dist, KEPT, unseen)

    assert ([one.release for one in read_current(dist)], verify_site(dist).findings) == ([abandoned.id], ())


def test_a_publication_that_was_torn_before_the_pointer_moved_is_finished(abandoned: Release, dist: Path) -> None:
    pointer = (dist / "current.json").read_bytes()
    publish(abandoned, dist, KEPT, unseen)
    (dist / "current.json").write_bytes(pointer)
    (dist / "v/.staging/q").mkdir(parents=True)
    (dist / "q/lid/.tmp-index.html").write_text("torn", encoding="utf-8")

    publish(abandoned, dist, KEPT, unseen)

    assert (read_current(dist)[0].release, verify_site(dist).findings) == (abandoned.id, ())
    assert not (dist / "v/.staging").exists()


def test_a_file_system_without_links_gets_copies_and_the_same_release_touches_none(
    release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_links(monkeypatch, errno.EXDEV)
    publish(release, tmp_path, KEPT, unseen)
    before = seen(tmp_path)

    publish(release, tmp_path, KEPT, unseen)

    assert not is_same_file(tmp_path / "index.html", tmp_path / "v" / release.id / "index.html")
    assert (seen(tmp_path), verify_site(tmp_path).findings) == (before, ())


def test_an_error_of_the_disk_is_not_taken_for_a_file_system_without_links(
    release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_links(monkeypatch, errno.EIO)

    with pytest.raises(OSError, match=os.strerror(errno.EIO)):
        publish(release, tmp_path, KEPT, unseen)


def test_publishing_says_what_it_did(release: Release, contextless: Release, tmp_path: Path) -> None:
    dist = tmp_path / "dist"
    said = [publish(release, dist, 1, unseen), publish(release, dist, 1, unseen), publish(contextless, dist, 1, unseen)]
    damage(dist / "v" / contextless.id / "404.html")
    said.append(publish(contextless, dist, 1, unseen))

    assert [(one.release, one.is_new, one.repaired, one.removed) for one in said] == [
        (release.id, True, 0, ()),
        (release.id, False, 0, ()),
        (contextless.id, True, 0, (release.id,)),
        (contextless.id, False, 1, ()),
    ]


def test_a_folder_of_somebody_else_is_refused_untouched(release: Release, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("mine", encoding="utf-8")

    with pytest.raises(Refused) as refused:
        publish(release, tmp_path, 1, unseen)

    assert str(refused.value).replace(str(tmp_path), "DIST") == (
        "error[foreign-folder]: DIST holds files that are not a site of ours\n"
        "  --> DIST\n"
        "  it is not empty and has neither site.json nor v/\n"
        "  mend: move what is there, or delete the folder"
    )
    assert contents(tmp_path) == {"letter.txt": b"mine"}


def test_a_pointer_that_names_no_release_is_refused(site: Path) -> None:
    release = read_current(site / "dist")[0].release
    edit(site / "dist/current.json", f'"release":"{release}"', '"release":"../../elsewhere"')

    with pytest.raises(Refused) as refused:
        read_current(site / "dist")

    assert str(refused.value).replace(str(site), "PROJECT") == (
        "error[bad-value]: release is '../../elsewhere'\n"
        "  --> PROJECT/dist/current.json:1\n"
        "  mend: delete the folder and build again"
    )


def test_nothing_is_published_where_there_is_no_pointer(tmp_path: Path) -> None:
    assert read_current(tmp_path) == ()


def test_a_file_with_the_wanted_bytes_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "a/b"

    assert [write_if_changed(path, b"1"), write_if_changed(path, b"1"), write_if_changed(path, b"2")] == [
        True,
        False,
        True,
    ]


def test_files_below_a_folder_are_listed_with_links_that_are_not_followed(tmp_path: Path) -> None:
    for name in ("b", "a/c/d", "a/b"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "link").symlink_to("a")

    assert list(files_below(tmp_path)) == ["b", "link", "a/b", "a/c/d"]


def seen(folder: Path) -> dict[str, Seen]:
    found = {}
    for path in files_below(folder):
        stat = (folder / path).stat()
        found[path] = Seen(stat.st_ino, stat.st_mtime_ns, (folder / path).read_bytes())
    return found


def contents(folder: Path) -> dict[str, bytes]:
    return {path: (folder / path).read_bytes() for path in files_below(folder)}


def is_same_file(one: Path, other: Path) -> bool:
    return other.is_file() and one.samefile(other)


def released(dist: Path) -> set[str]:
    return {path.name for path in (dist / "v").iterdir()}


def damage(path: Path) -> None:
    """Change a byte as a failing disk does, in a file of its own."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.unlink()
    path.write_bytes(content)


def refuse_links(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "link", refuse)
