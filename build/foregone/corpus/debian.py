"""Debian: files from Debian packages, brought by apt with state of its own.

Everything that apt reads of its sources or writes lies in one temporary folder: its sources (those of the machine, with
another component), lists, cache and downloads. The machine's configuration and lists stay as they are, and hooks that
it runs after an update are not run. Being root is not needed.
"""

import gzip
import os
import re
import subprocess
import tempfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from foregone.corpus.manifest import MAX_BYTES, DebianCopy

SUITES = frozenset(
    ("oldoldstable", "oldstable", "stable", "testing", "unstable", "bullseye", "bookworm", "trixie", "forky", "sid")
)
"""Names from https://www.debian.org/releases/; documents lie in these, not in their -updates and -security."""
COMPONENT = "non-free"
LONGEST_COMMAND_S = 900
ONE_LINE = re.compile(r"\s*deb\s+(?:\[(?P<options>[^\]]*)\]\s+)?(?P<uri>\S+)\s+(?P<suite>\S+)\s+(?P<components>[^#]+)")
ETC_APT = Path("/etc/apt")

APT_CONF = """\
Dir::Etc::sourcelist "{folder}/debian.sources";
Dir::Etc::sourceparts "/dev/null";
Dir::State::lists "{folder}/lists";
Dir::Cache "{folder}/cache";
APT::Sandbox::User "root";
Acquire::Retries "1";
Acquire::http::Timeout "20";
Acquire::https::Timeout "20";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
"""
"""The sandbox user is root because apt's own user cannot enter a temporary folder that only its owner may open."""


@dataclass(frozen=True, slots=True)
class DebianSource:
    """One place and suite of Debian packages."""

    uri: str
    suite: str
    signed_by: str
    """Keyring paths, fingerprints or a whole key as deb822 writes it; empty where apt's trusted keys count."""


@dataclass(frozen=True, slots=True)
class Absent:
    """A file that the packages did not give."""

    why: str


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended."""

    status: int
    said: str
    """Its output and errors."""


Run = Callable[[Sequence[str], Path], Ran]
"""Runs a command in a folder."""


def run_command(command: Sequence[str], folder: Path) -> Ran:
    """How `command` ends that is run in `folder`; 126, 127 or 124 where it cannot be run or does not end."""
    environment = {**os.environ, "LC_ALL": "C"}
    try:
        ended = subprocess.run(  # noqa: S603 - programs named below; a package name is checked by the manifest
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=LONGEST_COMMAND_S,
            check=False,
        )
    except FileNotFoundError:
        return Ran(127, f"{command[0]} is not installed")
    except OSError as error:
        return Ran(126, f"{command[0]} cannot be run: {error.strerror}")
    except subprocess.TimeoutExpired:
        return Ran(124, f"{command[0]} does not end within {LONGEST_COMMAND_S} s")
    return Ran(ended.returncode, ended.stdout.decode(errors="replace"))


def unpack_debian(
    copies: Sequence[DebianCopy], *, run: Run = run_command, etc_apt: Path = ETC_APT
) -> Mapping[DebianCopy, bytes | Absent]:
    """The unzipped bytes of each copy, or why they did not come; one update, and one download per package."""
    sources = read_sources(etc_apt)
    if not sources:
        return dict.fromkeys(copies, Absent(f"{etc_apt} names no Debian suite with component main"))
    with tempfile.TemporaryDirectory(prefix="foregone-debian-") as name:
        folder = Path(name)
        _write_configuration(folder, sources)
        update = run(("apt-get", f"--config-file={folder / 'apt.conf'}", "--quiet", "update"), folder)
        if update.status != 0:
            return dict.fromkeys(copies, Absent("apt-get update: " + _complaint(update)))
        unpacked: dict[DebianCopy, bytes | Absent] = {}
        for package in dict.fromkeys(copy.package for copy in copies):
            wanted = tuple(copy for copy in copies if copy.package == package)
            unpacked |= _unpack_package(package, wanted, folder, run, update)
        return unpacked


def read_sources(etc_apt: Path) -> tuple[DebianSource, ...]:
    """The Debian suites that the machine's own sources offer, each once; unreadable files are passed over."""
    parts = etc_apt / "sources.list.d"
    files = (etc_apt / "sources.list", *sorted(parts.glob("*.list")), *sorted(parts.glob("*.sources")))
    found: dict[DebianSource, None] = {}
    for path in files:
        parse = parse_deb822 if path.suffix == ".sources" else parse_one_line
        found |= dict.fromkeys(parse(_text_or_nothing(path)))
    return tuple(found)


def parse_one_line(text: str) -> tuple[DebianSource, ...]:
    """The Debian suites with component main in a `.list` file (sources.list(5), one-line style).

    >>> parse_one_line("deb [signed-by=/k.gpg] http://mirror.example/debian bookworm main")
    (DebianSource(uri='http://mirror.example/debian', suite='bookworm', signed_by='/k.gpg'),)
    """
    entries = (match for line in text.splitlines() if (match := ONE_LINE.match(line)))
    return tuple(
        DebianSource(entry["uri"], entry["suite"], _signed_by(entry["options"] or ""))
        for entry in entries
        if entry["suite"] in SUITES and "main" in entry["components"].split()
    )


