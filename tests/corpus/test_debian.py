"""Files come from Debian packages by an apt that sees none of the machine's state. Commands are played by a fake."""

import gzip
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from foregone.corpus.debian import (
    Absent,
    DebianSource,
    Ran,
    in_deb822,
    parse_deb822,
    parse_one_line,
    read_sources,
    run_command,
    unpack_debian,
)
from foregone.corpus.manifest import DebianCopy

MAIN = DebianSource("http://mirror.example/debian", "bookworm", "")
URI = DebianCopy("doc-rfc-std", "usr/share/doc/RFC/links/rfc3986.txt.gz")
JSON = DebianCopy("doc-rfc-std", "usr/share/doc/RFC/links/rfc8259.txt.gz")
COOKIES = DebianCopy("doc-rfc-std-proposed", "usr/share/doc/RFC/links/rfc6265.txt.gz")
WELL = Ran(0, "")


@dataclass
class Apt:
    """A machine with apt: packages by name, each a function that fills the unpacked tree.

    `Apt({"doc-rfc-std": fill})` updates, downloads and unpacks; a test states what goes otherwise.
    """

    packages: dict[str, Callable[[Path], None]] = field(default_factory=dict)
    update: Ran = WELL
    extract: Ran = WELL
    called: list[str] = field(default_factory=list)
    configuration: str = ""
    sources: str = ""

    def __call__(self, command: Sequence[str], folder: Path) -> Ran:
        self.called.append(" ".join(word for word in command if "/" not in word))
        match command:
            case ("apt-get", configuration, "--quiet", "update"):
                path = Path(configuration.removeprefix("--config-file="))
                self.configuration = path.read_text().replace(str(folder), "FOLDER")
                self.sources = (path.parent / "debian.sources").read_text()
                return self.update
            case ("apt-get", _, "--quiet", "download", package) if package in self.packages:
                (folder / f"{package}_1_all.deb").write_text(package)
                return WELL
            case ("apt-get", _, "--quiet", "download", package):
                return Ran(100, f"Reading package lists...\nE: Unable to locate package {package}\n")
            case ("dpkg-deb", "--extract", archive, tree) if self.extract == WELL:
                self.packages[Path(archive).read_text()](Path(tree))
        return self.extract


@pytest.fixture
def etc_apt(tmp_path: Path) -> Path:
    (tmp_path / "sources.list").write_text("deb http://mirror.example/debian bookworm main\n")
    return tmp_path


def holding(**files: bytes) -> Callable[[Path], None]:
    """As the real packages: `links/` holds relative links, the files lie beside it."""

    def fill(tree: Path) -> None:
        for folder in ("links", "standard"):
            (tree / "usr/share/doc/RFC" / folder).mkdir(parents=True)
        for name, content in files.items():
            (tree / f"usr/share/doc/RFC/standard/{name}.txt.gz").write_bytes(content)
            (tree / f"usr/share/doc/RFC/links/{name}.txt.gz").symlink_to(f"../standard/{name}.txt.gz")

    return fill


def test_one_line_entries_of_debian_main_are_taken() -> None:
    text = """\
# deb http://mirror.example/debian trixie main
deb http://mirror.example/debian bookworm main contrib # the base
deb [arch=amd64 signed-by=/a.gpg,/b.gpg] https://second.example/debian  stable  contrib main
deb-src http://mirror.example/debian bookworm main
deb http://mirror.example/debian bookworm-updates main
deb http://mirror.example/debian bookworm contrib
deb https://packages.example/apt cloud-sdk-bookworm main
deb http://archive.example/ubuntu noble main
deb cdrom:[Debian GNU/Linux 12 _Bookworm_]/ bookworm main
deb http://flat.example/ ./
deb
"""

    assert parse_one_line(text) == (
        MAIN,
        DebianSource("https://second.example/debian", "stable", "/a.gpg /b.gpg"),
    )


