"""README shows what the commands print: each one is run here, in its order.

`…` stands for what differs from run to run, alone on a line for any lines.
"""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from foregone.cli import make_parser

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
NOT_RUN_HERE = {"make test"}
"""It is what runs this; `make --dry-run` shows that it still can be started."""
RED = {"foregone gate --only mrr"}
"""Shown failing, with exit status 1."""


def shown() -> list[tuple[str, str]]:
    """Every command in README with the output that README shows."""
    pairs = []
    for block in BLOCK.findall(README):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            pairs.append((command, output))
    return pairs


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of this project, where commands may write; it shares the installed environment."""
    copy = tmp_path_factory.mktemp("readme") / "foregone"
    for name in ("Makefile", "README.md", "foregone.yaml", "pyproject.toml"):
        copy.mkdir(exist_ok=True)
        shutil.copy2(ROOT / name, copy / name)
    for name in ("build", "corpus", "eval", "requirements", "site_templates"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / ".venv").symlink_to(ROOT / ".venv")
    return copy


def run(command: str, folder: Path) -> str:
    """The standard output of a command that must succeed, or fail where README shows it failing."""
    outer = {name: value for name, value in os.environ.items() if not name.startswith("MAKE") and name != "MFLAGS"}
    environment = {**outer, "PATH": f"{ROOT / '.venv/bin'}:{os.environ['PATH']}", "FOREGONE_CORPUS_MIRROR": ""}
    ended = subprocess.run(
        shlex.split(command), cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == (1 if command in RED else 0), ended.stderr
    return ended.stdout


def pattern_of(line: str) -> str:
    """What a line that README shows stands for."""
    return "(?:.*\n)*" if line == "…\n" else re.escape(line).replace("…", ".*")


def test_every_command_in_readme_prints_what_readme_shows(copy: Path) -> None:
    for command, output in shown():
        if command not in NOT_RUN_HERE:
            printed = run(command, copy)
            pattern = "".join(map(pattern_of, output.splitlines(keepends=True)))
            assert re.fullmatch(pattern, printed), f"$ {command}\n{printed}"


def test_the_commands_that_are_not_run_here_can_be_started(copy: Path) -> None:
    for command in NOT_RUN_HERE:
        assert "-m pytest" in run(f"{command} --dry-run", copy)


def test_every_command_stands_in_readme() -> None:
    top = next(action for action in make_parser()._actions if action.dest == "COMMAND" or action.choices)  # noqa: SLF001
    assert top.choices is not None

    assert [name for name in top.choices if f"foregone {name}" not in README and f"make {name}" not in README] == []


def test_every_link_in_readme_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)

    assert [link for link in links if not (ROOT / link).exists()] == []