def parse_deb822(text: str) -> tuple[DebianSource, ...]:
    """The Debian suites with component main in a `.sources` file (sources.list(5), deb822 style)."""
    return tuple(
        DebianSource(uri, suite, stanza.get("signed-by", ""))
        for stanza in _stanzas(text)
        if _is_offered(stanza)
        for uri in stanza.get("uris", "").split()
        for suite in stanza.get("suites", "").split()
        if suite in SUITES
    )


def in_deb822(sources: Sequence[DebianSource]) -> str:
    """A `.sources` file that offers the non-free component of `sources`."""
    return "\n".join(
        "Types: deb\n"
        f"URIs: {source.uri}\n"
        f"Suites: {source.suite}\n"
        f"Components: {COMPONENT}\n"
        "Targets: Packages\n"
        "Languages: none\n" + (f"Signed-By: {source.signed_by}\n" if source.signed_by else "")
        for source in sources
    )


def _text_or_nothing(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _signed_by(options: str) -> str:
    values = (option.partition("=")[2] for option in options.split() if option.lower().startswith("signed-by="))
    return " ".join(values).replace(",", " ")


def _stanzas(text: str) -> Iterator[dict[str, str]]:
    lines = (line.rstrip() for line in text.splitlines() if not line.startswith("#"))
    for paragraph in re.split(r"\n{2,}", "\n".join(lines)):
        unfolded = re.split(r"\n(?![ \t])", paragraph)
        fields = (field.partition(":") for field in unfolded)
        yield {name.strip().lower(): value.strip(" \t") for name, _, value in fields}


def _is_offered(stanza: Mapping[str, str]) -> bool:
    is_enabled = stanza.get("enabled", "yes").lower() not in ("no", "false", "0", "off", "without", "disable")
    is_binary = "deb" in stanza.get("types", "").split()
    return is_enabled and is_binary and "main" in stanza.get("components", "").split()


def _write_configuration(folder: Path, sources: Sequence[DebianSource]) -> None:
    for needed in ("lists/partial", "cache/archives/partial"):
        (folder / needed).mkdir(parents=True)
    (folder / "debian.sources").write_text(in_deb822(sources), encoding="utf-8")
    (folder / "apt.conf").write_text(APT_CONF.format(folder=folder), encoding="utf-8")


def _unpack_package(
    package: str, copies: Sequence[DebianCopy], folder: Path, run: Run, update: Ran
) -> Mapping[DebianCopy, bytes | Absent]:
    downloads, tree = folder / "packages" / package, folder / "trees" / package
    downloads.mkdir(parents=True)
    tree.mkdir(parents=True)
    got = run(("apt-get", f"--config-file={folder / 'apt.conf'}", "--quiet", "download", package), downloads)
    archives = tuple(downloads.glob("*.deb"))
    if got.status != 0 or len(archives) != 1:
        said = "; ".join(filter(None, (_complaint(got), _marked(update))))
        return dict.fromkeys(copies, Absent(f"apt-get download {package}: {said}"))
    unpacked = run(("dpkg-deb", "--extract", str(archives[0]), str(tree)), folder)
    if unpacked.status != 0:
        return dict.fromkeys(copies, Absent(f"dpkg-deb --extract {archives[0].name}: {_complaint(unpacked)}"))
    return {copy: _read_copy(tree, copy) for copy in copies}


def _read_copy(tree: Path, copy: DebianCopy) -> bytes | Absent:
    """Links are followed inside the unpacked tree only."""
    path = Path(os.path.realpath(tree / copy.path))
    if not path.is_relative_to(os.path.realpath(tree)):
        return Absent(f"{copy.package}: {copy.path} is a link that leads outside the package")
    if not path.is_file():
        return Absent(f"{copy.package} has no file {copy.path}")
    try:
        with gzip.open(path) as unzipped:
            content = unzipped.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        return Absent(f"{copy.package}: {copy.path} cannot be unzipped: {error}")
    return content if len(content) <= MAX_BYTES else Absent(f"{copy.package}: {copy.path} is over {MAX_BYTES:,} bytes")


def _complaint(ran: Ran) -> str:
    last = ran.said.strip().rpartition("\n")[2]
    return _marked(ran) or _without_password(last) or f"ends with status {ran.status}"


def _marked(ran: Ran) -> str:
    """The first line that apt marks as an error, or as a warning where there is no error; empty where it is content."""
    lines = ran.said.splitlines()
    marked = (line.removeprefix(mark) for mark in ("E: ", "W: ") for line in lines if line.startswith(mark))
    return _without_password(next(marked, ""))


def _without_password(line: str) -> str:
    return re.sub(r"://[^/@\s]+@", "://", line)
