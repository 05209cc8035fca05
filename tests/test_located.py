"""Values from YAML and JSON know their line; what is malformed, unknown or out of bounds is refused there."""

from collections.abc import Callable
from pathlib import Path

import pytest

from foregone.errors import Refused
from foregone.located import MAX_CHARACTERS, Located, load_json, load_yaml, parse_json

TEAS = """\
shop: Kitchen

teas:
  - name: green
    minutes: 2
  - {name: black,
     minutes: 4}
"""


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def yaml(text: str) -> Located:
    Path("teas.yaml").write_text(text, encoding="utf-8")
    return load_yaml(Path("teas.yaml"), mend="write it")


def json(text: str) -> Located:
    return parse_json(text, Path("teas.json"))


def refusal(read: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refused:
        read()
    return str(refused.value)


def test_every_value_knows_its_line_and_its_name() -> None:
    top = yaml(TEAS).mapping(required=("shop", "teas"))
    green, black = (tea.mapping(required=("name", "minutes")) for tea in top["teas"].items())

    assert [(value.where, value.name) for value in (top["shop"], top["teas"], green["minutes"], black["minutes"])] == [
        ("teas.yaml:1", "shop"),
        ("teas.yaml:3", "teas"),
        ("teas.yaml:5", "teas[0].minutes"),
        ("teas.yaml:7", "teas[1].minutes"),
    ]


def test_the_top_of_a_file_is_called_the_file() -> None:
    assert [(top.where, top.name) for top in (yaml("\n# teas\n- green"), yaml(""), json("[]"))] == [
        ("teas.yaml:3", "the file"),
        ("teas.yaml:1", "the file"),
        ("teas.json:1", "the file"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        '{\n  "shop": "a\\/b",\n  "minutes": 2}',
        '{\n\t"shop": "tabs",\n\t"minutes":2\n}',
        '{\r\n"shop": "\\ud83c\\udf75",\r\n"minutes"  :  2}',
    ],
    ids=["escaped slash", "indented by tabs", "surrogate pair"],
)
def test_a_value_of_json_knows_its_line(text: str) -> None:
    assert json(text).mapping(required=("shop", "minutes"))["minutes"].where == "teas.json:3"


def test_a_key_that_yaml_would_read_otherwise_has_the_line_of_what_holds_it() -> None:
    assert json('\n{"\\ud83c\\udf75": 2}').any_mapping()["🍵"].where == "teas.json:2"


def test_the_values_are_given_as_they_are_written() -> None:
    fields = yaml("name: green\nhot: true\nminutes: 2\nshare: 0.5\npots: [one, two]\nsince: 2026-12-01").any_mapping()

    assert (
        fields["name"].string(),
        fields["name"].one_of("black", "green"),
        fields["hot"].boolean(),
        fields["minutes"].integer(2, 2),
        fields["minutes"].number(0, 2),
        fields["share"].number(0.5, 1),
        fields["pots"].strings(),
        fields["since"].string(),
    ) == ("green", "green", True, 2, 2.0, 0.5, ("one", "two"), "2026-12-01")


def test_a_key_may_be_optional() -> None:
    assert set(yaml("name: green").mapping(required=("name",), optional=("minutes",))) == {"name"}


REFUSALS: list[tuple[str, str, Callable[[Located], object], str]] = [
    (
        "unknown key",
        "name: green\nminuets: 2",
        lambda top: top.mapping(required=("name",), optional=("minutes",)),
        (
            "error[unknown-key]: the file has an unknown key 'minuets'\n"
            "  --> teas.yaml:2\n"
            "  known keys: minutes, name\n"
            "  mend: remove the key or correct its spelling"
        ),
    ),
    (
        "missing key",
        "\nname: green",
        lambda top: top.mapping(required=("name", "minutes")),
        "error[missing-key]: the file has no 'minutes'\n  --> teas.yaml:2\n  mend: add 'minutes'",
    ),
    (
        "empty file",
        "",
        lambda top: top.mapping(),
        "error[wrong-type]: the file is not a mapping\n  --> teas.yaml:1\n  found nothing\n  mend: write a mapping",
    ),
    (
        "list for a mapping",
        "- green",
        lambda top: top.any_mapping(),
        "error[wrong-type]: the file is not a mapping\n  --> teas.yaml:1\n  found a list\n  mend: write a mapping",
    ),
    (
        "mapping for a list",
        "green: 2",
        lambda top: top.items(),
        "error[wrong-type]: the file is not a list\n  --> teas.yaml:1\n  found a mapping\n  mend: write a list",
    ),
    (
        "number for a text",
        "- green\n- 2",
        lambda top: top.strings(),
        "error[wrong-type]: [1] is not a text\n  --> teas.yaml:2\n  found a number\n  mend: write a text",
    ),
    (
        "truth value for a text",
        "- yes",
        lambda top: top.strings(),
        "error[wrong-type]: [0] is not a text\n  --> teas.yaml:1\n  found a truth value\n  mend: write a text",
    ),
    (
        "text for a truth value",
        "- 'yes'",
        lambda top: top.items()[0].boolean(),
        "error[wrong-type]: [0] is not true or false\n  --> teas.yaml:1\n  found a text\n  mend: write true or false",
    ),
    (
        "blank text",
        "- green\n- ' '",
        lambda top: top.strings(),
        "error[blank-text]: [1] is blank or holds a NUL\n  --> teas.yaml:2\n  mend: write the text",
    ),
    (
        "NUL",
        '- "gr\\0een"',
        lambda top: top.strings(),
        "error[blank-text]: [0] is blank or holds a NUL\n  --> teas.yaml:1\n  mend: write the text",
    ),
    (
        "half of a surrogate pair",
        '- "gr\\ud83cen"',
        lambda top: top.strings(),
        (
            "error[lone-surrogate]: [0] holds half of a surrogate pair\n"
            "  --> teas.yaml:1\n"
            "  it cannot be written as UTF-8\n"
            "  mend: write whole, printable characters"
        ),
    ),
    (
        "unknown value",
        "tea: grey",
        lambda top: top.any_mapping()["tea"].one_of("green", "black"),
        (
            "error[unknown-value]: tea is 'grey'\n"
            "  --> teas.yaml:1\n"
            "  expected one of: green, black\n"
            "  mend: use one of the expected values"
        ),
    ),
    (
        "integer above its bound",
        "minutes: 11",
        lambda top: top.any_mapping()["minutes"].integer(1, 10),
        (
            "error[bad-number]: minutes is 11\n"
            "  --> teas.yaml:1\n"
            "  expected an integer from 1 to 10\n"
            "  mend: write such a number"
        ),
    ),
    (
        "truth value for an integer",
        "minutes: true",
        lambda top: top.any_mapping()["minutes"].integer(0, 1),
        (
            "error[bad-number]: minutes is True\n"
            "  --> teas.yaml:1\n"
            "  expected an integer from 0 to 1\n"
            "  mend: write such a number"
        ),
    ),
    (
        "fraction for an integer",
        "minutes: 1.0",
        lambda top: top.any_mapping()["minutes"].integer(1, 10),
        (
            "error[bad-number]: minutes is 1.0\n"
            "  --> teas.yaml:1\n"
            "  expected an integer from 1 to 10\n"
            "  mend: write such a number"
        ),
    ),
    (
        "not a number",
        "share: .nan",
        lambda top: top.any_mapping()["share"].number(0, 0.5),
        (
            "error[bad-number]: share is nan\n"
            "  --> teas.yaml:1\n"
            "  expected a number from 0 to 0.5\n"
            "  mend: write such a number"
        ),
    ),
    (
        "infinity",
        "share: .inf",
        lambda top: top.any_mapping()["share"].number(0, float("inf")),
        (
            "error[bad-number]: share is inf\n"
            "  --> teas.yaml:1\n"
            "  expected a number from 0 to inf\n"
            "  mend: write such a number"
        ),
    ),
    (
        "integer that no float can hold",
        f"share: {10**400}",
        lambda top: top.any_mapping()["share"].number(0, 1),
        (
            f"error[bad-number]: share is {10**400}\n"
            "  --> teas.yaml:1\n"
            "  expected a number from 0 to 1\n"
            "  mend: write such a number"
        ),
    ),
]


@pytest.mark.parametrize(
    ("text", "read", "message"), [case[1:] for case in REFUSALS], ids=[case[0] for case in REFUSALS]
)
def test_a_value_that_does_not_fit_is_refused_at_its_line(
    text: str, read: Callable[[Located], object], message: str
) -> None:
    assert refusal(lambda: read(yaml(text))) == message


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("tea: green\n\tpot: one", 2, "found character '\\t' that cannot start any token"),
        ("teas:\n  - green\n pot: one", 3, "expected <block end>, but found '<block mapping start>'"),
        ("tea: [green", 1, "expected ',' or ']', but got '<stream end>'"),
        ("tea: green\n---\ntea: black", 2, "but found another document"),
        ("tea: green\npot: one\ntea: black", 3, "the key 'tea' stands twice"),
        ("pot:\n  tea: green\n  tea: black", 3, "the key 'tea' stands twice"),
        ("tea: green\n2: pots", 2, "a key is not a text"),
        ("tea: green\n[a, b]: pots", 2, "a key is not a text"),
        ("tea: &tea green\n<<: {pot: one}", 2, "a key is not a text"),
        ("tea: &tea green\npot: *tea", 2, "aliases are not read"),
        ("tea: green\npot: !!python/name:os.system one", 2, "tags are not read"),
        ("tea: green\npot: !!int ''", 2, "tags are not read"),
        ("tea: green\nhot: !!bool maybe", 2, "tags are not read"),
        ("tea: green\npot: !one {lid: shut}", 2, "tags are not read"),
        ("tea: green\npot: \x07", 2, "unacceptable character #x0007: special characters are not allowed"),
    ],
    ids=lambda value: None if isinstance(value, int) else value[:20].strip(),
)
def test_yaml_that_is_malformed_or_too_clever_is_refused_at_its_line(text: str, line: int, why: str) -> None:
    assert refusal(lambda: yaml(text)) == (
        "error[yaml-syntax]: teas.yaml cannot be parsed\n"
        f"  --> teas.yaml:{line}\n"
        f"  {why}\n"
        "  mend: correct the file at this line"
    )


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("", 1, "Expecting value in column 1"),
        ('{"tea": "green",\n pot: 1}', 2, "Expecting property name enclosed in double quotes in column 2"),
        ('{"tea":\n"gr\teen"}', 2, "Invalid control character at in column 4"),
        ('{"tea": 1} {}', 1, "Extra data in column 12"),
        ('{"tea": 1, "pot": 2, "tea": 3}', 1, "the key 'tea' stands twice in one object"),
        ("[NaN]", 1, "NaN is not JSON"),
        ("[-Infinity]", 1, "-Infinity is not JSON"),
    ],
)
def test_json_that_is_malformed_is_refused_at_its_line(text: str, line: int, why: str) -> None:
    assert refusal(lambda: json(text)) == (
        "error[json-syntax]: teas.json cannot be parsed\n"
        f"  --> teas.json:{line}\n"
        f"  {why}\n"
        "  mend: correct the file at this line"
    )


