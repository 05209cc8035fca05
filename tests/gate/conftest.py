"""A scratch copy of this very project, built: the gate is tried on what it is for."""

import shutil
from pathlib import Path

import pytest

from foregone.cli import main

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def real_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of this project with its site built; not to be changed."""
    root = tmp_path_factory.mktemp("gate") / "foregone"
    root.mkdir()
    shutil.copy2(ROOT / "foregone.yaml", root)
    for name in ("corpus", "eval", "site_templates"):
        shutil.copytree(ROOT / name, root / name)
    assert main(["build", "--project", str(root)]) == 0
    return root


@pytest.fixture
def project(real_site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy to break; the commands run in it, so paths are those that a person sees."""
    root = tmp_path / "foregone"
    shutil.copytree(real_site, root)
    monkeypatch.chdir(root)
    return root