def test_deb822_entries_of_debian_main_are_taken() -> None:
    text = """\
Types: deb
# the base
URIs: http://mirror.example/debian https://second.example/debian
suites: bookworm
 bookworm-updates
Components: main contrib
Signed-By: /a.gpg

Types: deb deb-src
URIs: http://mirror.example/debian
Suites: sid
Components: main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 mQINBF
 -----END PGP PUBLIC KEY BLOCK-----
"""

    assert parse_deb822(text) == (
        DebianSource("http://mirror.example/debian", "bookworm", "/a.gpg"),
        DebianSource("https://second.example/debian", "bookworm", "/a.gpg"),
        DebianSource(
            "http://mirror.example/debian",
            "sid",
            "\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n mQINBF\n -----END PGP PUBLIC KEY BLOCK-----",
        ),
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n\n",
        "Types: deb\nURIs: http://mirror.example/debian\nSuites: bookworm\nComponents: contrib\n",
        "Types: deb\nURIs: http://mirror.example/debian\nSuites: bookworm\n",
        "Types: deb-src\nURIs: http://mirror.example/debian\nSuites: bookworm\nComponents: main\n",
        "Types: deb\nURIs: https://node.example/20.x\nSuites: nodistro\nComponents: main\n",
        "Enabled: no\nTypes: deb\nURIs: http://mirror.example/debian\nSuites: bookworm\nComponents: main\n",
    ],
)
def test_other_deb822_entries_are_left(text: str) -> None:
    assert parse_deb822(text) == ()


def test_a_source_is_written_with_the_component_non_free() -> None:
    sources = (DebianSource("http://mirror.example/debian", "bookworm", "/a.gpg"), MAIN)

    assert in_deb822(sources) == (
        "Types: deb\n"
        "URIs: http://mirror.example/debian\n"
        "Suites: bookworm\n"
        "Components: non-free\n"
        "Targets: Packages\n"
        "Languages: none\n"
        "Signed-By: /a.gpg\n"
        "\n"
        "Types: deb\n"
        "URIs: http://mirror.example/debian\n"
        "Suites: bookworm\n"
        "Components: non-free\n"
        "Targets: Packages\n"
        "Languages: none\n"
    )


def test_sources_are_read_from_all_files_each_once(etc_apt: Path) -> None:
    parts = etc_apt / "sources.list.d"
    parts.mkdir()
    (parts / "again.list").write_text("deb http://mirror.example/debian bookworm main\n")
    (parts / "next.sources").write_text("Types: deb\nURIs: http://x.example\nSuites: trixie\nComponents: main\n")
    (parts / "old.list.save").write_text("deb http://y.example bullseye main\n")
    (parts / "folder.list").mkdir()

    assert read_sources(etc_apt) == (MAIN, DebianSource("http://x.example", "trixie", ""))


def test_copies_come_unzipped_through_their_links(etc_apt: Path) -> None:
    apt = Apt(
        {
            "doc-rfc-std": holding(rfc3986=gzip.compress(b"URI\n"), rfc8259=gzip.compress(b"JSON\n")),
            "doc-rfc-std-proposed": holding(rfc6265=gzip.compress(b"cookies\n")),
        }
    )

    unpacked = unpack_debian((URI, COOKIES, JSON), run=apt, etc_apt=etc_apt)

    assert unpacked == {URI: b"URI\n", COOKIES: b"cookies\n", JSON: b"JSON\n"}


def test_there_is_one_update_and_one_download_per_package(etc_apt: Path) -> None:
    apt = Apt({"doc-rfc-std": holding(), "doc-rfc-std-proposed": holding()})

    unpack_debian((URI, COOKIES, JSON), run=apt, etc_apt=etc_apt)

    assert apt.called == [
        "apt-get --quiet update",
        "apt-get --quiet download doc-rfc-std",
        "dpkg-deb --extract",
        "apt-get --quiet download doc-rfc-std-proposed",
        "dpkg-deb --extract",
    ]


def test_apt_is_kept_from_the_state_and_hooks_of_the_machine(etc_apt: Path) -> None:
    apt = Apt()

    unpack_debian((URI,), run=apt, etc_apt=etc_apt)

    assert apt.sources == in_deb822((MAIN,))
    assert apt.configuration == (
        'Dir::Etc::sourcelist "FOLDER/debian.sources";\n'
        'Dir::Etc::sourceparts "/dev/null";\n'
        'Dir::State::lists "FOLDER/lists";\n'
        'Dir::Cache "FOLDER/cache";\n'
        'APT::Sandbox::User "root";\n'
        'Acquire::Retries "1";\n'
        'Acquire::http::Timeout "20";\n'
        'Acquire::https::Timeout "20";\n'
        "#clear APT::Update::Pre-Invoke;\n"
        "#clear APT::Update::Post-Invoke;\n"
        "#clear APT::Update::Post-Invoke-Success;\n"
    )


def test_a_package_that_is_not_found_leaves_the_other_one(etc_apt: Path) -> None:
    apt = Apt({"doc-rfc-std": holding(rfc3986=gzip.compress(b"URI\n"))})

    assert unpack_debian((URI, COOKIES), run=apt, etc_apt=etc_apt) == {
        URI: b"URI\n",
        COOKIES: Absent("apt-get download doc-rfc-std-proposed: Unable to locate package doc-rfc-std-proposed"),
    }


