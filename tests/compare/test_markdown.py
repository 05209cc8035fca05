"""The comparison as it is posted on a pull request: one sentence where nothing changed, else what, why and how sure."""

from dataclasses import replace

import pytest

from foregone.compare.comparison import compare_runs
from foregone.compare.markdown import code, markdown, text
from foregone.compare.run import Run
from tiny_run import asked, claim, tiny_run

COLOUR = asked("colour", expected="unsupported")


def posted(a: Run, b: Run) -> str:
    return markdown(compare_runs(a, b))


def test_nothing_but_one_sentence_where_nothing_changed() -> None:
    run = tiny_run(asked("lid"), COLOUR)

    assert posted(run, run) == "Nothing changed in the 2 questions of both runs.\n"


def test_inputs_that_changed_nothing_are_named_in_that_sentence() -> None:
    a, b = tiny_run(asked("lid"), COLOUR), tiny_run(asked("lid", draft=1), COLOUR, code=1)

    assert posted(a, b) == (
        "Nothing changed in the 2 questions of both runs, though these inputs differ: code (2), draft (1).\n"
    )


def test_a_whole_report() -> None:
    questions = [asked(f"q{place}") for place in range(4)]
    a = tiny_run(*questions, asked("lid", claim(1), claim(2)), asked("spout"), COLOUR, asked("old"), name="main")
    b = tiny_run(
        *questions,
        asked("lid", claim(1, "literal"), claim(3), state="partial", draft=1),
        asked("spout", fused=2, dense=None),
        COLOUR,
        asked("new"),
        name="eval/results",
        index=1,
    )

    assert posted(a, b) == (
        """\
## 2 of 7 questions changed: 1 state, 1 set of claims, 1 state by the check alone, 1 rank; caused by index (1), draft (1)

A is `main` with 8 questions, B is `eval/results` with 8.
Questions that both asked are paired, and every figure is over these 7 alone.
Only in A: `old`.
Only in B: `new`.
Inputs that differ, and of how many questions: index (7), draft (1).

| question | what changed | cause |
| --- | --- | --- |
| `lid` | state grounded → partial; by the check alone grounded → partial; no longer answered; claims: 1 added, 1 removed; \
claim 000000000000 supported → withdrawn by literal; no longer as expected | draft |
| `spout` | fused rank 1 → 2; dense rank 1 → none | index |

| figure | A | B | B - A |
| --- | --- | --- | --- |
| recall@1 | 1.000 (n = 6) | 0.833 (n = 6) | -0.167 |
| recall@3 | 1.000 (n = 6) | 1.000 (n = 6) | 0 |
| recall@5 | 1.000 (n = 6) | 1.000 (n = 6) | 0 |
| recall@10 | 1.000 (n = 6) | 1.000 (n = 6) | 0 |
| MRR | 1.000 (n = 6) | 0.917 (n = 6) | -0.083 |
| evidence recall | 1.000 (n = 6) | 1.000 (n = 6) | 0 |
| grounded rate | 1.000 (n = 6) | 0.833 (n = 6) | -0.167 |
| state agreement | 1.000 (n = 1) | 1.000 (n = 1) | 0 |
| answered unanswerable | 0.000 (n = 1) | 0.000 (n = 1) | 0 |
| claims withdrawn | 0.000 (n = 2) | 0.500 (n = 2) | +0.500 |

- Landing in the expected state: 1 of 7 in A alone, 0 in B alone; exact McNemar p = 1.000.
- Answered: 1 of 7 in A alone, 0 in B alone; exact McNemar p = 1.000.
- MRR of the fusion: 1 of 6 ranks differ; sign-flip permutation p = 1.000 (every exchange tried).
- States: the smallest drop that 7 questions can show at 5 % is 6 of them (0.857).
- MRR: a drop of 0.233 is seen in 80 % of runs at 5 %, by the spread of these ranks.
"""
    )


def test_a_change_that_no_input_explains_is_loud() -> None:
    report = posted(tiny_run(asked("lid")), tiny_run(asked("lid", state="partial")))

    assert report.splitlines()[5] == "**Unexplained: no input accounts for what changed of `lid`.**"
    assert report.splitlines()[0].endswith("; caused by unexplained (1)")


