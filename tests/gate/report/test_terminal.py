"""The report for a person at a terminal."""

from foregone.gate.report.terminal import report_lines
from foregone.gate.verdict import judge
from tiny_verdicts import GREEN, HOSTILE, MIXED

RESULTS = judge("results/answers.json", ok=True, measured="as measured", limit="as measured", where="eval", mend="")
MIXED_REPORT = """\
FAILED rank/whistle: 4, limit 2
  --> eval/questions.yaml:3
  the expected section kettle#2 is at rank 4, 2 allowed
  outranked by teapot#1, cups#1.2 and 1 more
  mend: see what moved it with `foregone compare`
FAILED release: 0a, limit 0b
  --> dist
  dist/ holds 0a
  mend: run `foregone build`
NOT MEASURED work: -, limit -
  --> eval/drafts
  3 questions have no draft
  mend: `foregone draft export` writes prompts

              check         measured         limit
FAILED        rank/whistle         4             2
FAILED        release             0a            0b
NOT MEASURED  work                 -             -
ok            recall@10     0.916667           0.9
              rank/*          2 of 3  each its own
gate red: 3 passed, 2 failed, 1 not measured
"""
GREEN_REPORT = """\
    check      measured         limit
ok  recall@10  0.916667           0.9
ok  rank/*       2 of 2  each its own
ok  results/*    1 of 1  each its own
gate green: 4 passed, 0 failed, 0 not measured
"""


def test_what_failed_comes_first_then_what_was_not_measured_then_what_passed() -> None:
    assert "".join(f"{line}\n" for line in report_lines(MIXED)) == MIXED_REPORT


def test_a_green_report_counts_what_has_a_verdict_for_each_question() -> None:
    assert "".join(f"{line}\n" for line in report_lines((*GREEN, RESULTS))) == GREEN_REPORT


def test_a_hostile_text_breaks_no_line_and_is_obeyed_by_no_terminal() -> None:
    lines = list(report_lines((HOSTILE,)))

    assert (len(lines), [line for line in lines if not line.isprintable()]) == (15, [])
