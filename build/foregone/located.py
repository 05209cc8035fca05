"""Values read from YAML and JSON that know where they stand, so that a refusal names file and line.

The line is looked up only when it is asked for: reading a good file costs one parse, naming lines one more.
"""

import json
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

import yaml

from foregone.characters import FORBIDDEN
from foregone.errors import Refused
from foregone.files import read_text

MAX_CHARACTERS = 8_000_000
"""A longer settings, questions or draft file is a mistake, not an input; what we wrote ourselves has its own bound."""


@dataclass(frozen=True)
class Source:
    """The file that a value came from; without slots, so that its nodes are made at most once."""

    path: Path
    text: str

    @cached_property
    def nodes(self) -> yaml.Node | None:
        """The text's YAML nodes, which know their lines; None where they cannot be made.

        JSON is read as the YAML that it nearly always is; a tab in it is white space, which YAML does not allow.
        """
        for text in (self.text, self.text.replace("\t", " ")):
            try:
                return yaml.compose(text, Loader=yaml.SafeLoader)
            except (yaml.YAMLError, RecursionError):
                continue
        return None


@dataclass(frozen=True, slots=True)
class Located:
    """One value and the way to it from the top of its file."""

    value: Any
    """What the parser gave: str, int, float, bool, None, list or dict."""
    source: Source
    trail: tuple[str | int, ...] = ()
    """Keys and list positions from the top, e.g. ('questions', 3, 'sections')."""

    @property
    def where(self) -> str:
        """`path:line` of this value."""
        return f"{self.source.path}:{_line_of(self.source.nodes, self.trail)}"

    @property
    def name(self) -> str:
        """The value's way in words, e.g. `questions[3].sections`."""
        steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.trail)
        return "".join(steps).removeprefix(".") or "the file"

    def refuse(self, code: str, what: str, *, why: tuple[str, ...] = (), mend: str) -> NoReturn:
        """Raise Refused at this place."""
        raise Refused(code, what, where=self.where, why=why, mend=mend)

    def mapping(self, required: Iterable[str] = (), optional: Iterable[str] = ()) -> "dict[str, Located]":
        """The value as a mapping with exactly these keys; unknown and missing ones are refused."""
        value = self._of_type(dict, "a mapping")
        required, optional = tuple(required), tuple(optional)
        for key in value:
            if key not in required and key not in optional:
                known = ", ".join(sorted((*required, *optional)))
                self._child(key).refuse(
                    "unknown-key",
                    f"{self.name} has an unknown key {key!r}",
                    why=(f"known keys: {known}",),
                    mend="remove the key or correct its spelling",
                )
        for key in required:
            if key not in value:
                self.refuse("missing-key", f"{self.name} has no {key!r}", mend=f"add {key!r}")
        return {key: self._child(key) for key in value}

    def any_mapping(self) -> "dict[str, Located]":
        """The value as a mapping whose keys are data."""
        return {key: self._child(key) for key in self._of_type(dict, "a mapping")}

    def items(self) -> "tuple[Located, ...]":
        """The value as a list."""
        value = self._of_type(list, "a list")
        return tuple(Located(entry, self.source, (*self.trail, place)) for place, entry in enumerate(value))

    def string(self) -> str:
        """The value as a text that is not blank and can be written and printed: nothing of FORBIDDEN, no NUL."""
        value: str = self._of_type(str, "a text")
        if not value.strip() or "\0" in value:
            self.refuse("blank-text", f"{self.name} is blank or holds a NUL", mend="write the text")
        for pattern, code, what, why in FORBIDDEN:
            if pattern.search(value):
                self.refuse(code, f"{self.name} holds {what}", why=(why,), mend="write whole, printable characters")
        return value

    def matching(self, pattern: re.Pattern[str], words: str) -> str:
        """The value as a text that `pattern` matches whole; `words` say what is expected."""
        text = self.string()
        if not pattern.fullmatch(text):
            self.refuse("bad-value", f"{self.name} is {text!r}", why=(f"expected {words}",), mend="correct the value")
        return text

    def date(self) -> str:
        """The value as a day of the calendar, e.g. `2026-12-01`."""
        text = self.string()
        try:
            day = date.fromisoformat(text).isoformat()
        except ValueError:
            day = "none"
        return self.matching(re.compile(re.escape(day)), "a date such as 2026-12-01")

    def strings(self) -> tuple[str, ...]:
        """The value as a list of texts."""
        return tuple(entry.string() for entry in self.items())

    def one_of(self, *allowed: str) -> str:
        """The value as one of the texts in `allowed`."""
        if self.value not in allowed:
            self.refuse(
                "unknown-value",
                f"{self.name} is {self.value!r}",
                why=(f"expected one of: {', '.join(allowed)}",),
                mend="use one of the expected values",
            )
        return str(self.value)

    def integer(self, minimum: int, maximum: int) -> int:
        """The value as an integer within bounds, both included."""
        if type(self.value) is not int or not minimum <= self.value <= maximum:
            self.refuse(
                "bad-number",
                f"{self.name} is {self.value!r}",
                why=(f"expected an integer from {minimum} to {maximum}",),
                mend="write such a number",
            )
        return int(self.value)

    def number(self, minimum: float, maximum: float) -> float:
        """The value as a finite number within bounds, both included."""
        good = type(self.value) in (int, float) and minimum <= self.value <= maximum and math.isfinite(self.value)
        if not good:
            self.refuse(
                "bad-number",
                f"{self.name} is {self.value!r}",
                why=(f"expected a number from {minimum:g} to {maximum:g}",),
                mend="write such a number",
            )
        return float(self.value)

    def boolean(self) -> bool:
        """The value as true or false."""
        return bool(self._of_type(bool, "true or false"))

    def _child(self, key: str) -> "Located":
        return Located(self.value[key], self.source, (*self.trail, key))

    def _of_type(self, kind: type, words: str) -> Any:  # noqa: ANN401 - the caller narrows it
        if type(self.value) is not kind:
            self.refuse(
                "wrong-type",
                f"{self.name} is not {words}",
                why=(f"found {_kind_in_words(self.value)}",),
                mend=f"write {words}",
            )
        return self.value