def test_a_set_too_small_to_show_anything_says_so() -> None:
    report = posted(tiny_run(asked("lid")), tiny_run(asked("lid", state="partial", draft=1)))

    assert report.splitlines()[-5:] == [
        "- Landing in the expected state: 1 of 1 in A alone, 0 in B alone; exact McNemar p = 1.000.",
        "- Answered: 1 of 1 in A alone, 0 in B alone; exact McNemar p = 1.000.",
        "- MRR of the fusion: not measured: no rank of 1 question differs.",
        "- States: a set of 1 question is too small to show any drop at 5 %.",
        "- MRR: the smallest drop that can be shown is not measured, since the ranks show no spread.",
    ]


def test_figures_that_nothing_stands_below_are_not_measured() -> None:
    report = posted(tiny_run(asked("lid")), tiny_run(asked("lid", fused=2), index=1))

    assert "| state agreement | not measured | not measured | - |" in report.splitlines()


def test_a_sampled_p_value_says_so() -> None:
    a = tiny_run(*(asked(f"q{place}") for place in range(17)))
    b = tiny_run(*(asked(f"q{place}", fused=2) for place in range(17)), index=1)

    assert posted(a, b).splitlines()[-3] == (
        "- MRR of the fusion: 17 of 17 ranks differ; sign-flip permutation p below 0.001 (10,000 exchanges sampled)."
    )


def test_runs_without_a_question_in_common_have_no_table() -> None:
    assert posted(tiny_run(asked("lid"), name="a"), tiny_run(name="b")) == (
        "## No question is in both runs, so nothing can be compared\n"
        "\n"
        "A is `a` with 1 question, B is `b` with 0.\n"
        "Questions that both asked are paired, and every figure is over these 0 alone.\n"
        "Only in A: `lid`.\n"
    )


def test_question_and_leg_of_one_run_are_named() -> None:
    a = tiny_run(COLOUR, asked("lid"))
    b = tiny_run(asked("colour", question=1), asked("lid", ranks={"fused": 1}))

    assert posted(a, b).splitlines()[4:6] == [
        "Answerable in one run alone, so in no figure that needs it: `colour`.",
        "Only one run has the ranks of `dense`.",
    ]


def test_many_questions_are_cut_off_with_their_number() -> None:
    a = tiny_run(*(asked(f"q{place}") for place in range(60)), *(asked(f"old{place}") for place in range(12)))
    b = tiny_run(*(asked(f"q{place}", fused=2) for place in range(60)), index=1)

    lines = posted(a, b).splitlines()
    assert lines[4] == f"Only in A: {', '.join(f'`{id_}`' for id_ in sorted(a.questions)[:10])}, and 2 more."
    assert lines.index("| … | 10 questions more, see `--json` |  |") == 9 + 50


def test_many_claims_judged_otherwise_are_cut_off_with_their_number() -> None:
    a = asked("lid", *(claim(place) for place in range(5)))
    b = replace(a, claims=tuple(claim(place, "coverage", "literal") for place in range(5)))

    assert posted(tiny_run(a), tiny_run(b, rules=1)).splitlines()[8] == (
        f"| `lid` | {3 * 'claim 000000000000 supported → withdrawn by coverage and literal; '}"
        "2 claims more judged otherwise | rules |"
    )


@pytest.mark.parametrize(
    ("words", "escaped"),
    [("a|b", r"a\|b"), ("<b>&amp;", r"\<b\>\&amp;"), ("[x](y) `z` _t_", r"\[x\](y) \`z\` \_t\_"), ("5 %", "5 %")],
)
def test_words_are_no_markdown(words: str, escaped: str) -> None:
    assert text(words) == escaped


@pytest.mark.parametrize(
    ("value", "span"),
    [("main", "`main`"), ("<b>@all</b>", "`<b>@all</b>`"), ("`", "`` ` ``"), ("a``b`c", "``` a``b`c ```")],
)
def test_a_name_is_a_code_span_whatever_it_holds(value: str, span: str) -> None:
    assert code(value) == span
