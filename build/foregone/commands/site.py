"""`foregone build|verify|serve`."""

import json
import os
import time
from argparse import Namespace

from foregone.commands.output import note, say, say_json
from foregone.decide.state import STATES
from foregone.errors import Misused
from foregone.failpoint import failpoint
from foregone.files import write_atomically
from foregone.lock import sole
from foregone.pipeline import answer_questions, refuse_missing_index, render_release
from foregone.progress import Progress
from foregone.project import load_project
from foregone.release.publish import publish
from foregone.release.serve import make_server
from foregone.release.verify import verify_site
from foregone.render.tree import count_states
from foregone.workers import Workers


def build(arguments: Namespace) -> int:
    """Build the site into dist/."""
    start = time.monotonic()
    project = load_project(arguments.project)
    with sole(project.work, "build"), Progress("building") as progress:
        workers = Workers(arguments.workers, progress.advance)
        answered = answer_questions(project, time.monotonic, workers, progress.step)
        if not arguments.allow_no_context:
            refuse_missing_index(answered, project.index_root)
        release = render_release(project, answered, workers, progress.step)
        progress.step("publishing")
        published = publish(release, project.dist, project.settings.kept_releases, failpoint(os.environ))
    spent = time.monotonic() - start
    write_atomically(
        project.work / "build.json", (json.dumps({"release": release.id, "seconds": spent}) + "\n").encode()
    )
    counts = count_states(answered.answers.values())
    say(
        f"{len(answered.answers)} questions: "
        + ", ".join(f"{counts[state]} {state}" for state in STATES if counts[state])
    )
    if counts[None]:
        say(f"{counts[None]} abandoned: their work passed budget.max_work")
    news = "new" if published.is_new else f"unchanged, {published.repaired} files repaired"
    say(f"release {release.id} ({news}), index {release.index_version or 'missing'}, {len(release.tree)} files")
    note(f"built in {spent:.1f} s")
    return 0


def verify(arguments: Namespace) -> int:
    """Check every file of a published site: 0 whole, 1 something is missing, changed or a stray."""
    project = load_project(arguments.project) if arguments.dir is None else None
    found = verify_site(project.dist if project else arguments.dir)
    if arguments.json:
        findings = [{"kind": one.kind, "path": one.path, "why": one.why} for one in found.findings]
        say_json(
            {
                "release": found.release,
                "files": found.files,
                "interrupted": found.interrupted,
                "staging": found.staging,
                "findings": findings,
            }
        )
    else:
        for one in found.findings:
            say(f"{one.kind}: {one.path}: {one.why}")
        if found.interrupted:
            say(
                f"a build was interrupted: release {found.interrupted} is there and not current; the next build completes it"
            )
        if found.staging:
            say("a build was interrupted: v/.staging is left of it; the next build removes it")
        verdict = f"{len(found.findings)} findings" if found.findings else "whole"
        say(f"release {found.release} and {found.releases - 1} before it, {found.files} files: {verdict}")
    return 1 if found.findings else 0


def serve(arguments: Namespace) -> int:
    """Serve dist/ on this machine until it is interrupted."""
    project = load_project(arguments.project)
    try:
        server = make_server(project.dist, arguments.host, arguments.port, note)
    except OSError as error:
        raise Misused(
            "cannot-listen",
            f"cannot listen on {arguments.host}:{arguments.port}",
            why=(str(error.strerror),),
            mend="choose another one with --host and --port",
        ) from error
    host, port = server.server_address[:2]
    note(f"serving {project.dist} on http://{host!s}:{port}/ (stop with Ctrl-C)")
    with server:
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            note("stopped")
    return 0
