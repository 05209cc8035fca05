"""`make bench-build`: how long building the site takes, from nothing and again over the same site."""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from foregone.bench.stopwatch import Times
from foregone.commands.output import say
from foregone.pipeline import answer_questions, render_release
from foregone.project import Project, load_project
from foregone.release.publish import publish
from foregone.workers import Workers

RUNS = 3


def main() -> None:
    """Print build times of this project, into a folder of their own."""
    project = load_project(Path())
    for workers in (1, 2):
        cold, again = [], []
        for _ in range(RUNS):
            with tempfile.TemporaryDirectory(dir=project.root) as folder:
                build = _builder(project, Path(folder) / "dist", workers)
                cold.append(_time(build))
                again.append(_time(build))
        say(f"{workers} workers: from nothing {Times(tuple(cold)).in_words('s')}")
        say(f"{workers} workers: once more    {Times(tuple(again)).in_words('s')}")


def _builder(project: Project, dist: Path, count: int) -> Callable[[], object]:
    def build() -> object:
        workers = Workers(count, lambda _: None)
        answered = answer_questions(project, time.monotonic, workers, lambda _: None)
        release = render_release(project, answered, workers, lambda _: None)
        return publish(release, dist, project.settings.kept_releases, lambda _: None)

    return build


def _time(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
