"""The report as the test viewers of Jenkins, GitLab and GitHub read it."""

from xml.etree import ElementTree as ET

import pytest

from foregone.gate.report.junit import junit_report
from foregone.gate.verdict import Verdict
from tiny_verdicts import GREEN, HOSTILE, HOSTILE_LINES, MIXED

MIXED_REPORT = """\
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="foregone gate" tests="6" failures="2" errors="1" time="0">
  <testsuite name="foregone gate" tests="6" failures="2" errors="1" skipped="0" time="0">
    <testcase classname="gate.recall@10" name="recall@10" time="0" />
    <testcase classname="gate.rank" name="rank/lid" time="0" />
    <testcase classname="gate.work" name="work" time="0">
      <error type="work" message="-, limit -">eval/drafts
3 questions have no draft
mend: `foregone draft export` writes prompts</error>
    </testcase>
    <testcase classname="gate.rank" name="rank/whistle" time="0">
      <failure type="rank" message="4, limit 2">eval/questions.yaml:3
the expected section kettle#2 is at rank 4, 2 allowed
outranked by teapot#1, cups#1.2 and 1 more
mend: see what moved it with `foregone compare`</failure>
    </testcase>
    <testcase classname="gate.rank" name="rank/colour" time="0" />
    <testcase classname="gate.release" name="release" time="0">
      <failure type="release" message="0a, limit 0b">dist
dist/ holds 0a
mend: run `foregone build`</failure>
    </testcase>
  </testsuite>
</testsuites>
"""
ALLOWED = {
    "testsuites": ({"name", "tests", "failures", "errors", "time"}, {"testsuite"}),
    "testsuite": ({"name", "tests", "failures", "errors", "skipped", "time"}, {"testcase"}),
    "testcase": ({"classname", "name", "time"}, {"failure", "error"}),
    "failure": ({"type", "message"}, set()),
    "error": ({"type", "message"}, set()),
}
"""Element -> attributes and children that junit-10.xsd, GitLab and the actions on GitHub all know."""


@pytest.mark.parametrize("verdicts", [MIXED, GREEN, (HOSTILE,)], ids=["mixed", "green", "hostile"])
def test_a_report_is_of_the_form_that_all_viewers_know(verdicts: tuple[Verdict, ...]) -> None:
    root = ET.fromstring(junit_report(verdicts))

    found = {(one.tag, frozenset(one.keys()), frozenset(child.tag for child in one)) for one in root.iter()}
    assert root.tag == "testsuites"
    assert [(tag, keys) for tag, keys, _ in found if keys != ALLOWED[tag][0]] == []
    assert [(tag, children) for tag, _, children in found if not children <= ALLOWED[tag][1]] == []


def test_what_regressed_is_a_failure_and_what_was_not_measured_an_error() -> None:
    assert junit_report(MIXED).decode() == MIXED_REPORT


def test_the_counts_are_those_of_the_cases() -> None:
    suites = ET.fromstring(junit_report(MIXED))
    (suite,) = suites

    counted = {
        "tests": len(suite.findall("testcase")),
        "failures": len(suite.findall("testcase/failure")),
        "errors": len(suite.findall("testcase/error")),
    }
    assert [{name: int(one.attrib[name]) for name in counted} for one in (suites, suite)] == [counted, counted]


def test_hostile_text_is_read_back_as_it_was_written() -> None:
    (failure,) = ET.fromstring(junit_report((HOSTILE,))).iter("failure")
    printable = [*HOSTILE_LINES]
    printable[4] = "\\x00\\x07\\x1b[31m\\x7f\\x9b \\ufffe \\ud800 \\u2028 tab\\t."
    printable[5] = "line\\nbreak\\r\\nand ##[error] a command"

    assert failure.attrib == {"type": "rank", "message": "<i>1</i>\\n2, limit | 3 |"}
    assert failure.text == "\n".join((HOSTILE.where, *printable, f"mend: {HOSTILE.mend}"))


def test_every_character_that_xml_forbids_is_survived() -> None:
    for code in (*range(0x20), 0x7F, 0x9F, 0xD800, 0xDFFF, 0xFFFE, 0xFFFF):
        verdict = Verdict(f"rank/{chr(code)}", "failed", chr(code), chr(code), chr(code), (chr(code),), chr(code))
        (case,) = ET.fromstring(junit_report((verdict,))).iter("testcase")

        assert case.attrib["name"] == f"rank/{ascii(chr(code))[1:-1]}"
