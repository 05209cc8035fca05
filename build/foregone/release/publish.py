"""Publishing into `dist/`: each page is whole at every moment, and the next build finishes a torn one."""

import errno
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from foregone.digest import Digest
from foregone.errors import Refused
from foregone.files import write_atomically
from foregone.located import Located, load_json
from foregone.release.manifest import Release
from foregone.release.root import KeptRelease, current_bytes, headers_bytes, site_bytes
from foregone.render.answer_json import API_VERSION

STAGING = ".staging"
MARKER = "site.json"
RELEASE_ID = re.compile(r"[0-9a-f]{12}")

Step = Callable[[str], None]
"""Told what was done last; the folder is as a crash at that moment would leave it."""


@dataclass(frozen=True, slots=True)
class Published:
    """What publishing did."""

    release: str
    is_new: bool
    """False: this release was current already."""
    repaired: int
    """Files of it that were damaged and written again."""
    removed: tuple[str, ...]
    """Releases that are not kept any more."""


def publish(release: Release, dist: Path, kept_releases: int, step: Step) -> Published:
    """Make `release` the current one in `dist`.

    (1) put `/v/<release>/` there by one rename, or repair it file by file;
    (2) replace the root files one by one; (3) move `current.json`, the last one that readers follow;
    (4) delete what is not kept: strays, and releases past `kept_releases`.
    """
    _refuse_foreign(dist)
    before = read_current(dist)
    previous = _previous(dist, before, release, kept_releases)
    repaired = _place_release(release, dist, before[0].release if before else None, step)
    root_only = {"_headers": headers_bytes()}
    _place_root(release, dist, {**root_only, "site.json": site_bytes(root_only)}, step)
    current = KeptRelease(release.id, release.manifest_digest, release.index_version)
    _put(dist, "current.json", current_bytes(current, previous))
    step("current.json")
    is_new = not before or before[0].release != release.id
    removed = _remove_strays(release, dist, previous, root_only)
    step("strays")
    return Published(release.id, is_new, repaired, removed)


def read_current(dist: Path) -> tuple[KeptRelease, ...]:
    """The current release and the ones before it, newest first; empty where nothing is published."""
    path = dist / "current.json"
    if not path.exists():
        return ()
    top = load_json(path, mend="delete the folder and build again").mapping(
        required=("api_version", "release", "manifest_sha256", "index_version", "stale", "previous")
    )
    top["api_version"].one_of(API_VERSION)
    top["stale"].items()
    return (_kept(top), *(_kept(entry.mapping(required=_KEPT_KEYS)) for entry in top["previous"].items()))


_KEPT_KEYS = ("release", "manifest_sha256", "index_version")


def files_below(folder: Path) -> Iterator[str]:
    """Paths of all files below `folder`, relative, with `/`; links to folders are not followed."""
    for parent, folders, names in os.walk(folder):
        folders.sort()
        relative = Path(parent).relative_to(folder).as_posix()
        prefix = "" if relative == "." else f"{relative}/"
        links = [name for name in folders if (Path(parent) / name).is_symlink()]
        yield from (prefix + name for name in sorted([*names, *links]))


def write_if_changed(path: Path, content: bytes) -> bool:
    """Write `content` atomically unless it is there already; returns whether it was written."""
    if path.is_file() and not path.is_symlink() and path.read_bytes() == content:
        return False
    write_atomically(path, content)
    return True


def _kept(fields: dict[str, Located]) -> KeptRelease:
    version = fields["index_version"].value
    release = fields["release"]
    if not RELEASE_ID.fullmatch(release.string()):
        release.refuse("bad-value", f"{release.name} is {release.value!r}", mend="delete the folder and build again")
    return KeptRelease(
        release.string(),
        Digest(fields["manifest_sha256"].string()),
        None if version is None else fields["index_version"].string(),
    )


def _refuse_foreign(dist: Path) -> None:
    """A folder that is not a site of ours is not emptied, a file is not replaced by one."""
    if dist.exists() and not dist.is_dir():
        raise Refused("foreign-folder", f"{dist} is not a folder", where=str(dist), mend="move what is there")
    if dist.is_dir() and any(dist.iterdir()) and not (dist / MARKER).exists() and not (dist / "v").is_dir():
        raise Refused(
            "foreign-folder",
            f"{dist} holds files that are not a site of ours",
            where=str(dist),
            why=(f"it is not empty and has neither {MARKER} nor v/",),
            mend="move what is there, or delete the folder",
        )


def _previous(
    dist: Path, before: tuple[KeptRelease, ...], release: Release, kept_releases: int
) -> tuple[KeptRelease, ...]:
    """The releases before this one that are still there and stay."""
    others = (kept for kept in before if kept.release != release.id)
    return tuple(kept for kept in others if (dist / "v" / kept.release / "manifest.json").is_file())[
        : kept_releases - 1
    ]