def load_yaml(path: Path, *, mend: str) -> Located:
    """The YAML file at `path`; Refused where it is malformed, repeats a key or uses aliases."""
    text = _bounded(path, read_text(path, mend=mend))
    try:
        value = yaml.load(text, Loader=_StrictLoader)  # noqa: S506 - a SafeLoader with fewer types
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        _refuse_syntax("yaml-syntax", path, line, str(error.problem or error.context))
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        _refuse_syntax("yaml-syntax", path, line, str(error).splitlines()[0])
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        _refuse_syntax("yaml-syntax", path, 1, str(error).splitlines()[0])
    return Located(value, Source(path, text))


def load_json(path: Path, *, mend: str) -> Located:
    """The JSON file at `path`; Refused where it is malformed, repeats a key or holds NaN or infinity (RFC 8259)."""
    return parse_json(read_text(path, mend=mend), path)


def parse_json(text: str, path: Path, most: int = MAX_CHARACTERS) -> Located:
    """`text` as JSON that is said to come from `path`, of at most so many characters; refusals as `load_json`."""
    _bounded(path, text, most)
    try:
        value = json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        _refuse_syntax("json-syntax", path, error.lineno, f"{error.msg} in column {error.colno}")
    except (ValueError, RecursionError) as error:
        _refuse_syntax("json-syntax", path, 1, str(error))
    return Located(value, Source(path, text))


def _bounded(path: Path, text: str, most: int = MAX_CHARACTERS) -> str:
    if len(text) > most:
        raise Refused(
            "too-large",
            f"{path} has {len(text):,} characters",
            where=f"{path}:1",
            why=(f"at most {most:,} are read",),
            mend="split the file or look for what filled it",
        )
    return text


def _refuse_syntax(code: str, path: Path, line: int, why: str) -> NoReturn:
    raise Refused(
        code, f"{path} cannot be parsed", where=f"{path}:{line}", why=(why,), mend="correct the file at this line"
    )


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        message = f"the key {twice!r} stands twice in one object"
        raise ValueError(message)
    return value


def _no_constant(name: str) -> NoReturn:
    message = f"{name} is not JSON"
    raise ValueError(message)


def _kind_in_words(value: object) -> str:
    names = {dict: "a mapping", list: "a list", str: "a text", bool: "a truth value", type(None): "nothing"}
    return names.get(type(value), "a number")


def _line_of(node: yaml.Node | None, trail: tuple[str | int, ...]) -> int:
    """The line, from 1, of the value that `trail` leads to from the top node, or of the last step that is found."""
    if node is None:
        return 1
    line = int(node.start_mark.line) + 1
    for step in trail:
        if isinstance(node, yaml.SequenceNode) and isinstance(step, int):
            node = node.value[step]
            line = int(node.start_mark.line) + 1
        elif isinstance(node, yaml.MappingNode):
            pair = next((pair for pair in node.value if pair[0].value == step), None)
            if pair is None:
                break
            line, node = int(pair[0].start_mark.line) + 1, pair[1]
    return line


class _StrictLoader(yaml.SafeLoader):
    """SafeLoader that refuses repeated keys, keys that are not text, aliases and tags, and leaves dates as text."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event: Any = self.peek_event()  # type: ignore[no-untyped-call] # its stub has no types
        if self.check_event(yaml.AliasEvent):
            raise yaml.constructor.ConstructorError(None, None, "aliases are not read", event.start_mark)
        if getattr(event, "tag", None):
            raise yaml.constructor.ConstructorError(None, None, "tags are not read", event.start_mark)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode) or key.tag != "tag:yaml.org,2002:str":
                raise yaml.constructor.ConstructorError(None, None, "a key is not a text", key.start_mark)
            if key.value in seen:
                problem = f"the key {key.value!r} stands twice"
                raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


_StrictLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
