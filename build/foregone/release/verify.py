"""Checking a published site by its own files: nothing but the folder is needed."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from foregone.digest import Digest, address, digest_bytes
from foregone.errors import Refused
from foregone.files import decode_utf8
from foregone.located import Located, load_json, parse_json
from foregone.release.manifest import unstamp
from foregone.release.publish import STAGING, files_below, read_current
from foregone.release.root import KeptRelease, current_bytes
from foregone.render.answer_json import API_VERSION, json_bytes
from foregone.render.pages import RELEASE_TOKEN

SAFE_PATH = re.compile(r"(?!.*(?:^|/)\.{1,2}(?:/|$))[^/\\\s]+(?:/[^/\\\s]+)*")
MEND = "run `foregone build`"
MANIFEST_KEYS = (
    "format", "index_version", "corpus", "questions", "drafts", "settings", "thresholds", "rules", "templates",
    "counts", "files",
)  # fmt: skip
MAX_MANIFEST = 200_000_000
"""Characters of a manifest, which lists a file in about 150: a release may have a million files."""
LARGEST = 2**40
"""Bytes of the largest file that a list may name."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One file that is not as it should be."""

    kind: Literal["missing", "changed", "stray"]
    path: str
    """From the root of the site."""
    why: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What `verify_site` found."""

    release: str
    """The current release."""
    releases: int
    """Releases that were checked."""
    files: int
    """Files that were hashed or compared."""
    findings: tuple[Finding, ...]
    """Empty: the site is whole."""
    interrupted: str | None
    """A whole release that no pointer names: a build was stopped, and root files may be of it; the next completes it."""
    staging: bool
    """Whether a half-written release was left: told and no finding, for no page leads there and the next build clears it."""


@dataclass(frozen=True, slots=True)
class _Listed:
    digest: Digest
    size: int
    names_release: bool


UNLISTED: Mapping[str, _Listed | None] = {"current.json": None, "site.json": None}
"""What stands at the root of every site and in no list with a digest."""


def verify_site(dist: Path) -> Verification:
    """Every file of the site against the manifests; Refused where there is no site to check."""
    current = _current(dist)
    findings: list[Finding] = []
    manifests: dict[str, Mapping[str, _Listed]] = {}
    for kept in current:
        listed, found = _read_release(dist, kept)
        findings.extend(found)
        if listed is not None:
            manifests[kept.release] = listed
    findings.extend(_stray_releases(dist, {kept.release for kept in current}))
    findings.extend(_check_pointer(dist, current))
    root_only = _root_only(dist, findings)
    findings.extend(_check_root_only(dist, root_only))
    root = manifests.get(current[0].release)
    if root is not None:
        outliving = _outliving_assets(dist, current, manifests)
        findings.extend(_check_root(dist, {**outliving, **root}, current[0].release))
        findings.extend(_root_strays(dist, {**outliving, **root, **root_only}))
    files = sum(len(listed) + 1 for listed in manifests.values()) + len(root or ()) + len(root_only)
    unfinished = _unfinished(dist, {kept.release for kept in current})
    left = [finding for finding in findings if unfinished is None or not _is_of(dist, unfinished, finding)]
    ordered = tuple(sorted(left, key=lambda finding: (finding.path, finding.kind)))
    return Verification(current[0].release, len(current), files, ordered, unfinished, (dist / "v" / STAGING).exists())


def verify_release(dist: Path, kept: KeptRelease) -> tuple[Finding, ...]:
    """Every file of one release against its manifest; the root is not looked at."""
    return _read_release(dist, kept)[1]


def _read_release(dist: Path, kept: KeptRelease) -> tuple[Mapping[str, _Listed] | None, tuple[Finding, ...]]:
    findings: list[Finding] = []
    listed = _manifest(dist, kept, findings)
    if listed is not None:
        findings.extend(_check_release(dist, kept.release, listed))
    return listed, tuple(findings)


def _current(dist: Path) -> tuple[KeptRelease, ...]:
    current = read_current(dist)
    if not current:
        raise Refused(
            "no-site",
            f"{dist} holds no published site",
            where=str(dist / "current.json"),
            why=("there is no current.json",),
            mend=MEND,
        )
    return current


def _manifest(dist: Path, kept: KeptRelease, findings: list[Finding]) -> Mapping[str, _Listed] | None:
    """Path -> what the manifest lists, or None with a finding where the manifest is not the one of this release."""
    path = f"v/{kept.release}/manifest.json"
    content = _read(dist / path)
    if content is None:
        findings.append(Finding("missing", path, "the manifest of a release that current.json names"))
        return None
    digest = digest_bytes(content)
    if address(digest) != kept.release:
        findings.append(Finding("changed", path, f"its digest is {digest}, current.json says {kept.manifest_digest}"))
        return None
    top = _parse_manifest(content, dist / path)
    named = KeptRelease(kept.release, digest, top["index_version"].value)
    if named != kept:
        findings.append(Finding("changed", "current.json", f"it is not what {path} says of this release"))
    listed = dict(_listed(entry) for entry in top["files"].items())
    if not all(SAFE_PATH.fullmatch(name) for name in listed):
        findings.append(Finding("changed", path, "it lists a path that leaves the release"))
        return None
    return listed


def _parse_manifest(content: bytes, path: Path) -> Mapping[str, Located]:
    return parse_json(decode_utf8(content, path), path, MAX_MANIFEST).mapping(required=MANIFEST_KEYS)


def _listed(entry: Located) -> tuple[str, _Listed]:
    fields = entry.mapping(required=("path", "sha256", "size"), optional=("self",))
    digest, size = Digest(fields["sha256"].string()), fields["size"].integer(0, LARGEST)
    return fields["path"].string(), _Listed(digest, size, "self" in fields and fields["self"].boolean())


def _check_pointer(dist: Path, current: tuple[KeptRelease, ...]) -> Iterator[Finding]:
    """No manifest lists current.json, so it must have exactly the bytes that say what it says."""
    if _read(dist / "current.json") != current_bytes(current[0], current[1:]):
        yield Finding("changed", "current.json", "it is not in the form in which it is published")
    for kept in current:
        if address(kept.manifest_digest) != kept.release:
            yield Finding("changed", "current.json", f"{kept.release} is not the address of {kept.manifest_digest}")


def _check_release(dist: Path, release: str, listed: Mapping[str, _Listed]) -> Iterator[Finding]:
    folder = f"v/{release}"
    if (dist / folder).is_symlink():
        yield Finding("changed", folder, "it is a link")
    for name, entry in listed.items():
        content = _read(dist / folder / name)
        if content is None:
            yield Finding("missing", f"{folder}/{name}", "the manifest lists it")
        elif why := _difference(content, entry, release):
            yield Finding("changed", f"{folder}/{name}", why)
    for name in files_below(dist / folder):
        if name not in listed and name != "manifest.json":
            yield Finding("stray", f"{folder}/{name}", "the manifest does not list it")


def _difference(content: bytes, entry: _Listed, release: str) -> str:
    """How a file differs from what the manifest of `release` lists; empty where it does not."""
    if entry.names_release and RELEASE_TOKEN.encode() in content:
        return f"it holds {RELEASE_TOKEN}, which stands for the release in its digest"
    original = unstamp(content, release) if entry.names_release else content
    is_same = digest_bytes(original) == entry.digest and len(original) == entry.size
    return "" if is_same else f"expected {entry.digest}, found {digest_bytes(original)}"


def _stray_releases(dist: Path, known: set[str]) -> Iterator[Finding]:
    for path in sorted((dist / "v").glob("*")):
        if path.name not in known and path.name != STAGING:
            yield Finding("stray", f"v/{path.name}", "current.json does not name this release")


def _unfinished(dist: Path, known: set[str]) -> str | None:
    """The id of a release that no pointer names and that is whole, if there is one."""
    unnamed = (path.name for path in sorted((dist / "v").glob("*")) if path.name not in known)
    return next((release for release in unnamed if _is_whole(dist, release)), None)


def _is_whole(dist: Path, release: str) -> bool:
    path = dist / "v" / release / "manifest.json"
    content = _read(path)
    if content is None or address(digest_bytes(content)) != release:
        return False
    try:
        version = _parse_manifest(content, path)["index_version"].value
        return not verify_release(dist, KeptRelease(release, digest_bytes(content), version))
    except Refused:
        return False


def _is_of(dist: Path, release: str, finding: Finding) -> bool:
    """Whether what was found is the release itself or one of its files, already at the root."""
    if finding.path == f"v/{release}":
        return True
    content = _read(dist / finding.path)
    return content is not None and content == _read(dist / "v" / release / finding.path)


def _root_only(dist: Path, findings: list[Finding]) -> Mapping[str, _Listed | None]:
    """Path -> digest and size, None for the two files that no list can hold the digest of."""
    content = _read(dist / "site.json")
    if content is None:
        findings.append(Finding("missing", "site.json", "it lists the files that stand at the root alone"))
        return UNLISTED
    try:
        site = load_json(dist / "site.json", mend=MEND)
        listed = _root_listed(site)
    except Refused as error:
        findings.append(Finding("changed", "site.json", "; ".join((error.what, *error.why))))
        return UNLISTED
    if content != json_bytes(site.value) or not UNLISTED.keys() <= listed.keys():
        findings.append(Finding("changed", "site.json", "it is not in the form in which it is published"))
    return {**UNLISTED, **listed}


def _root_listed(site: Located) -> Mapping[str, _Listed | None]:
    top = site.mapping(required=("api_version", "root_only"))
    top["api_version"].one_of(API_VERSION)
    listed: dict[str, _Listed | None] = {}
    for entry in top["root_only"].items():
        fields = entry.mapping(required=("path",), optional=("sha256", "size"))
        path = fields["path"].matching(SAFE_PATH, "a path that stays in the site")
        known = "sha256" in fields and "size" in fields
        if not known and path not in UNLISTED:
            entry.refuse("missing-key", f"{path} has no digest and size", mend=MEND)
        listed[path] = (
            _Listed(Digest(fields["sha256"].string()), fields["size"].integer(0, LARGEST), names_release=False)
            if known
            else None
        )
    return listed


def _outliving_assets(
    dist: Path, current: tuple[KeptRelease, ...], manifests: Mapping[str, Mapping[str, _Listed]]
) -> Mapping[str, _Listed]:
    """The assets of the release before this one that are still at the root."""
    before = manifests.get(current[1].release, {}) if len(current) > 1 else {}
    return {name: entry for name, entry in before.items() if name.startswith("assets/") and (dist / name).exists()}


def _check_root(dist: Path, listed: Mapping[str, _Listed], release: str) -> Iterator[Finding]:
    for name, entry in listed.items():
        content = _read(dist / name)
        if content is None:
            yield Finding("missing", name, f"the current release {release} has it")
        elif why := _difference(content, entry, release):
            yield Finding("changed", name, f"it is not the file of the current release: {why}")


def _check_root_only(dist: Path, root_only: Mapping[str, _Listed | None]) -> Iterator[Finding]:
    for name, entry in root_only.items():
        content = _read(dist / name)
        if content is None:
            yield Finding("missing", name, "site.json lists it")
        elif entry is not None and (digest_bytes(content) != entry.digest or len(content) != entry.size):
            yield Finding("changed", name, f"site.json lists {entry.digest}, found {digest_bytes(content)}")


def _root_strays(dist: Path, known: Mapping[str, object]) -> Iterator[Finding]:
    """Root files that neither the current release nor site.json has."""
    for name in files_below(dist):
        if not name.startswith("v/") and name not in known:
            yield Finding("stray", name, "neither the current release nor site.json lists it")


def _read(path: Path) -> bytes | None:
    """The bytes of a regular file; None where there is none: a link does not count, nor a name too long to be one."""
    try:
        return path.read_bytes() if path.is_file() and not path.is_symlink() else None
    except OSError:
        return None
