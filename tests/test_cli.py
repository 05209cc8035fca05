"""The command line: exit statuses, what goes to which stream, and the whole of what a person reads."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

from foregone import __version__
from foregone.cli import main, make_parser
from tiny_corpus import QUESTIONS, edit, import_replies, run


def commands(parser: ArgumentParser, name: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every command and group of commands, the program itself first."""
    yield name
    for action in parser._actions:  # noqa: SLF001 - argparse lists its commands nowhere else
        if isinstance(action, _SubParsersAction):
            for word, inner in action.choices.items():
                yield from commands(inner, (*name, word))


def named(said: str) -> str:
    """What was said with names in the place of addresses and of the number of files."""
    for pattern, name in ((r"release [0-9a-f]{12}", "release ID"), (r"index [0-9a-f]{12}", "index VERSION")):
        said = re.sub(pattern, name, said)
    return re.sub(r"\b\d+ files\b(?! repaired)", "N files", said)


@contextmanager
def foregone(*arguments: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """The program in a process of its own, which ends with the test at the latest."""
    command = [sys.executable, "-m", "foregone.cli", *arguments]
    with subprocess.Popen(
        command, env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("name", [*commands(make_parser())], ids=" ".join)
def test_every_command_explains_itself(name: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*name, "--help"])

    printed = capsys.readouterr()
    assert (ended.value.code, printed.err) == (0, "")
    assert printed.out.startswith(f"usage: {' '.join(('foregone', *name))}")
    assert printed.out.endswith("exit status: 0 fine, 1 refused or a check failed, 2 used wrongly\n")


def test_the_commands_are_these() -> None:
    assert [
        " ".join(name) for name in commands(make_parser()) if name not in {(), ("corpus",), ("index",), ("draft",)}
    ] == [
        "corpus fetch",
        "corpus verify",
        "corpus sections",
        "corpus parse",
        "index build",
        "index status",
        "draft export",
        "draft import",
        "draft show",
        "answer",
        "eval",
        "compare",
        "gate",
        "bless",
        "build",
        "verify",
        "serve",
    ]


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])

    assert (ended.value.code, capsys.readouterr().out) == (0, f"foregone {__version__}\n")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["corpus"], "the following arguments are required: COMMAND"),
        (["answer"], "the following arguments are required: question"),
        (["build", "--workers", "0"], "argument --workers: '0' is not a number from 1 to 256"),
        (["build", "--workers", "many"], "argument --workers: 'many' is not a number from 1 to 256"),
        (["serve", "--port", "65536"], "argument --port: '65536' is not a port from 0 to 65535"),
        (
            ["draft", "import", "r.json", "--date", "1.12.26"],
            "argument --date: '1.12.26' is not a date such as 2026-12-01",
        ),
        (["build", "--fast"], "unrecognized arguments: --fast"),
    ],
)
def test_a_command_that_is_used_wrongly_ends_with_2(
    arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)

    printed = capsys.readouterr()
    assert (ended.value.code, printed.out, printed.err.splitlines()[-1].partition(": error: ")[2]) == (2, "", why)


def test_a_date_that_no_calendar_has_is_used_wrongly(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["draft", "import", "reply.json", "--date", "2026-02-30"])

    assert ended.value.code == 2
    assert capsys.readouterr().err.endswith("argument --date: '2026-02-30' is not a date such as 2026-12-01\n")


@pytest.mark.parametrize("command", [["answer", "tap"], ["draft", "show", "tap"], ["draft", "export", "tap"]])
def test_an_unknown_question_is_used_wrongly(
    command: list[str], built: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main([*command, "--project", str(built)])

    assert (status, *capsys.readouterr()) == (
        2,
        "",
        "error[unknown-question]: there is no question 'tap'\n  mend: see eval/questions.yaml\n",
    )


def test_a_folder_that_is_no_project_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["build", "--project", str(tmp_path)])

    printed = capsys.readouterr()
    assert (status, printed.out, printed.err.replace(str(tmp_path), "PROJECT")) == (
        1,
        "",
        (
            "error[unreadable]: PROJECT/foregone.yaml cannot be read\n"
            "  --> PROJECT/foregone.yaml\n"
            "  No such file or directory\n"
            "  mend: write the project's settings there, see docs/inputs.md\n"
        ),
    )


