"""`foregone compare`: what changed between two evaluation runs, and why. 0 compared, 1 no run there, 2 used wrongly."""

from argparse import Namespace
from pathlib import Path

from foregone.commands.output import say, say_json
from foregone.compare.comparison import compare_runs
from foregone.compare.html import html_report
from foregone.compare.json_value import comparison_value
from foregone.compare.markdown import markdown
from foregone.compare.run import Run
from foregone.compare.sources import load_run
from foregone.errors import Refused
from foregone.files import write_atomically
from foregone.project import load_project


def compare(arguments: Namespace) -> int:
    """Print the comparison, and write it for a browser where it is asked for; a difference is no failure."""
    comparison = compare_runs(*_runs(arguments))
    if arguments.json:
        say_json(comparison_value(comparison))
    else:
        say(markdown(comparison).removesuffix("\n"))
    if arguments.html:
        write_atomically(arguments.html, html_report(comparison))
    return 0


def _runs(arguments: Namespace) -> tuple[Run, Run]:
    """A and B; the project is read only where one of them is not named."""
    root: Path = arguments.project
    if arguments.b is not None:
        return load_run(arguments.a, root), load_run(arguments.b, root)
    project = load_project(root)
    if arguments.a is None:
        _require(project.baseline, "the baseline", "`foregone bless` writes it; or name two runs")
    _require(project.results, "the folder of results", "run `foregone eval`")
    a = str(project.baseline) if arguments.a is None else arguments.a
    return load_run(a, root), load_run(str(project.results), root)


def _require(path: Path, what: str, mend: str) -> None:
    if not path.exists():
        raise Refused("no-run", f"{what} is missing, so there is no run to compare", where=str(path), mend=mend)
