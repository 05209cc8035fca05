"""The report in GitHub Actions: an annotation for each red verdict, and a summary in Markdown."""

from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from foregone.gate.report.github import annotations, summary
from foregone.gate.report.shown import printable
from foregone.gate.verdict import judge
from tiny_verdicts import GREEN, HOSTILE, MIXED


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def annotation(name: str = "work", where: str = "eval/q.yaml:3", why: str = "too much", measured: str = "2") -> str:
    (line,) = annotations([judge(name, ok=False, measured=measured, limit=1, where=where, why=(why,), mend="less")])
    return line


def cells(markdown: str) -> list[list[str]]:
    """The text of each cell of the one table, as Markdown is rendered; a line break stands between lines."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(markdown)
    rows: list[list[str]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline" and rows:
            parts = token.children or []
            assert {part.type for part in parts} <= {"text", "text_special", "html_inline"}, token.content
            assert {part.content for part in parts if part.type == "html_inline"} <= {"<br>"}
            rows[-1].append("".join("\n" if part.type == "html_inline" else part.content for part in parts))
    return rows


def test_every_red_verdict_is_an_error_at_its_line_the_worst_first() -> None:
    assert list(annotations(MIXED)) == [
        (
            "::error file=eval/questions.yaml,line=3,title=gate%3A rank/whistle::4, limit 2%0A"
            "the expected section kettle#2 is at rank 4, 2 allowed%0A"
            "outranked by teapot#1, cups#1.2 and 1 more%0A"
            "mend: see what moved it with `foregone compare`"
        ),
        "::error file=dist,title=gate%3A release::0a, limit 0b%0Adist/ holds 0a%0Amend: run `foregone build`",
        (
            "::error file=eval/drafts,title=gate%3A work::-, limit -%0A3 questions have no draft%0A"
            "mend: `foregone draft export` writes prompts"
        ),
    ]


def test_a_green_gate_annotates_nothing() -> None:
    assert list(annotations(GREEN)) == []


def test_a_message_escapes_what_would_end_it() -> None:
    assert annotation(why="100%0A: a, b::c") == (
        "::error file=eval/q.yaml,line=3,title=gate%3A work::2, limit 1%0A100%250A: a, b::c%0Amend: less"
    )


def test_a_property_escapes_what_would_end_it_too() -> None:
    assert annotation(name="rank/a,b:c%d", where="tea:time/a,b%.yaml:3") == (
        "::error file=tea%3Atime/a%2Cb%25.yaml,line=3,title=gate%3A rank/a%2Cb%3Ac%25d::"
        "2, limit 1%0Atoo much%0Amend: less"
    )


def test_a_line_break_in_a_text_ends_no_command() -> None:
    assert annotation(name="rank/a\nb", where="a\r\nb:3", why="a\r\n::set-env::b", measured="1\n2") == (
        "::error file=a\\r\\nb,line=3,title=gate%3A rank/a\\nb::1\\n2, limit 1%0Aa\\r\\n::set-env::b%0Amend: less"
    )


def test_a_file_outside_of_the_folder_of_the_run_is_named_whole(tmp_path: Path) -> None:
    assert annotation(where="../cellar/q.yaml:3").startswith(f"::error file={tmp_path.parent}/cellar/q.yaml,line=3,")


def test_a_hostile_verdict_is_one_command() -> None:
    (line,) = annotations([HOSTILE])

    assert line.isprintable()


def test_a_summary_shows_what_is_red_and_counts_the_rest() -> None:
    assert summary(MIXED) == (
        "## Gate red\n"
        "\n"
        "3 of 6 checks passed.\n"
        "\n"
        "| check | outcome | measured | limit | where | why | mend |\n"
        "|---|---|---|---|---|---|---|\n"
        "| rank/whistle | FAILED | 4 | 2 | eval/questions.yaml:3 "
        "| the expected section kettle#2 is at rank 4, 2 allowed<br>outranked by teapot#1, cups#1.2 and 1 more "
        "| see what moved it with &#96;foregone compare&#96; |\n"
        "| release | FAILED | 0a | 0b | dist | dist/ holds 0a | run &#96;foregone build&#96; |\n"
        "| work | NOT MEASURED | - | - | eval/drafts | 3 questions have no draft "
        "| &#96;foregone draft export&#96; writes prompts |\n"
    )


def test_a_green_summary_is_two_lines() -> None:
    assert summary(GREEN) == "## Gate green\n\n3 of 3 checks passed.\n"


def test_hostile_text_is_rendered_as_it_is_in_its_own_cell() -> None:
    assert cells(summary((HOSTILE,))) == [
        ["check", "outcome", "measured", "limit", "where", "why", "mend"],
        [
            HOSTILE.name,
            "FAILED",
            "<i>1</i>\\n2",
            "| 3 |",
            HOSTILE.where,
            "\n".join(map(printable, HOSTILE.why)),
            HOSTILE.mend,
        ],
    ]


def test_every_character_of_markup_is_a_reference() -> None:
    marked = judge("work", ok=False, measured="&<>|`\\*_~[]$", limit=1, where="dist", why=("low",), mend="less")
    (row,) = [line for line in summary((marked,)).splitlines() if line.startswith("| work")]

    assert row == (
        "| work | FAILED | &#38;&#60;&#62;&#124;&#96;&#92;&#42;&#95;&#126;&#91;&#93;&#36; | 1 | dist | low | less |"
    )


def test_a_summary_can_be_written_as_utf8() -> None:
    assert summary((HOSTILE,)).encode().decode() == summary((HOSTILE,))
