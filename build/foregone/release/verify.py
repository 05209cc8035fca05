"""Checking a published site by its own files: nothing but the folder is needed."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from foregone.digest import Digest, address, digest_bytes
from foregone.errors import Refused
from foregone.located import load_json, parse_json
from foregone.release.manifest import unstamp
from foregone.release.publish import STAGING, files_below, read_current
from foregone.release.root import KeptRelease

SAFE_PATH = re.compile(r"(?!.*(?:^|/)\.{1,2}(?:/|$))[^/\\\s]+(?:/[^/\\\s]+)*")
MEND = "run `foregone build`"


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


@dataclass(frozen=True, slots=True)
class _Listed:
    digest: Digest
    size: int
    names_release: bool


def verify_site(dist: Path) -> Verification:
    """Every file of the site against the manifests; Refused where there is no site to check."""
    current = _current(dist)
    findings: list[Finding] = []
    manifests: dict[str, Mapping[str, _Listed]] = {}
    for kept in current:
        listed = _manifest(dist, kept, findings)
        if listed is not None:
            manifests[kept.release] = listed
            findings.extend(_check_release(dist, kept.release, listed))
    findings.extend(_stray_releases(dist, {kept.release for kept in current}))
    root = manifests.get(current[0].release, {})
    root_only = _root_only(dist, findings)
    findings.extend(_check_root(dist, current[0].release, root, root_only))
    findings.extend(_root_strays(dist, current, root, root_only))
    files = sum(len(listed) + 1 for listed in manifests.values()) + len(root) + len(root_only)
    return Verification(
        current[0].release, len(current), files, tuple(sorted(findings, key=lambda f: (f.path, f.kind)))
    )


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
    if address(digest) != kept.release or digest != kept.manifest_digest:
        findings.append(Finding("changed", path, f"its digest is {digest}, current.json says {kept.manifest_digest}"))
        return None
    entries = parse_json(content.decode(), dist / path).value["files"]
    listed = {
        entry["path"]: _Listed(Digest(entry["sha256"]), entry["size"], entry.get("self", False)) for entry in entries
    }
    if not all(SAFE_PATH.fullmatch(name) for name in listed):
        findings.append(Finding("changed", path, "it lists a path that leaves the release"))
        return None
    return listed


def _check_release(dist: Path, release: str, listed: Mapping[str, _Listed]) -> Iterator[Finding]:
    folder = f"v/{release}"
    for name, entry in listed.items():
        content = _read(dist / folder / name)
        if content is None:
            yield Finding("missing", f"{folder}/{name}", "the manifest lists it")
            continue
        original = unstamp(content, release) if entry.names_release else content
        if digest_bytes(original) != entry.digest or len(original) != entry.size:
            yield Finding("changed", f"{folder}/{name}", f"expected {entry.digest}, found {digest_bytes(original)}")
    for name in files_below(dist / folder):
        if name not in listed and name != "manifest.json":
            yield Finding("stray", f"{folder}/{name}", "the manifest does not list it")


def _stray_releases(dist: Path, known: set[str]) -> Iterator[Finding]:
    for path in sorted((dist / "v").glob("*")):
        if path.name not in known and path.name != STAGING:
            yield Finding("stray", f"v/{path.name}", "current.json does not name this release")


def _root_only(dist: Path, findings: list[Finding]) -> Mapping[str, _Listed | None]:
    """Path -> digest and size, None for the two files that say it themselves."""
    if _read(dist / "site.json") is None:
        findings.append(Finding("missing", "site.json", "it lists the files that stand at the root alone"))
        return {"current.json": None, "site.json": None}
    top = load_json(dist / "site.json", mend=MEND).mapping(required=("api_version", "title", "url", "root_only"))
    listed: dict[str, _Listed | None] = {}
    for entry in top["root_only"].items():
        fields = entry.mapping(required=("path",), optional=("sha256", "size"))
        known = "sha256" in fields and "size" in fields
        listed[fields["path"].string()] = (
            _Listed(Digest(fields["sha256"].string()), fields["size"].integer(0, 2**40), names_release=False)
            if known
            else None
        )
    return listed


def _check_root(
    dist: Path, release: str, listed: Mapping[str, _Listed], root_only: Mapping[str, _Listed | None]
) -> Iterator[Finding]:
    for name in listed:
        content, original = _read(dist / name), _read(dist / "v" / release / name)
        if content is None:
            yield Finding("missing", name, f"the current release {release} has it")
        elif original is not None and content != original:
            yield Finding("changed", name, f"it is not the file of the current release {release}")
    for name, entry in root_only.items():
        content = _read(dist / name)
        if content is None:
            yield Finding("missing", name, "site.json lists it")
        elif entry is not None and digest_bytes(content) != entry.digest:
            yield Finding("changed", name, f"expected {entry.digest}, found {digest_bytes(content)}")


def _root_strays(
    dist: Path,
    current: tuple[KeptRelease, ...],
    listed: Mapping[str, _Listed],
    root_only: Mapping[str, _Listed | None],
) -> Iterator[Finding]:
    """Root files that neither the current release nor site.json has; assets of the release before may stay."""
    outliving = set()
    if len(current) > 1:
        assets = dist / "v" / current[1].release / "assets"
        outliving = {f"assets/{path.name}" for path in assets.glob("*")}
    for name in files_below(dist):
        if not name.startswith("v/") and name not in listed and name not in root_only and name not in outliving:
            yield Finding("stray", name, "neither the current release nor site.json lists it")


def _read(path: Path) -> bytes | None:
    """The bytes of a regular file; None where there is none (a symbolic link does not count)."""
    return path.read_bytes() if path.is_file() and not path.is_symlink() else None
