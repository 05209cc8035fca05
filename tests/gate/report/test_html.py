"""The report for a browser: one file that loads nothing, runs nothing, and takes no text for markup."""

from html.parser import HTMLParser

import pytest

from foregone.gate.report.html import html_report
from foregone.gate.report.shown import printable
from foregone.gate.verdict import Verdict
from tiny_verdicts import GREEN, HOSTILE, MIXED, SUNK

VOID = {"meta", "br", "link", "img"}
ELEMENTS = {
    "html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "span", "table", "thead", "tbody", "tr", "th",
    "td", "code", "ul", "li",
}  # fmt: skip
ATTRIBUTES = {"lang", "charset", "http-equiv", "content", "name", "class"}
REPORTS = pytest.mark.parametrize("verdicts", [MIXED, GREEN, (HOSTILE,)], ids=["mixed", "green", "hostile"])


class Page(HTMLParser):
    """The elements, attributes and cells of a page."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.attributes: set[str] = set()
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.style = ""
        self.feed(content.decode())
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
        elif tag == "li" and self.rows[-1][-1]:
            self.rows[-1][-1] += "\n"

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" in self.open:
            self.style += data
        elif "td" in self.open or "th" in self.open:
            self.rows[-1][-1] += data


def rows(*verdicts: Verdict) -> list[list[str]]:
    return Page(html_report(verdicts)).rows


def test_what_is_red_is_shown_in_full_the_worst_first_and_then_what_passed() -> None:
    assert rows(*MIXED) == [
        ["check", "outcome", "measured", "limit", "where and why", "how to mend it"],
        [
            "rank/whistle",
            "FAILED",
            "4",
            "2",
            "\n".join((SUNK.where, *SUNK.why)),
            "see what moved it with `foregone compare`",
        ],
        ["release", "FAILED", "0a", "0b", "dist\ndist/ holds 0a", "run `foregone build`"],
        [
            "work",
            "NOT MEASURED",
            "-",
            "-",
            "eval/drafts\n3 questions have no draft",
            "`foregone draft export` writes prompts",
        ],
        ["check", "measured", "limit", "where the limit stands"],
        ["recall@10", "0.916667", "0.9", "eval/thresholds.yaml:5"],
        ["rank/lid", "1", "3", "eval/questions.yaml:9"],
        ["rank/colour", "-", "-", "eval/questions.yaml:14"],
    ]


def test_a_green_report_says_so_and_lists_what_passed() -> None:
    page = html_report(GREEN).decode()

    assert "<title>Gate green</title>" in page
    assert "<p>3 of 3 checks passed.</p>" in page
    assert "What is red" not in page


def test_a_red_report_says_so() -> None:
    page = html_report(MIXED).decode()

    assert "<title>Gate red</title>" in page
    assert "<p>3 of 6 checks passed.</p>" in page


@REPORTS
def test_a_report_holds_no_script_and_refers_to_nothing(verdicts: tuple[Verdict, ...]) -> None:
    page = Page(html_report(verdicts))

    assert set(page.elements) <= ELEMENTS
    assert page.attributes <= ATTRIBUTES
    assert [word for word in ("url(", "@import", "//") if word in page.style] == []


@REPORTS
def test_a_report_forbids_a_browser_to_load_anything(verdicts: tuple[Verdict, ...]) -> None:
    policy = b"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"

    assert html_report(verdicts).count(policy) == 1


@REPORTS
def test_every_element_is_closed(verdicts: tuple[Verdict, ...]) -> None:
    assert Page(html_report(verdicts)).open == []


def test_hostile_text_is_shown_as_it_is() -> None:
    assert rows(HOSTILE)[1] == [
        HOSTILE.name,
        "FAILED",
        "<i>1</i>\\n2",
        "| 3 |",
        "\n".join((HOSTILE.where, *map(printable, HOSTILE.why))),
        HOSTILE.mend,
    ]
