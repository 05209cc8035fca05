"""The command line: which commands there are, and what they are given."""

import datetime as dt
import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from pathlib import Path

from foregone import __version__
from foregone.commands import answer, bless, compare, corpus, draft, evaluate, gate, index, parse, site
from foregone.commands.output import note
from foregone.errors import ForegoneError, Refused

DESCRIPTION = """\
A static site generator that precomputes every answer.

  foregone corpus fetch    bring the pinned documents
  foregone build           answer every question into dist/
  foregone serve           look at it
"""
EPILOG = "exit status: 0 fine, 1 refused or a check failed, 2 used wrongly"
DATE = "date, e.g. 2026-12-01 (default: today)"

Handler = Callable[[Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its exit status.

    What is printed is UTF-8 in every locale, and who stops reading it early makes no error.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        try:
            return _run(make_parser().parse_args(arguments))
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _run(parsed: Namespace) -> int:
    try:
        status: int = parsed.handler(parsed)
    except ForegoneError as error:
        note(error.diagnostics())
        return error.exit_status
    except BrokenPipeError:
        raise
    except OSError as error:
        note(_of_system(error).diagnostics())
        return Refused.exit_status
    except UnicodeEncodeError as error:
        note(_of_name(error).diagnostics())
        return Refused.exit_status
    except KeyboardInterrupt:
        note("interrupted")
        return 130
    return status


def _of_system(error: OSError) -> Refused:
    """What the system refused, in words; every file is written whole or not at all, so nothing is half done."""
    where = str(error.filename or "")
    return Refused(
        "system",
        f"a file could not be read or written{f': {where}' if where else ''}",
        where=where,
        why=(error.strerror or str(error),),
        mend="make room or give access, then run the command again: what was there before is whole",
    )


def _of_name(error: UnicodeEncodeError) -> Refused:
    """A name that is not UTF-8: texts that cannot be written are refused where they are read, names are not."""
    before, behind = error.object[: error.start], error.object[error.start :]
    return Refused(
        "not-utf8-name",
        "the name of a file or folder is not UTF-8",
        where=before.rpartition("\n")[2] + behind.partition("\n")[0],
        why=("names stand in digests and in lists, which are UTF-8",),
        mend="rename it",
    )


def make_parser() -> ArgumentParser:
    """The parser of all commands."""
    parser = ArgumentParser(
        prog="foregone", description=DESCRIPTION, epilog=EPILOG, formatter_class=RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action="version", version=f"foregone {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_corpus(_group(commands, "corpus", "the pinned documents"))
    _add_index(_group(commands, "index", "the index over them"))
    _add_draft(_group(commands, "draft", "recorded drafts of answers"))
    _add_answer(commands)
    _add_site(commands)
    return parser


def _add_corpus(commands) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001 - argparse names no public type
    _command(commands, "fetch", "bring every document that is not on disk and check it", corpus.fetch)
    _command(commands, "verify", "check every fetched document against its pin", corpus.verify, json=True)
    sections = _command(commands, "sections", "print the inventory of sections and chunks", corpus.sections, json=True)
    texts = _command(commands, "parse", "parse every text below a folder, pinned or not", parse.parse)
    texts.add_argument("folder", type=Path, help="folder of .txt or .txt.gz files")
    sections.add_argument("--list", action="store_true", help="print id and title of every section instead")


def _add_index(commands) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001 - as above
    _command(
        commands, "build", "embed what changed and write the index (`make dense` brings the embedder)", index.build
    )
    _command(commands, "status", "say whether the index is of this corpus, and what changed", index.status, json=True)


def _add_draft(commands) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001 - as above
    export = _command(commands, "export", "write prompts to be answered", draft.export)
    export.add_argument("question", nargs="*", help="ids of questions (default: all)")
    export.add_argument("--out", type=Path, help="folder (default: .foregone/prompts)")
    take = _command(commands, "import", "take replies to prompts in", draft.import_replies)
    take.add_argument("file", nargs="+", type=Path, help="replies, a JSON file each")
    take.add_argument("--prompts", type=Path, help="folder of the exported prompts (default: .foregone/prompts)")
    take.add_argument("--drafter", default="language model, from the exported prompt", help="who wrote them, in words")
    take.add_argument("--model", help="name of the model, where it is known")
    take.add_argument("--date", type=_date, help=DATE)
    show = _command(commands, "show", "print a draft with the words of its quotes", draft.show)
    show.add_argument("question", help="id of the question")


def _add_answer(commands) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001 - as above
    one = _command(commands, "answer", "print one answer", answer.answer, json=True)
    one.add_argument("question", help="id of the question")
    one.add_argument("--no-quotes", action="store_true", help="leave the quoted passages out")
    _add_eval(_command(commands, "eval", "measure retrieval and answers", evaluate.evaluate, json=True))
    _add_compare(
        _command(commands, "compare", "say what changed between two evaluation runs", compare.compare, json=True)
    )
    _add_gate(_command(commands, "gate", "check everything against what is committed", gate.gate, json=True))

    accept = _command(commands, "bless", "accept what is measured now as the baseline", bless.bless)
    accept.add_argument("--reason", required=True, help="why, in one line; it is recorded")
    accept.add_argument("--thresholds", action="store_true", help="also set the floors of the gate by it")


def _add_compare(pair: ArgumentParser) -> None:
    run = "a baseline file, a folder of results, a project, or a git revision (default: {})"
    pair.add_argument("a", nargs="?", metavar="A", help=run.format("eval/baseline.json"))
    pair.add_argument("b", nargs="?", metavar="B", help=run.format("eval/results"))
    pair.add_argument("--html", type=Path, metavar="FILE", help="write a report for a browser, in one file")


def _add_gate(check: ArgumentParser) -> None:
    check.add_argument(
        "--only", action="append", metavar="NAME", help="run these checks alone (may be repeated; * and ?)"
    )
    check.add_argument("--list", action="store_true", help="list the checks and what each makes sure of")
    check.add_argument("--junit", type=Path, metavar="FILE", help="write a JUnit report")
    check.add_argument("--sarif", type=Path, metavar="FILE", help="write a SARIF report")
    check.add_argument("--html", type=Path, metavar="FILE", help="write a report for a browser, in one file")


def _add_eval(measure: ArgumentParser) -> None:
    measure.add_argument("--quiet", action="store_true", help="print one line")
    measure.add_argument("--questions", type=Path, help="measure this question set over the same corpus instead")
    measure.add_argument("--drafts", type=Path, help="folder of its drafts (without: retrieval alone)")
    measure.add_argument(
        "--out", type=Path, help="folder of the results files (default: eval/results; of --questions: none)"
    )
    measure.add_argument("--trec", type=Path, help="folder to write TREC qrels and runs into")
    measure.add_argument("--run", type=Path, help="measure this TREC run instead, against --qrels")
    measure.add_argument("--qrels", type=Path, help="TREC judgements for --run")


def _add_site(commands) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001 - as above
    build = _command(commands, "build", "answer every question into dist/", site.build)
    build.add_argument("--workers", type=_positive, default=1, help="processes to use (default: 1)")
    build.add_argument("--allow-no-context", action="store_true", help="publish even where the index is missing")
    verify = _command(commands, "verify", "check every file of a published site", site.verify, json=True)
    verify.add_argument("dir", nargs="?", type=Path, help="folder of the site (default: dist/)")
    serve = _command(commands, "serve", "preview dist/ on this machine", site.serve)
    serve.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
    port = os.environ.get("PORT", "8000")
    serve.add_argument("--port", type=_port, default=port, help="port (default: PORT of the environment, or 8000)")


def _group(commands, name: str, help_text: str):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202 - as above
    group = commands.add_parser(name, help=help_text, description=help_text, epilog=EPILOG)
    return group.add_subparsers(title="commands", metavar="COMMAND", required=True)


def _command(commands, name: str, help_text: str, handler: Handler, *, json: bool = False) -> ArgumentParser:  # type: ignore[no-untyped-def] # noqa: ANN001 - as above
    parser: ArgumentParser = commands.add_parser(name, help=help_text, description=help_text, epilog=EPILOG)
    parser.add_argument("--project", type=Path, default=Path(), help="folder of the project (default: here)")
    if json:
        parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.set_defaults(handler=handler)
    return parser


def _positive(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 256:
        raise ArgumentTypeError(f"{text!r} is not a number from 1 to 256")
    return int(text)


def _port(text: str) -> int:
    if not text.isdigit() or int(text) > 65535:
        raise ArgumentTypeError(f"{text!r} is not a port from 0 to 65535")
    return int(text)


def _date(text: str) -> str:
    try:
        is_date = dt.date.fromisoformat(text).isoformat() == text
    except ValueError:
        is_date = False
    if not is_date:
        raise ArgumentTypeError(f"{text!r} is not a date such as 2026-12-01")
    return text


if __name__ == "__main__":
    sys.exit(main())
