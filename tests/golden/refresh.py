"""The golden site: the release of the tiny project in token form, and the command that writes it anew.

    PYTHONPATH=tests python -m golden.refresh

Pinned are the manifest, every answer and every page, as the edge and other readers get them. The digest of our own
source (`inputs.code`) is set to zeros before anything is rendered: it changes with every line of code, and the
manifest and the release with it. The style sheet and the schemas are copies of files in this repository, so their
digests in the manifest are enough.
"""

import dataclasses
import shutil
import tempfile
from pathlib import Path

from foregone.digest import Digest
from foregone.pipeline import Answered, answer_questions, render_release
from foregone.project import load_project
from foregone.workers import Workers
from tiny_corpus import write_project

GOLDEN = Path(__file__).parent / "site"
COMMAND = "PYTHONPATH=tests .venv/bin/python -m golden.refresh"
NO_CODE = Digest("sha256:" + 64 * "0")
COPIES = ("assets/", "api/v1/schema/")


def golden_files(root: Path) -> dict[str, bytes]:
    """Path -> content of what is pinned, for the tiny project in `root`."""
    project, workers = load_project(root), Workers(1, lambda _: None)
    answered = without_code(answer_questions(project, lambda: 0.0, workers, lambda _: None))
    release = render_release(project, answered, workers, lambda _: None)
    tree = {path: file.content for path, file in release.tree.items() if not path.startswith(COPIES)}
    return {**tree, "manifest.json": release.manifest}


def without_code(answered: Answered) -> Answered:
    """The same answers, whatever our source is."""
    answers = {
        name: dataclasses.replace(answer, inputs=dataclasses.replace(answer.inputs, code=NO_CODE))
        for name, answer in answered.answers.items()
    }
    return dataclasses.replace(answered, answers=answers)


def main() -> None:
    """Write the golden site anew."""
    with tempfile.TemporaryDirectory() as folder:
        files = golden_files(write_project(Path(folder)))
    shutil.rmtree(GOLDEN, ignore_errors=True)
    for path, content in files.items():
        (GOLDEN / path).parent.mkdir(parents=True, exist_ok=True)
        (GOLDEN / path).write_bytes(content)


if __name__ == "__main__":
    main()
