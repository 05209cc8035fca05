"""Faults lose nothing: after each, what was served before is whole, and the next build completes."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType

import pytest

from foregone.cli import main
from foregone.lock import sole
from foregone.pipeline import answer_questions, render_release
from foregone.project import load_project
from foregone.release.publish import read_current
from foregone.release.root import KeptRelease
from foregone.release.verify import verify_release, verify_site
from foregone.workers import Workers
from tiny_corpus import edit, run, write_project

NOBODY = 65534
SOURCE = Path(__file__).parents[1] / "build"


@pytest.fixture
def torn(tmp_path: Path) -> Path:
    """A published project whose next build gives another release."""
    root = write_project(tmp_path)
    run("build", "--project", str(root))
    edit(root / "eval/questions.yaml", "Which colour should a teapot be?", "Which colour has a good teapot?")
    return root


def python(*arguments: str, environment: Mapping[str, str] = MappingProxyType({})) -> subprocess.CompletedProcess[str]:
    """Python in a process of its own, with our source."""
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": str(SOURCE), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def build(root: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """`foregone build` in a process of its own."""
    return python("-m", "foregone.cli", "build", "--project", str(root), environment=environment)


def pages(dist: Path) -> dict[str, bytes]:
    """Path -> bytes of every page at the root."""
    found = [path for path in dist.rglob("*.html") if "v" not in path.relative_to(dist).parts[:1]]
    return {path.relative_to(dist).as_posix(): path.read_bytes() for path in found}


def releases(dist: Path) -> tuple[KeptRelease, ...]:
    return read_current(dist)


def test_a_build_that_is_killed_at_any_step_loses_nothing(torn: Path) -> None:
    old, before = releases(torn / "dist")[0], pages(torn / "dist")
    step, status = 0, -signal.SIGKILL
    while status == -signal.SIGKILL:
        step += 1
        root = torn.parent / f"{torn.name}-{step}"
        shutil.copytree(torn, root, copy_function=os.link)
        arguments = ["build", "--project", str(root)]
        status = in_child(partial(main, arguments), FOREGONE_FAILPOINT=str(step)).returncode
        assert verify_release(root / "dist", old) == ()
        assert torn_pages(root / "dist", before) == []
        assert verify_site(root / "dist").findings == ()
        if step % 5 == 0:
            assert main(["build", "--project", str(root)]) == 0
            assert verify_site(root / "dist").findings == ()
    assert (step > 50, status) == (True, 0)


def torn_pages(dist: Path, before: dict[str, bytes]) -> list[str]:
    """Pages at the root that are neither as they were nor as a release under `/v/` has them."""
    versions = {path: {file.read_bytes() for file in (dist / "v").glob(f"*/{path}")} for path in pages(dist)}
    return [path for path, content in pages(dist).items() if content not in {*versions[path], before.get(path)}]


def in_child(function: Callable[[], int], **environment: str) -> subprocess.CompletedProcess[str]:
    """`function` in a forked process: its exit status and what it wrote to standard error."""
    with tempfile.TemporaryFile("w+") as errors:
        child = os.fork()
        if child == 0:
            os.dup2(errors.fileno(), 2)
            sys.stderr = os.fdopen(os.dup(2), "w")
            os.environ.update(environment)
            status = function()
            sys.stderr.flush()
            os._exit(status)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        errors.seek(0)
        return subprocess.CompletedProcess((), status, "", errors.read())


def test_verify_tells_of_a_build_that_was_interrupted(torn: Path) -> None:
    old = releases(torn / "dist")[0].release
    build(torn, FOREGONE_FAILPOINT="40")
    new = next(path.name for path in (torn / "dist/v").iterdir() if path.name not in (old, ".staging"))
    ended = python("-m", "foregone.cli", "verify", str(torn / "dist"))

    told, verdict = ended.stdout.splitlines()
    assert told == f"a build was interrupted: release {new} is there and not current; the next build completes it"
    assert (ended.returncode, verdict.rpartition(": ")[2]) == (0, "whole")


def test_a_second_build_at_once_is_refused(torn: Path) -> None:
    with sole(torn / ".foregone", "build"):
        ended = build(torn)

    assert (ended.returncode, ended.stdout, ended.stderr) == (
        1,
        "",
        (
            "error[busy]: another `foregone build` is running on this project\n"
            f"  --> {torn}/.foregone/build.lock\n"
            "  mend: wait until it ends, then run this again\n"
        ),
    )


def test_the_lock_of_a_killed_build_is_free(torn: Path) -> None:
    build(torn, FOREGONE_FAILPOINT="3")

    assert build(torn).returncode == 0


def test_builds_at_once_tear_nothing(torn: Path) -> None:
    command = [sys.executable, "-m", "foregone.cli", "build", "--project", str(torn)]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    running = [
        subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(4)
    ]
    statuses = {process.wait() for process in running}

    assert statuses <= {0, 1}
    assert 0 in statuses
    assert verify_site(torn / "dist").findings == ()


LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
from foregone.cli import main
sys.exit(main(["build", "--project", sys.argv[2]]))
"""
"""A build in which no file grows past a size: a write in the middle of it fails, as on a full disk."""