@pytest.mark.parametrize(
    "command",
    [
        ["corpus", "verify"],
        ["corpus", "sections"],
        ["index", "status"],
        ["answer", "lid"],
        ["eval"],
        ["verify"],
    ],
    ids=" ".join,
)
def test_a_result_as_json_is_one_document_alone(
    command: list[str], site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main([*command, "--json", "--project", str(site)])

    printed = capsys.readouterr()
    assert (status, printed.err, type(json.loads(printed.out))) == (0, "", dict)


def test_an_answer_as_json_is_the_published_one(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["answer", "lid", "--json", "--project", str(built)])

    assert json.loads(capsys.readouterr().out) == json.loads(
        (built / "dist/api/v1/answers/lid.json").read_text("utf-8")
    )


def test_an_answer_is_printed_with_claims_quotes_and_what_was_withdrawn(
    built: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["answer", "lid", "--project", str(built)])

    assert named(capsys.readouterr().out) == (
        "What does a shut lid do for steam from the spout?\n"
        "\n"
        "◐ partial: only a part of an answer is supported: the rest is missing or was withdrawn\n"
        "\n"
        "  - With a shut lid, steam leaves only by the spout.\n"
        "    [kettle §1 Boiling]\n"
        '    > "shut, where steam leaves by the spout alone."\n'
        "\n"
        "Withdrawn:\n"
        "\n"
        "  - A shut lid keeps steam below 95 degrees.\n"
        "    [kettle §1 Boiling]\n"
        '    > "A shut lid keeps the whistle in tune."\n'
        "    literal: The section does not hold: 95.\n"
        "\n"
        "1 claims kept, 1 withdrawn; 3 passages read, 1 cited; index VERSION\n"
    )


def test_an_answer_without_quotes_holds_no_sentence_of_the_corpus(
    built: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["answer", "whistle", "--no-quotes", "--project", str(built)])

    assert named(capsys.readouterr().out) == (
        "When does the whistle of a kettle sound?\n"
        "\n"
        "● grounded: every claim is supported by the passage that it cites\n"
        "\n"
        "  - The whistle sounds once steam passes the spout at 100 degrees.\n"
        "    [kettle §2 Whistling]\n"
        "\n"
        "1 claims kept, 0 withdrawn; 3 passages read, 1 cited; index VERSION\n"
    )


def test_an_answer_that_is_refused_says_so(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["answer", "colour", "--project", str(built)])

    assert named(capsys.readouterr().out) == (
        "Which colour should a teapot be?\n"
        "\n"
        "○ unsupported: no claim is supported, so no answer is given\n"
        "\n"
        "0 claims kept, 0 withdrawn; 3 passages read, 0 cited; index VERSION\n"
    )


def test_an_abandoned_answer_says_so(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(project / "eval/thresholds.yaml", "max_work: 5000", "max_work: 1")

    main(["answer", "lid", "--project", str(project)])

    assert named(capsys.readouterr().out) == (
        "What does a shut lid do for steam from the spout?\n"
        "\n"
        "⊘ abandoned: checking the answer passed its limit of work, so no answer is given\n"
        "\n"
        "0 claims kept, 0 withdrawn; 3 passages read, 0 cited; index VERSION\n"
    )


def test_a_build_says_what_it_made(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outputs = []
    for _ in range(2):
        assert main(["build", "--project", str(project)]) == 0
        outputs.append(named(capsys.readouterr().out))

    assert outputs == [
        "3 questions: 1 grounded, 1 partial, 1 unsupported\nrelease ID (new), index VERSION, N files\n",
        (
            "3 questions: 1 grounded, 1 partial, 1 unsupported\n"
            "release ID (unchanged, 0 files repaired), index VERSION, N files\n"
        ),
    ]


def test_a_build_counts_abandoned_answers(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(project / "eval/thresholds.yaml", "max_work: 5000", "max_work: 1")

    assert main(["build", "--project", str(project)]) == 0

    assert capsys.readouterr().out.splitlines()[:2] == [
        "3 questions: 1 unsupported",
        "2 abandoned: their work passed budget.max_work",
    ]


def test_how_long_a_build_took_is_recorded_outside_the_site(project: Path) -> None:
    run("build", "--project", str(project))

    record = json.loads((project / ".foregone/build.json").read_text("utf-8"))
    current = json.loads((project / "dist/current.json").read_text("utf-8"))
    assert (record["release"], record["seconds"] > 0) == (current["release"], True)


def test_a_build_without_index_writes_nothing_unless_it_is_told_to(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(project / "corpus/index")

    refused = main(["build", "--project", str(project)])
    assert (refused, (project / "dist").exists(), capsys.readouterr().out) == (1, False, "")

    published = main(["build", "--allow-no-context", "--project", str(project)])
    assert (published, named(capsys.readouterr().out)) == (
        0,
        "3 questions: 3 no_context\nrelease ID (new), index missing, N files\n",
    )
    assert main(["verify", "--project", str(project)]) == 0


@pytest.mark.parametrize("command", [["eval"], ["draft", "export"], ["draft", "show", "lid"]], ids=" ".join)
def test_a_command_that_needs_the_index_says_so(
    command: list[str], project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(project / "corpus/index")

    status = main([*command, "--project", str(project)])

    printed = capsys.readouterr()
    assert (status, printed.out, printed.err.splitlines()[-1]) == (1, "", "  mend: run `foregone index build`")


def test_a_missing_index_is_told_by_its_status(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    version = next((project / "corpus/index").iterdir()).name
    shutil.rmtree(project / "corpus/index")

    status = main(["index", "status", "--project", str(project)])

    assert (status, capsys.readouterr().out.replace(str(project), "PROJECT")) == (
        1,
        (
            "index missing is not of this corpus and these settings\n"
            "  PROJECT/corpus/index holds no index\n"
            f"a rebuild gives {version}\n"
        ),
    )


def test_a_site_that_is_not_whole_is_a_finding_and_not_an_error(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "dist/404.html").unlink()
    (site / "dist/letter").touch()

    status = main(["verify", "--project", str(site)])

    printed = capsys.readouterr()
    assert (status, printed.err, named(printed.out)) == (
        1,
        "",
        (
            "missing: 404.html: the current release ID has it\n"
            "stray: letter: neither the current release nor site.json lists it\n"
            "release ID and 0 before it, N files: 2 findings\n"
        ),
    )


def test_what_an_interrupted_build_left_is_told_and_is_no_finding(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (site / "dist/v/.staging/q").mkdir(parents=True)

    status = main(["verify", "--project", str(site)])
    assert (status, named(capsys.readouterr().out)) == (
        0,
        (
            "a build was interrupted: v/.staging is left of it; the next build removes it\n"
            "release ID and 0 before it, N files: whole\n"
        ),
    )


def test_a_site_is_verified_where_there_is_no_project(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (site / "dist").rename(tmp_path / "alone")
    shutil.rmtree(site)

    status = main(["verify", str(tmp_path / "alone"), "--json"])

    found = json.loads(capsys.readouterr().out)
    files = sum(path.is_file() for path in (tmp_path / "alone").rglob("*"))
    assert (status, found["files"], found["findings"]) == (0, files, [])


def test_a_folder_without_a_site_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["verify", str(tmp_path)])

    printed = capsys.readouterr()
    assert (status, printed.out, printed.err.partition("\n")[0].replace(str(tmp_path), "DIST")) == (
        1,
        "",
        "error[no-site]: DIST holds no published site",
    )


def test_a_question_set_without_answerable_questions_is_not_measured(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head, *entries = QUESTIONS.split("  - id: ")
    (project / "eval/questions.yaml").write_text(head + "  - id: " + entries[2], encoding="utf-8")
    for question in ("lid", "whistle"):
        (project / f"eval/drafts/{question}.json").unlink()

    status = main(["eval", "--project", str(project)])

    printed = capsys.readouterr()
    assert (status, printed.out, printed.err.replace(str(project), "PROJECT")) == (
        1,
        "",
        (
            "error[nothing-to-measure]: no question of the set is one that the corpus answers\n"
            "  --> PROJECT/eval/questions.yaml\n"
            "  retrieval is measured by the sections that such questions expect\n"
            "  mend: add a question with its sections\n"
        ),
    )


def test_the_inventory_counts_sections_of_every_document(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["corpus", "sections", "--project", str(built)])

    assert capsys.readouterr().out == (
        "document  sections  not empty  with sentences  chunks\n"
        "cups             4          3               1       3\n"
        "kettle           2          2               2       4\n"
        "teapot           2          2               2       2\n"
        "all              8          7               5       9\n"
    )


def test_an_exported_prompt_is_written_where_it_is_asked(
    built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["draft", "export", "lid", "--out", str(tmp_path / "prompts"), "--project", str(built)])

    assert capsys.readouterr().out == f"{tmp_path}/prompts/lid.md\n"
    assert "What does a shut lid do" in (tmp_path / "prompts/lid.md").read_text("utf-8")


def test_a_draft_is_shown_with_the_words_of_its_quotes(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["draft", "show", "lid", "--project", str(built)])

    assert capsys.readouterr().out == (
        "What does a shut lid do for steam from the spout?\n"
        "answered, drafted by language model, from the exported prompt, recorded 2026-12-01\n"
        "\n"
        "c1 With a shut lid, steam leaves only by the spout.\n"
        '   kettle#1: "shut, where steam leaves by the spout alone."\n'
        "\n"
        "c2 A shut lid keeps steam below 95 degrees.\n"
        '   kettle#1: "A shut lid keeps the whistle in tune."\n'
    )


def test_replies_are_imported_all_or_none(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path.name: path.read_bytes() for path in (project / "eval/drafts").iterdir()}
    folder = project / ".foregone/replies"
    edit(folder / "lid.json", "below 95", "below 90")
    edit(folder / "whistle.json", "kettle#2", "kettle#9")

    status = main(
        ["draft", "import", "--project", str(project), str(folder / "lid.json"), str(folder / "whistle.json")]
    )

    assert (status, capsys.readouterr().out) == (1, "")
    assert {path.name: path.read_bytes() for path in (project / "eval/drafts").iterdir()} == before


def test_what_an_import_widens_or_misses_is_noted_apart_from_the_result(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    claims = [
        {"text": "The whistle sounds.", "kind": "finding", "section": "kettle#2", "quote": "The whistle sounds when"},
        {"text": "It sings.", "kind": "finding", "section": "kettle#2", "quote": "A kettle sings of tea."},
    ]
    import_replies(project, {"whistle": {"question": "whistle", "outcome": "answered", "claims": claims}})

    printed = capsys.readouterr()
    assert printed.out.splitlines()[-1] == f"{project}/eval/drafts/whistle.json: answered, 2 claims"
    assert printed.err == (
        "whistle c1: the quote was widened to its whole sentences\n"
        "whistle c2: the quote was not found in kettle#2: absent\n"
    )


@pytest.mark.parametrize(
    "arguments", [["corpus", "sections"], ["answer", "lid", "--json"], ["--help"], ["build", "--help"]], ids=" ".join
)
def test_a_reader_that_stops_early_makes_no_error(arguments: list[str], built: Path) -> None:
    project = [] if "--help" in arguments else ["--project", str(built)]
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed:
        command = [sys.executable, "-m", "foregone.cli", *arguments, *project]
        ended = subprocess.run(command, stdout=closed, stderr=subprocess.PIPE, check=False)

    assert (ended.returncode, ended.stderr) == (0, b"")


def test_output_is_utf8_in_the_c_locale(built: Path) -> None:
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    with foregone("answer", "whistle", "--project", str(built), **locale) as process:
        out, err = process.communicate()

    assert (process.returncode, err, out.splitlines()[2][:10]) == (0, "", "● grounded")


@pytest.fixture
def interruptible() -> Iterator[None]:
    """A shell starts what runs in its background with the interrupt ignored, and a process hands that on."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_serve_takes_its_port_from_the_environment_and_stops_when_it_is_interrupted(built: Path) -> None:
    with foregone("serve", "--project", str(built), PORT="0") as process:
        assert process.stderr
        said = process.stderr.readline()
        connection = HTTPConnection(said.split("/")[-2], timeout=10)
        connection.request("GET", "/")
        status = connection.getresponse().status
        connection.close()
        process.send_signal(signal.SIGINT)
        rest = process.communicate(timeout=10)[1]

    assert (status, re.sub(r":\d+/", ":PORT/", said).replace(str(built), "PROJECT")) == (
        200,
        "serving PROJECT/dist on http://127.0.0.1:PORT/ (stop with Ctrl-C)\n",
    )
    assert (process.returncode, rest.splitlines()[-1]) == (0, "stopped")


def test_a_port_of_the_environment_that_is_none_is_used_wrongly_by_serve_alone(built: Path) -> None:
    with foregone("serve", "--project", str(built), PORT="many") as serve:
        said = serve.communicate()[1]
    with foregone("corpus", "verify", "--project", str(built), PORT="many") as other:
        other.communicate()

    assert said.endswith("error: argument --port: 'many' is not a port from 0 to 65535\n")
    assert (serve.returncode, other.returncode) == (2, 0)


def test_serve_says_where_it_cannot_listen(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        status = main(["serve", "--project", str(built), "--port", str(port)])

    printed = capsys.readouterr()
    assert (status, printed.out, printed.err.replace(str(port), "PORT")) == (
        2,
        "",
        (
            "error[cannot-listen]: cannot listen on 127.0.0.1:PORT\n"
            "  Address already in use\n"
            "  mend: choose another one with --host and --port\n"
        ),
    )


def test_a_file_name_that_is_not_utf8_is_refused(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree("site_templates", project / "site_templates")
    (project / "site_templates" / os.fsdecode(b"tea\xff.txt")).write_text("tea", encoding="utf-8")

    assert main(["build", "--project", str(project)]) == 1
    said = capsys.readouterr()
    assert (said.out, re.sub("[0-9a-f]{64}", "DIGEST", said.err)) == (
        "",
        (
            "error[not-utf8-name]: the name of a file or folder is not UTF-8\n"
            "  --> tea\\udcff.txt sha256:DIGEST\n"
            "  names stand in digests and in lists, which are UTF-8\n"
            "  mend: rename it\n"
        ),
    )