@pytest.mark.parametrize(
    ("read", "text", "code", "path"),
    [
        (yaml, "[" * 5000, "yaml-syntax", "teas.yaml"),
        (yaml, "minutes: " + "9" * 5000, "yaml-syntax", "teas.yaml"),
        (json, "[" * 100_000, "json-syntax", "teas.json"),
        (json, '{"a":' * 100_000, "json-syntax", "teas.json"),
        (json, "9" * 5000, "json-syntax", "teas.json"),
    ],
    ids=["yaml depth", "yaml digits", "json list depth", "json object depth", "json digits"],
)
def test_what_is_too_deep_or_too_long_for_python_is_refused(
    read: Callable[[str], Located], text: str, code: str, path: str
) -> None:
    lines = refusal(lambda: read(text)).splitlines()

    assert (lines[:2], lines[3:]) == (
        [f"error[{code}]: {path} cannot be parsed", f"  --> {path}:1"],
        ["  mend: correct the file at this line"],
    )


def test_a_file_of_json_is_read_without_its_byte_order_mark() -> None:
    Path("teas.json").write_bytes(b'\xef\xbb\xbf["green"]')

    assert load_json(Path("teas.json"), mend="write it").strings() == ("green",)


@pytest.mark.parametrize("load", [load_json, load_yaml])
def test_an_absent_file_is_refused_with_what_to_do(load: Callable[..., Located]) -> None:
    assert refusal(lambda: load(Path("teas"), mend="write it")) == (
        "error[unreadable]: teas cannot be read\n  --> teas\n  No such file or directory\n  mend: write it"
    )


