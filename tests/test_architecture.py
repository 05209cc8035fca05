"""The direction of imports, and what must not exist."""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path("build/foregone")
BASE = (
    "errors", "digest", "files", "characters", "located", "embedder_settings", "settings", "tokens", "table", "budget",
    "thresholds", "spend",
)  # fmt: skip
STAGES = ("corpus", "index", "retrieve", "draft", "ground", "decide", "measure", "render", "release")
ON_TOP = (
    "failpoint", "lock", "progress", "workers", "project", "pipeline", "evaluation", "compare", "gate",
    "commands", "bench", "cli",
)  # fmt: skip
ORDER = (*BASE, *STAGES, *ON_TOP)
"""Modules and folders of the package; each imports only itself and what stands to its left."""
DOORS = {
    "Stemmer": {"index/bm25.py"},
    "bm25s": {"index/bm25.py"},
    "filelock": {"lock.py"},
    "httpx": {"corpus/download.py"},
    "jinja2": {"render/pages.py", "render/report.py"},
    "markdown_it": {"corpus/markdown.py"},
    "onnxruntime": {"index/onnx_model.py"},
    "openai": {"index/openai_endpoint.py"},
    "tokenizers": {"index/onnx_model.py"},
    "tqdm": {"progress.py"},
    "yaml": {"located.py"},
}
"""Third-party package -> the modules that may import it."""
ARRAYS = {"index", "retrieve", "measure", "bench"}
"""Folders that may import numpy, the only package that is a way of speaking and not a door."""
LONGEST = 300
"""Lines of a module."""
WAYS_OUT = (
    "aiohttp", "asyncio", "ftplib", "http.client", "http.server", "httpx", "openai", "requests", "smtplib", "socket",
    "socketserver", "ssl", "subprocess", "urllib.request", "urllib3", "websockets", "xmlrpc",
)  # fmt: skip
"""Modules that reach another host, or start a program that may."""
CATCH_ALLS = {"base", "common", "helpers", "misc", "models", "types", "utils"}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Every module that `path` imports, at its top or inside a function."""
    found: list[str] = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found.extend(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports relatively"
            found.append(str(node.module))
            found.extend(
                f"{node.module}.{alias.name}" for alias in node.names if module_path(f"{node.module}.{alias.name}")
            )
    return tuple(found)


def own_imports(path: Path) -> Iterator[Path]:
    """The modules of the package that `path` imports."""
    for name in imports(path):
        if name.split(".")[0] == "foregone" and (target := module_path(name)):
            yield target


def module_path(name: str) -> Path | None:
    """The file of a module of the package."""
    stem = PACKAGE.parent.joinpath(*name.split("."))
    return next((path for path in (stem.with_suffix(".py"), stem / "__init__.py") if path.is_file()), None)


def reached(*starts: Path) -> set[Path]:
    """The modules that `starts` load, themselves among them, with the packages that these stand in."""
    found: set[Path] = set()
    waiting = list(starts)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            packages = (parent / "__init__.py" for parent in path.parents if parent.is_relative_to(PACKAGE))
            waiting += [*own_imports(path), *packages]
    return found


def ways_out(path: Path) -> set[str]:
    """What of WAYS_OUT a module imports, at its top or inside a function."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [
        f"{node.module}.{alias.name}" for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names
    ]
    return {way for way in WAYS_OUT for name in names if f"{name}.".startswith(f"{way}.")}


def unit(path: Path) -> str:
    """The folder or module of the package that `path` belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def test_every_module_has_its_place_in_the_order() -> None:
    assert {unit(path) for path in modules()} == {*ORDER, "__init__"}


def test_a_module_imports_only_what_stands_to_its_left() -> None:
    backwards = {
        f"{path.relative_to(PACKAGE)} imports {target.relative_to(PACKAGE)}"
        for path in modules()
        for target in own_imports(path)
        if unit(target) != "__init__" and ORDER.index(unit(target)) > ORDER.index(unit(path))
    }

    assert backwards == set()


def test_no_modules_import_each_other_in_a_circle() -> None:
    waiting = {path: set(own_imports(path)) - {path} for path in modules()}
    while free := {path for path, wanted in waiting.items() if not wanted & waiting.keys()}:
        waiting = {path: wanted for path, wanted in waiting.items() if path not in free}

    assert sorted(map(str, waiting)) == []


def test_a_third_party_package_is_imported_by_its_named_modules_alone() -> None:
    found: dict[str, set[str]] = {}
    for path in modules():
        for name in imports(path):
            package = name.split(".")[0]
            if package not in sys.stdlib_module_names and package not in ("foregone", "numpy"):
                found.setdefault(package, set()).add(path.relative_to(PACKAGE).as_posix())

    assert found == DOORS


def test_arrays_stay_in_the_stages_that_score_and_measure() -> None:
    assert {unit(path) for path in modules() if any(name.split(".")[0] == "numpy" for name in imports(path))} <= ARRAYS


def test_no_module_imports_one_of_its_own_package_inside_a_function() -> None:
    hidden = {
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for path in modules()
        for function in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("foregone")
    }

    assert hidden == set()


def test_the_gate_loads_nothing_that_could_reach_another_host() -> None:
    gate = reached(*(PACKAGE / "gate").rglob("*.py"), PACKAGE / "commands/gate.py")

    assert {str(path.relative_to(PACKAGE)): ways_out(path) for path in sorted(gate) if ways_out(path)} == {}


def test_what_reaches_another_host_is_found_where_it_is_loaded() -> None:
    found = {way for path in reached(PACKAGE / "cli.py") for way in ways_out(path)}

    assert found == {"http.server", "httpx", "openai", "subprocess"}


def test_no_module_is_longer_than_a_reader_can_hold() -> None:
    lengths = {path.as_posix(): len(path.read_text("utf-8").splitlines()) for path in modules()}

    assert {path: length for path, length in lengths.items() if length > LONGEST} == {}


def test_standard_output_is_written_in_one_place() -> None:
    writing = {
        path.relative_to(PACKAGE).as_posix()
        for path in modules()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print")
        or (isinstance(node, ast.Attribute) and ast.unparse(node) in ("sys.stdout.write", "sys.stdout.buffer"))
    }

    assert writing == {"commands/output.py"}


def test_every_stage_says_what_it_takes_and_gives() -> None:
    silent = [stage for stage in STAGES if "gives" not in (PACKAGE / stage / "__init__.py").read_text("utf-8").lower()]

    assert silent == []


def test_no_module_is_a_catch_all() -> None:
    assert [path for path in modules() if {*path.relative_to(PACKAGE).with_suffix("").parts} & CATCH_ALLS] == []


def test_the_source_folder_holds_the_package_and_is_none_itself() -> None:
    assert [path.name for path in PACKAGE.parent.iterdir() if path.name != "__pycache__"] == ["foregone"]


@pytest.mark.parametrize("folder", ["build", "build/foregone/render", "site_templates"])
def test_no_ignore_file_hides_the_source(folder: str) -> None:
    lines = {line.strip() for line in Path(".gitignore").read_text("utf-8").splitlines()}

    assert not lines & {folder, f"{folder}/", f"/{folder}/", Path(folder).name, f"{Path(folder).name}/"}
