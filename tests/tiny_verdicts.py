"""Verdicts of every outcome and form, and some whose texts mean harm to whoever prints them."""

from foregone.gate.verdict import Verdict, judge, not_measured

THRESHOLDS, QUESTIONS = "eval/thresholds.yaml", "eval/questions.yaml"
RECALL = judge("recall@10", ok=True, measured=0.9166666, limit=0.9, where=f"{THRESHOLDS}:5", mend="")
RANK = judge("rank/lid", ok=True, measured=1, limit=3, where=f"{QUESTIONS}:9", mend="")
UNRANKED = judge("rank/colour", ok=True, measured=None, limit=None, where=f"{QUESTIONS}:14", mend="")
SUNK = judge(
    "rank/whistle",
    ok=False,
    measured=4,
    limit=2,
    where=f"{QUESTIONS}:3",
    why=("the expected section kettle#2 is at rank 4, 2 allowed", "outranked by teapot#1, cups#1.2 and 1 more"),
    mend="see what moved it with `foregone compare`",
)
STALE = judge(
    "release", ok=False, measured="0a", limit="0b", where="dist", why=("dist/ holds 0a",), mend="run `foregone build`"
)
UNKNOWN = not_measured("work", ("3 questions have no draft",), "eval/drafts", "`foregone draft export` writes prompts")
MIXED: tuple[Verdict, ...] = (RECALL, RANK, UNKNOWN, SUNK, UNRANKED, STALE)
"""In the order of the checks, which is not that of how bad they are."""
GREEN = (RECALL, RANK, UNRANKED)

HOSTILE_LINES = (
    "<script>alert('tea')</script> & \"tea\"",
    "]]> --> {{ red }} {% raw %} {0} ${HOME} $(id) 100%",
    "| a | `b` *c* _d_ ~~e~~ [f](https://tea.example) ![g](h) \\| $i$",
    "::error::one, two: three%0A",
    "\x00\x07\x1b[31m\x7f\x9b \ufffe \ud800 \u2028 tab\t.",
    "line\nbreak\r\nand ##[error] a command",
    "Zoë's 茶 \U0001f375",
)
HOSTILE = judge(
    "rank/<b>|`{0}`",
    ok=False,
    measured="<i>1</i>\n2",
    limit="| 3 |",
    where="dist/a b/50%/<c>,d:e/#f?g|`é.yaml:12",
    why=HOSTILE_LINES,
    mend="run `rm -rf | tee` &amp; <b>",
)