@pytest.mark.parametrize("size", [0, 1500, 4000])
def test_a_build_on_a_full_disk_says_so_and_loses_nothing(torn: Path, size: int) -> None:
    dist = torn / "dist"
    old = releases(dist)[0]
    ended = python("-c", LIMITED, str(size), str(torn))

    assert (ended.returncode, ended.stdout) == (1, "")
    assert re.fullmatch(
        r"error\[system\]: a file could not be read or written(: \S+)?\n(  --> \S+\n)?  File too large\n"
        r"  mend: make room or give access, then run the command again: what was there before is whole\n",
        ended.stderr,
    )
    assert verify_release(dist, old) == ()
    assert (build(torn).returncode, verify_site(dist).findings) == (0, ())


def test_a_dist_that_may_not_be_written_is_left_as_it_is(torn: Path) -> None:
    dist = torn / "dist"
    before = pages(dist)
    work = torn / ".foregone"
    for path in (work, *work.rglob("*")):
        path.chmod(0o777)
    for path in (dist, *dist.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    for folder in (torn, *torn.parents[:2]):
        folder.chmod(folder.stat().st_mode | 0o055)

    def build_as_another() -> int:
        if os.geteuid() == 0:
            os.setegid(NOBODY)
            os.seteuid(NOBODY)
        return main(["build", "--project", str(torn)])

    ended = in_child(build_as_another)
    for path in (dist, *dist.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    where = f"{dist}/v/.staging"
    assert (ended.returncode, ended.stderr) == (
        1,
        (
            f"error[system]: a file could not be read or written: {where}\n"
            f"  --> {where}\n"
            "  Permission denied\n"
            "  mend: make room or give access, then run the command again: what was there before is whole\n"
        ),
    )
    assert (pages(dist), verify_site(dist).findings) == (before, ())


def test_a_draft_that_changes_during_the_build_is_not_seen_by_it(torn: Path) -> None:
    project = load_project(torn)
    changed: list[str] = []

    def change(title: str) -> None:
        if title == "rendering pages":
            edit(torn / "eval/drafts/whistle.json", "answered", "partly")
            changed.append(title)

    answered = answer_questions(project, lambda: 0.0, Workers(1, lambda _: None), change)
    release = render_release(project, answered, Workers(1, lambda _: None), change)

    assert changed == ["rendering pages"]
    assert b'"outcome":"answered"' in release.tree["api/v1/answers/whistle.json"].content


def test_a_corpus_file_that_is_replaced_during_the_build_is_not_seen_by_it(torn: Path) -> None:
    source = torn / "corpus/sources/kettle.txt"
    before = source.read_bytes()
    steps: list[str] = []

    def replace(title: str) -> None:
        steps.append(title)
        if title == "ranking passages":
            source.write_text("1.  Boiling\n\n   Anything.\n", encoding="utf-8")

    answered = answer_questions(load_project(torn), lambda: 0.0, Workers(1, lambda _: None), replace)

    assert "ranking passages" in steps
    assert answered.inputs.corpus.sources["kettle"] == before
    assert build(torn).returncode == 1
    assert verify_site(torn / "dist").findings == ()


def test_a_corpus_file_that_is_replaced_is_refused_before_it_is_read(torn: Path) -> None:
    (torn / "corpus/sources/kettle.txt").write_text("1.  Boiling\n\n   Anything.\n", encoding="utf-8")
    ended = build(torn)

    assert (ended.returncode, ended.stderr.splitlines()[0]) == (
        1,
        f"error[pin-mismatch]: {torn}/corpus/sources/kettle.txt does not match its pin",
    )
    assert verify_site(torn / "dist").findings == ()


def test_an_index_that_was_half_written_is_never_read(torn: Path) -> None:
    index = next((torn / "corpus/index").iterdir())
    shutil.copytree(index, index.with_name(f".building-{index.name}"))
    (index.with_name(f".building-{index.name}") / "index.json").write_text("{", encoding="utf-8")

    assert build(torn).returncode == 0
    run("index", "build", "--project", str(torn))
    assert sorted(path.name for path in index.parent.iterdir()) == [index.name]


def test_a_clock_that_is_set_back_changes_nothing(torn: Path) -> None:
    assert build(torn).returncode == 0
    for path in (torn / "dist").rglob("*"):
        os.utime(path, (4_000_000_000, 4_000_000_000))
    before = pages(torn / "dist")

    assert build(torn).returncode == 0
    assert (pages(torn / "dist"), verify_site(torn / "dist").findings) == (before, ())


def test_a_link_in_dist_that_leads_outside_is_replaced_and_what_it_led_to_stays(torn: Path) -> None:
    outside = torn.parent / f"{torn.name}-outside"
    outside.mkdir()
    (outside / "index.html").write_text("mine", encoding="utf-8")
    shutil.rmtree(torn / "dist/q/lid")
    (torn / "dist/q/lid").symlink_to(outside)
    (torn / "dist/index.html").unlink()
    (torn / "dist/index.html").symlink_to(outside / "index.html")

    assert build(torn).returncode == 0
    assert (outside / "index.html").read_text("utf-8") == "mine"
    assert verify_site(torn / "dist").findings == ()


def test_a_corpus_file_that_is_a_link_to_the_outside_is_refused(torn: Path) -> None:
    outside = torn.parent / f"{torn.name}-kettle.txt"
    source = torn / "corpus/sources/kettle.txt"
    source.rename(outside)
    source.symlink_to(outside)
    ended = build(torn)

    assert (ended.returncode, ended.stderr.splitlines()[0].partition(":")[0]) == (1, "error[outside-sources]")
    assert verify_site(torn / "dist").findings == ()


@pytest.mark.parametrize("name", ["../kettle", "a/b", "/etc/passwd", ".."])
def test_a_document_id_that_leaves_the_project_is_refused(torn: Path, name: str) -> None:
    edit(torn / "corpus/manifest.yaml", "id: kettle", f"id: {name}")
    ended = build(torn)

    assert (ended.returncode, ended.stderr) == (
        1,
        (
            f"error[bad-value]: documents[1].id is {name!r}\n"
            f"  --> {torn}/corpus/manifest.yaml:13\n"
            "  expected lower-case letters, digits and hyphens, at most 64\n"
            "  mend: correct the value\n"
        ),
    )


def test_a_file_that_site_json_lists_without_a_digest_is_not_whole(torn: Path) -> None:
    site = torn / "dist/site.json"
    (torn / "dist/evil.html").write_text("evil", encoding="utf-8")
    edit(site, '{"path":"current.json"}', '{"path":"current.json"},{"path":"evil.html"}')

    assert {finding.path for finding in verify_site(torn / "dist").findings} >= {"site.json", "evil.html"}


@pytest.mark.parametrize("fault", ["{{ 1 / 0 }}", "{{ answer.text + 1 }}", '{% include "question.html.jinja" %}'])
def test_a_template_that_fails_is_refused_and_the_site_stays(torn: Path, fault: str) -> None:
    shutil.copytree(SOURCE.parent / "site_templates", torn / "site_templates")
    edit(torn / "site_templates/question.html.jinja", "<h1>{{ answer.text }}</h1>", fault)
    before = pages(torn / "dist")
    ended = build(torn)

    assert (ended.returncode, ended.stderr.splitlines()[0].partition(":")[0]) == (1, "error[template-failed]")
    assert pages(torn / "dist") == before


def test_two_replies_to_one_question_and_a_drafter_of_no_words_are_used_wrongly(torn: Path) -> None:
    reply = str(torn / ".foregone/replies/lid.json")
    twice = python("-m", "foregone.cli", "draft", "import", "--project", str(torn), reply, reply)
    blank = python("-m", "foregone.cli", "draft", "import", "--project", str(torn), "--drafter", " ", reply)

    assert (twice.returncode, twice.stderr.splitlines()) == (
        2,
        ["error[two-replies]: two replies answer 'lid'", "  mend: import one of them"],
    )
    assert (blank.returncode, blank.stderr.splitlines()[0]) == (
        2,
        "error[blank-text]: --drafter or --model says nothing",
    )
