"""The comparison for a browser: one file, everything of a run escaped."""

from foregone.compare.comparison import compare_runs
from foregone.compare.html import html_report
from tiny_run import asked, claim, tiny_run


def test_names_of_runs_are_escaped() -> None:
    a, b = tiny_run(asked("lid"), name="<script>alert(1)</script>"), tiny_run(asked("spout"), name='"&')

    page = html_report(compare_runs(a, b)).decode()
    assert "<script" not in page
    assert (
        "A is <code>&lt;script&gt;alert(1)&lt;/script&gt;</code> with 1 question, B is <code>&#34;&amp;</code>" in page
    )


def test_the_report_needs_no_other_file() -> None:
    page = html_report(compare_runs(tiny_run(asked("lid")), tiny_run(asked("lid", fused=2)))).decode()

    assert [word for word in ("src=", "href=", "url(", "@import") if word in page] == []


def test_a_change_stands_with_its_cause() -> None:
    a, b = tiny_run(asked("lid", claim(1))), tiny_run(asked("lid", claim(1, "literal"), fused=2, draft=1), index=1)

    page = html_report(compare_runs(a, b)).decode()
    assert (
        "<tr><td><code>lid</code></td><td><ul><li>claim 000000000000 supported → withdrawn by literal</li>"
        "<li>fused rank 1 → 2 (index)</li></ul></td><td>draft, index</td></tr>"
    ) in page


def test_an_unexplained_change_is_marked() -> None:
    page = html_report(compare_runs(tiny_run(asked("lid")), tiny_run(asked("lid", fused=2)))).decode()

    assert '<p class="bad">Unexplained: no input accounts for what changed of <code>lid</code>.</p>' in page
    assert '<td class="bad">unexplained</td>' in page


def test_where_nothing_changed_the_figures_still_stand() -> None:
    run = tiny_run(asked("lid"))

    page = html_report(compare_runs(run, run)).decode()
    assert "<h1>Nothing changed in the 1 question of both runs</h1>" in page
    assert "<td>recall@1</td><td>1.000 (n = 1)</td><td>1.000 (n = 1)</td><td>0</td>" in page