def _place_release(release: Release, dist: Path, last: str | None, step: Step) -> int:
    """Files that had to be repaired; 0 where the release is new."""
    folder = dist / "v" / release.id
    _make_folder(dist, dist / "v")
    if folder.is_symlink() or folder.is_file():
        folder.unlink()
    if folder.is_dir():
        wanted = {path: release.stamped(path) for path in release.tree} | {"manifest.json": release.manifest}
        _remove_all(folder, set(files_below(folder)) - set(wanted))
        return sum(_put(folder, path, content) for path, content in wanted.items())
    staging = dist / "v" / STAGING
    shutil.rmtree(staging, ignore_errors=True)
    for path in release.tree:
        twin = dist / "v" / last / path if last and not release.tree[path].names_release else None
        _place_new(staging / path, release.stamped(path), twin)
        step(f"staged {path}")
    _place_new(staging / "manifest.json", release.manifest, None)
    os.sync()
    step("staged manifest.json")
    staging.rename(folder)
    step(f"v/{release.id}")
    return 0


def _place_new(target: Path, content: bytes, twin: Path | None) -> None:
    """Write a file that nobody reads yet, as a link to its twin in the last release where that is the same."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if twin is not None and twin.is_file() and not twin.is_symlink() and twin.read_bytes() == content:
        link_or_copy(twin, target)
    else:
        target.write_bytes(content)


def link_or_copy(source: Path, target: Path) -> None:
    """Make `target` a hard link to `source`, or a copy on a file system that has none."""
    try:
        os.link(source, target)
    except OSError as error:
        if error.errno not in (errno.EXDEV, errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.EACCES):
            raise
        shutil.copyfile(source, target)


def _place_root(release: Release, dist: Path, root_only: Mapping[str, bytes], step: Step) -> None:
    """Assets first: a page never names a style sheet that is not there yet."""
    for path in sorted(release.tree, key=lambda path: (not path.startswith("assets/"), path)):
        _replace_by_link(dist, dist / "v" / release.id / path, dist / path)
        step(path)
    for path, content in root_only.items():
        _put(dist, path, content)
        step(path)


def _put(base: Path, path: str, content: bytes) -> bool:
    """Have `content` at `path` below `base`; returns whether it had to be written."""
    _clear_way(base, base / path)
    return write_if_changed(base / path, content)


def _replace_by_link(dist: Path, source: Path, target: Path) -> None:
    """Leaves a file alone that has the right bytes: on a file system without links every one is a copy."""
    _clear_way(dist, target)
    if target.is_file() and not target.is_symlink() and _are_equal(source, target):
        return
    temporary = target.parent / f".tmp-{target.name}"
    temporary.unlink(missing_ok=True)
    link_or_copy(source, temporary)
    temporary.replace(target)


def _are_equal(one: Path, other: Path) -> bool:
    return os.path.samestat(one.stat(), other.stat()) or one.read_bytes() == other.read_bytes()


def _clear_way(base: Path, target: Path) -> None:
    """Make the folder of `target`; a folder that stands where a file must be gives way."""
    _make_folder(base, target.parent)
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)


def _make_folder(base: Path, folder: Path) -> None:
    """Make `folder`; a file or link that stands in its way below `base` gives way, `base` itself may be a link."""
    below = folder.relative_to(base)
    for part in (*reversed(below.parents), below):
        if part != Path() and ((base / part).is_symlink() or (base / part).is_file()):
            (base / part).unlink()
    folder.mkdir(parents=True, exist_ok=True)


def _remove_strays(
    release: Release, dist: Path, previous: tuple[KeptRelease, ...], root_only: Mapping[str, bytes]
) -> tuple[str, ...]:
    kept = {release.id, *(entry.release for entry in previous)}
    removed = sorted(path.name for path in (dist / "v").iterdir() if path.name not in kept)
    for name in removed:
        _remove(dist / "v" / name)
    wanted = {*release.tree, *root_only, "site.json", "current.json"}
    if previous:
        wanted |= {f"assets/{path.name}" for path in (dist / "v" / previous[0].release / "assets").glob("*")}
    _remove_all(dist, {path for path in files_below(dist) if not path.startswith("v/")} - wanted)
    return tuple(name for name in removed if name != STAGING)


def _remove_all(folder: Path, paths: set[str]) -> None:
    for path in sorted(paths, reverse=True):
        _remove(folder / path)
        parent = (folder / path).parent
        while parent != folder and not any(parent.iterdir()):
            parent.rmdir()
            parent = parent.parent


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()
