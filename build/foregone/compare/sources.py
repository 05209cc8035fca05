"""Where a run comes from: a baseline file, a folder of results, or a revision in git. Reads; writes nothing."""

import os
import subprocess
from pathlib import Path

from foregone.compare.run import Run, parse_run
from foregone.errors import Misused, Refused
from foregone.evaluation import ANSWERS_FILE, RETRIEVAL_FILE
from foregone.files import decode_utf8
from foregone.located import Located, load_json, parse_json
from foregone.measure.results import FORMAT

RESULTS = "eval/results"
"""In a project."""
PLACES = (".", "results", RESULTS)
"""Of the results files in a folder that is named: of results itself, an eval folder, a project."""
MEND = "name a baseline file, a folder of results, a project, or a revision such as main or HEAD~1"
EVALUATE = "run `foregone eval` there"


def load_run(name: str, project: Path) -> Run:
    """The run that `name` leads to: a path, else a revision of the repository that the folder `project` is in.

    Misused where it is neither; Refused where what it leads to holds no run.
    """
    if not name or name.startswith("-") or "\0" in name:
        raise Misused("bad-run", f"'{_printable(name)}' names no run", mend=MEND)
    path = Path(name)
    if path.is_dir():
        return _of_folder(name, path)
    return _of_file(name, path) if path.exists() else _of_revision(name, project)


def _of_file(name: str, path: Path) -> Run:
    file = load_json(path, mend=MEND)
    file.mapping(("format",), file.any_mapping())["format"].integer(FORMAT, FORMAT)
    parts = file.mapping(("format", "reason", "retrieval", "answers"))
    return parse_run(_printable(name), parts["retrieval"], parts["answers"])


def _of_folder(name: str, folder: Path) -> Run:
    found = next((folder / place for place in PLACES if (folder / place / RETRIEVAL_FILE).is_file()), None)
    if found is None:
        raise Refused(
            "no-results",
            f"the folder {_printable(name)} holds no results",
            where=_printable(name),
            why=(f"there is no {RETRIEVAL_FILE} in it, in results/ or in {RESULTS}/",),
            mend=f"{EVALUATE}; for a revision of that name write refs/heads/{_printable(name)}",
        )
    retrieval, answers = (load_json(found / file, mend=EVALUATE) for file in (RETRIEVAL_FILE, ANSWERS_FILE))
    return parse_run(_printable(name), retrieval, answers)


def _of_revision(name: str, project: Path) -> Run:
    verified = _git(name, project, "rev-parse", "--verify", "--end-of-options", f"{name}^{{commit}}")
    if verified.returncode:
        said = _printable(verified.stderr.decode(errors="replace").strip().partition("\n")[0])
        raise Misused(
            "unknown-run", f"{_printable(name)} is neither a path nor a revision", why=(f"git: {said}",), mend=MEND
        )
    commit = verified.stdout.decode().strip()
    retrieval, answers = (_file_of(name, commit, file, project) for file in (RETRIEVAL_FILE, ANSWERS_FILE))
    return parse_run(_printable(name), retrieval, answers)


def _file_of(name: str, commit: str, file: str, project: Path) -> Located:
    """One results file as it was committed, unfiltered."""
    shown = _git(name, project, "show", "--no-textconv", f"{commit}:./{RESULTS}/{file}")
    path = Path(f"{_printable(name)}:{RESULTS}/{file}")
    if shown.returncode:
        raise Refused(
            "no-results",
            f"the revision {_printable(name)} has no {RESULTS}/{file}",
            where=str(path),
            why=(f"it is commit {commit[:12]}",),
            mend="name a revision that has committed results, or evaluate it in a worktree of its own",
        )
    return parse_json(decode_utf8(shown.stdout, path), path)


def _git(name: str, project: Path, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
    try:
        return subprocess.run(  # noqa: S603 - no shell, and no argument that could be an option
            ("git", "-C", str(project), *arguments),  # noqa: S607 - whichever git the reader uses
            env={**os.environ, "LC_ALL": "C"},
            capture_output=True,
            check=False,
        )
    except FileNotFoundError as error:
        raise Misused(
            "no-git",
            f"{_printable(name)} is no path, and git, which would know revisions, is not installed",
            mend="install git, or name a path",
        ) from error


def _printable(text: str) -> str:
    """`text` with what cannot be seen written out, so that no name changes what a terminal or a page shows."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)
