"""The same inputs give the same bytes: in any process, any number of workers, any locale, time zone and hash seed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from foregone.release.publish import files_below
from tiny_corpus import write_project

ENVIRONMENTS = {
    "hash seed, far east": {"PYTHONHASHSEED": "0", "TZ": "Pacific/Kiritimati"},
    "two workers, another locale": {"WORKERS": "2", "LC_ALL": "de_DE.UTF-8", "LANGUAGE": "de", "TZ": "Europe/Berlin"},
    "one worker too many, C locale": {
        "WORKERS": "7", "PYTHONHASHSEED": "1", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0",
    },
    "another time, one thread of arithmetic, no assertions": {
        "SOURCE_DATE_EPOCH": "0", "OPENBLAS_NUM_THREADS": "1", "PYTHONOPTIMIZE": "1",
    },
}  # fmt: skip


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_a_site_has_the_same_bytes_in_every_environment(name: str, varied: Path, first: Path, tmp_path: Path) -> None:
    build(copy(varied, tmp_path), dict(ENVIRONMENTS[name]))

    assert contents(tmp_path / "project/dist") == contents(first)


def test_a_project_written_anew_gives_the_same_site(built: Path, tmp_path: Path) -> None:
    build(write_project(tmp_path), {})

    assert contents(tmp_path / "dist") == contents(built / "dist")


def test_the_place_and_the_time_of_files_do_not_matter(varied: Path, first: Path, tmp_path: Path) -> None:
    root = copy(varied, tmp_path / "a folder with spaces & ünïcode")
    for path in root.rglob("*"):
        os.utime(path, (0, 0))
    build(root, {})

    assert contents(root / "dist") == contents(first)


@pytest.fixture(scope="module")
def first(varied: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as one process of its own builds it."""
    root = copy(varied, tmp_path_factory.mktemp("first"))
    build(root, {})
    return root / "dist"


def copy(source: Path, folder: Path) -> Path:
    return shutil.copytree(source, folder / "project", ignore=shutil.ignore_patterns("dist"))


def build(root: Path, environment: dict[str, str]) -> None:
    """Build in a process of its own, with nothing of this one's environment but the path."""
    workers = environment.pop("WORKERS", "1")
    command = [sys.executable, "-m", "foregone.cli", "build", "--workers", workers, "--project", str(root)]
    subprocess.run(command, env={"PATH": os.environ["PATH"], **environment}, check=True, capture_output=True)


def contents(folder: Path) -> dict[str, bytes]:
    return {path: (folder / path).read_bytes() for path in files_below(folder)}
