"""A reply is taken in only for the prompt that was answered."""

import json
from pathlib import Path

import pytest

from foregone.cli import main
from foregone.digest import digest_bytes
from tiny_corpus import REPLIES, edit, run

OLD = "Which colour should a teapot be?"


def export(project: Path, *arguments: str) -> None:
    run("draft", "export", "colour", *arguments, "--project", str(project))


def take(project: Path, *arguments: str) -> int:
    """The exit status of importing a reply to `colour`."""
    (project / "reply.json").write_text(json.dumps(REPLIES["colour"]), encoding="utf-8")
    return main(["draft", "import", *arguments, "--project", str(project), str(project / "reply.json")])


def test_a_reply_to_the_prompt_of_today_is_taken_in(project: Path) -> None:
    export(project)

    assert take(project) == 0


def test_a_reply_without_an_exported_prompt_is_taken_in(project: Path) -> None:
    assert take(project) == 0


@pytest.mark.parametrize("named", [False, True], ids=["usual folder", "named folder"])
def test_a_reply_to_an_earlier_prompt_is_refused(
    project: Path, capsys: pytest.CaptureFixture[str], *, named: bool
) -> None:
    folder = project / ("prompts" if named else ".foregone/prompts")
    export(project, *(("--out", str(folder)) if named else ()))
    exported = digest_bytes((folder / "colour.md").read_bytes())
    draft = (project / "eval/drafts/colour.json").read_bytes()
    edit(project / "eval/questions.yaml", OLD, "Which colour has a good teapot?")
    export(project, "--out", str(project / "anew"))
    today = digest_bytes((project / "anew/colour.md").read_bytes())
    capsys.readouterr()

    assert take(project, *(("--prompts", str(folder)) if named else ())) == 1
    assert capsys.readouterr().err == (
        "error[other-prompt]: the exported prompt of colour is not the one of today\n"
        f"  --> {folder}/colour.md\n"
        f"  today's is {today}\n"
        f"  found      {exported}\n"
        "  mend: question, passages or instructions have changed: `foregone draft export colour`, "
        "and have that answered\n"
    )
    assert (project / "eval/drafts/colour.json").read_bytes() == draft


def test_a_folder_that_is_named_holds_the_prompt(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert take(project, "--prompts", str(project / "none")) == 1
    assert capsys.readouterr().err == (
        f"error[unreadable]: {project}/none/colour.md cannot be read\n"
        f"  --> {project}/none/colour.md\n"
        "  No such file or directory\n"
        "  mend: name the folder that the prompts were exported into\n"
    )