@pytest.mark.parametrize(("read", "path"), [(yaml, "teas.yaml"), (json, "teas.json")])
def test_a_file_that_is_too_long_is_refused_before_it_is_parsed(read: Callable[[str], Located], path: str) -> None:
    assert refusal(lambda: read("[" + " " * MAX_CHARACTERS)) == (
        f"error[too-large]: {path} has 8,000,001 characters\n"
        f"  --> {path}:1\n"
        "  at most 8,000,000 are read\n"
        "  mend: split the file or look for what filled it"
    )


@pytest.mark.parametrize("text", ["2026-02-30", "20261201", "2026-W49-2", "1 December", "2026-12-01T00:00"])
def test_a_date_that_is_no_day_of_the_calendar_is_refused(text: str) -> None:
    value = parse_json(f'"{text}"', Path("a.json"))

    with pytest.raises(Refused) as refused:
        value.date()
    assert str(refused.value) == (
        f"error[bad-value]: the file is {text!r}\n"
        "  --> a.json:1\n"
        "  expected a date such as 2026-12-01\n"
        "  mend: correct the value"
    )


@pytest.mark.parametrize("letter", ["\\u001b", "\\u0007", "\\u0085", "\\u007f"])
def test_a_character_that_a_terminal_would_obey_is_refused(letter: str) -> None:
    value = parse_json(f'"tea{letter}[31m"', Path("a.json"))

    with pytest.raises(Refused) as refused:
        value.string()
    assert str(refused.value) == (
        "error[control-character]: the file holds a control character\n"
        "  --> a.json:1\n"
        "  terminals obey it\n"
        "  mend: write whole, printable characters"
    )