def test_an_update_that_only_warns_is_told_with_what_came_of_it(etc_apt: Path) -> None:
    apt = Apt(
        update=Ran(0, "W: Failed to fetch http://user:secret@x.example/InRelease  Could not resolve 'x.example'\n")
    )

    assert unpack_debian((URI,), run=apt, etc_apt=etc_apt) == {
        URI: Absent(
            "apt-get download doc-rfc-std: Unable to locate package doc-rfc-std; "
            "Failed to fetch http://x.example/InRelease  Could not resolve 'x.example'"
        )
    }


@pytest.mark.parametrize(
    ("update", "why"),
    [
        (Ran(100, "W: GPG error\nE: The repository is not signed.\n"), "The repository is not signed."),
        (Ran(127, "apt-get is not installed"), "apt-get is not installed"),
        (Ran(1, ""), "ends with status 1"),
    ],
)
def test_an_update_that_fails_is_told_for_every_copy(etc_apt: Path, update: Ran, why: str) -> None:
    absent = Absent(f"apt-get update: {why}")

    assert unpack_debian((URI, JSON), run=Apt(update=update), etc_apt=etc_apt) == {URI: absent, JSON: absent}


def test_an_archive_that_cannot_be_unpacked_is_told(etc_apt: Path) -> None:
    apt = Apt({"doc-rfc-std": holding()}, extract=Ran(2, "dpkg-deb: error: not a Debian format archive\n"))

    assert unpack_debian((URI,), run=apt, etc_apt=etc_apt) == {
        URI: Absent("dpkg-deb --extract doc-rfc-std_1_all.deb: dpkg-deb: error: not a Debian format archive")
    }


def test_a_machine_without_debian_sources_is_told_before_anything_is_run(tmp_path: Path) -> None:
    apt = Apt()

    unpacked = unpack_debian((URI,), run=apt, etc_apt=tmp_path)

    assert (unpacked, apt.called) == ({URI: Absent(f"{tmp_path} names no Debian suite with component main")}, [])


def test_a_file_that_the_package_lacks_is_told(etc_apt: Path) -> None:
    apt = Apt({"doc-rfc-std": holding()})

    assert unpack_debian((URI,), run=apt, etc_apt=etc_apt) == {
        URI: Absent("doc-rfc-std has no file usr/share/doc/RFC/links/rfc3986.txt.gz")
    }


@pytest.mark.parametrize("target", ["/etc/passwd", "../" * 40 + "etc/passwd"])
def test_a_link_out_of_the_package_is_not_followed(etc_apt: Path, target: str) -> None:
    def fill(tree: Path) -> None:
        (tree / URI.path).parent.mkdir(parents=True)
        (tree / URI.path).symlink_to(target)

    assert unpack_debian((URI,), run=Apt({"doc-rfc-std": fill}), etc_apt=etc_apt) == {
        URI: Absent("doc-rfc-std: usr/share/doc/RFC/links/rfc3986.txt.gz is a link that leads outside the package")
    }


@pytest.mark.parametrize(
    ("zipped", "why"),
    [
        (b"URI\n", "Not a gzipped file (b'UR')"),
        (gzip.compress(b"URI\n")[:-4], "Compressed file ended before the end-of-stream marker was reached"),
    ],
)
def test_a_file_that_is_no_gzip_is_told(etc_apt: Path, zipped: bytes, why: str) -> None:
    apt = Apt({"doc-rfc-std": holding(rfc3986=zipped)})

    assert unpack_debian((URI,), run=apt, etc_apt=etc_apt) == {
        URI: Absent(f"doc-rfc-std: usr/share/doc/RFC/links/rfc3986.txt.gz cannot be unzipped: {why}")
    }


def test_nothing_is_left_behind(etc_apt: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))

    unpack_debian((URI,), run=Apt({"doc-rfc-std": holding()}), etc_apt=etc_apt)

    assert list(temporary.iterdir()) == []


def test_a_command_runs_in_its_folder_and_its_errors_are_kept(tmp_path: Path) -> None:
    ran = run_command(("sh", "-c", "pwd; echo $LC_ALL >&2; exit 3"), tmp_path)

    assert ran == Ran(3, f"{os.path.realpath(tmp_path)}\nC\n")


def test_a_command_that_is_not_installed_is_named(tmp_path: Path) -> None:
    assert run_command(("no-such-apt", "update"), tmp_path) == Ran(127, "no-such-apt is not installed")
