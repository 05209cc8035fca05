"""Inputs that once broke a loader, and a short run of new ones from a fixed seed."""

import random
import shutil
from pathlib import Path

import pytest

from fuzz.loaders import LOADERS, SEEDS, complaint, mutate
from tiny_corpus import run, set_floors, write_project


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write_project(tmp_path_factory.mktemp("fuzz"))
    run("build", "--project", str(root))
    set_floors(root)
    run("bless", "--project", str(root), "--reason", "to be damaged")
    (root / "spend.json").write_text('{"2026-12-01": 0.5}', encoding="utf-8")
    return root


def given(root: Path, name: str, content: bytes) -> str | None:
    """The complaint about `content` in the place of the good file, which is put back."""
    pattern, loader = LOADERS[name]
    path = next(root.glob(pattern))
    good = path.read_bytes()
    path.write_bytes(content)
    try:
        return complaint(loader, path)
    finally:
        path.write_bytes(good)


@pytest.mark.parametrize("seed", sorted(SEEDS.iterdir()), ids=lambda seed: seed.name)
def test_what_once_broke_a_loader_is_refused_or_read(root: Path, seed: Path) -> None:
    assert given(root, seed.name.partition("-")[0], seed.read_bytes()) is None


@pytest.mark.parametrize("name", sorted(LOADERS))
def test_a_damaged_file_is_refused_in_one_clear_error_or_read(root: Path, name: str) -> None:
    chance = random.Random(f"{name} 2026")
    good = next(root.glob(LOADERS[name][0])).read_bytes()

    complaints = [given(root, name, mutate(good, chance)) for _ in range(150)]
    assert [found for found in complaints if found is not None] == []


@pytest.mark.parametrize("name", sorted(LOADERS))
def test_the_good_file_is_read(root: Path, name: str) -> None:
    copy = root.parent / f"copy-{name}"
    shutil.copytree(root, copy)

    LOADERS[name][1](next(copy.glob(LOADERS[name][0])))
