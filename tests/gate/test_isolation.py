"""The gate needs nothing from outside and leaves nothing behind: CI may run it where there is no key and no network."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

PRELUDE = """
import sys, os, socket
assert not [name for name in os.environ if name.endswith("_API_KEY")]

class NoSocket(socket.socket):
    def __init__(self, *_, **__):
        raise AssertionError("the gate opened a socket")

socket.socket = NoSocket
from foregone.cli import main
status = main(["gate", "--json"])
loaded = {name.split(".")[0] for name in sys.modules}
assert not loaded & {"httpx", "openai", "requests", "urllib3", "onnxruntime"}, loaded
sys.exit(status)
"""


def listing(root: Path) -> dict[str, tuple[str, int]]:
    """Path -> digest and time of change of every file."""
    return {
        path.relative_to(root).as_posix(): (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns)
        for path in root.rglob("*")
        if path.is_file()
    }


def test_the_gate_runs_without_keys_and_sockets_and_writes_nothing(project: Path) -> None:
    ledger = project / ".foregone/spend.json"
    ledger.write_text('{"2026-12-01": 0.5}\n', encoding="utf-8")
    before = listing(project)
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}

    ended = subprocess.run(
        [sys.executable, "-c", PRELUDE], cwd=project, env=environment, capture_output=True, text=True, check=False
    )

    assert (ended.returncode, json.loads(ended.stdout)["ok"]) == (0, True), ended.stderr
    assert listing(project) == before


def test_the_gate_writes_only_the_reports_that_it_is_told_to(project: Path, tmp_path: Path) -> None:
    before = listing(project)
    out = tmp_path / "reports"
    options = [f"--{kind}={out / kind}" for kind in ("junit", "sarif", "html")]
    summary = tmp_path / "summary.md"
    environment = {**os.environ, "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary)}

    ended = subprocess.run(
        [sys.executable, "-m", "foregone.cli", "gate", "--only", "mrr", *options],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (ended.returncode, ended.stdout.splitlines()[-1]) == (0, "gate green: 1 passed, 0 failed, 0 not measured")
    assert sorted(path.name for path in out.iterdir()) == ["html", "junit", "sarif"]
    assert summary.read_text("utf-8").startswith("## Gate green\n")
    assert listing(project) == before


def test_a_gate_that_runs_no_check_is_no_gate(project: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "foregone.cli", "gate", "--only", "taste"],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (ended.returncode, ended.stdout, ended.stderr) == (
        2,
        "",
        "error[no-check]: no check is named taste\n  mend: `foregone gate --list` names them\n",
    )
