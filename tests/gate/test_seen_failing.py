"""A gate that has only been green is decoration: each check is broken in a scratch copy of this project and seen red.

Every case runs the commands as a person would, `foregone build` and then `foregone gate`, and names every check that is
red: one that goes red too, or stays green though it should not, fails the case.
"""

import hashlib
import json
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from foregone.cli import main
from foregone.gate.checks import CHECKS

ROOT = Path(__file__).parents[2]
THRESHOLDS, QUESTIONS = "eval/thresholds.yaml", "eval/questions.yaml"
RANKED = "hotel-wifi-interception-proxy"
"""A question whose expected section is first."""
MISSED = ("many-sites-and-http09", "create-only-put")
"""Questions whose expected section is not in ten."""
STOPS_SHORT = "digest-login-hash"
"""A question that the corpus answers in part; its draft says so, and every claim of it is kept."""
BEHIND_INPUTS = {
    "recall@1", "recall@5", "recall@10", "mrr", "evidence-recall", "fusion-loss", "rank", "grounded-rate",
    "state-agreement", "answered-unanswerable", "drafts-fresh", "results", "work", "latency", "rebuild-cost",
    "rerecord-cost", "drafting-worst-case", "spans", "release",
}  # fmt: skip
"""What cannot be measured where nothing can be retrieved."""

Change = Callable[[Path], None]


@dataclass(frozen=True)
class Seen:
    """One way to break something, and what the gate says of it."""

    name: str
    change: Change
    red: frozenset[str]
    """Verdicts that fail."""
    says: tuple[str, ...]
    """Stand in the red verdicts' text."""
    unmeasured: frozenset[str] = frozenset()
    """Checks that report `not measured`."""
    builds: bool = True
    """Whether the site can still be built."""


def swap(path: str, old: str, new: str) -> Change:
    """Replace the first place in a file that reads `old`."""

    def change(root: Path) -> None:
        text = (root / path).read_text("utf-8")
        assert old in text, f"{path} does not hold {old!r}"
        (root / path).write_text(text.replace(old, new, 1), encoding="utf-8")

    return change


def set_threshold(key: str, value: str) -> Change:
    """Set one number of the thresholds."""

    def change(root: Path) -> None:
        text = (root / THRESHOLDS).read_text("utf-8")
        changed, count = re.subn(rf"(?m)^(\s+{key}:).*$", rf"\1 {value}", text)
        assert count == 1, f"{key} stands {count} times"
        (root / THRESHOLDS).write_text(changed, encoding="utf-8")

    return change


def edit_draft(question: str, edit: Callable[[dict[str, Any]], None]) -> Change:
    """Change the recorded draft of a question."""

    def change(root: Path) -> None:
        path = root / f"eval/drafts/{question}.json"
        draft = json.loads(path.read_text("utf-8"))
        edit(draft)
        path.write_text(json.dumps(draft, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

    return change


def reword_claim(draft: dict[str, Any]) -> None:
    draft["claims"][0]["text"] = draft["claims"][0]["text"].rstrip(".") + ", indeed."


def change_passage(draft: dict[str, Any]) -> None:
    section = next(iter(draft["evidence"]))
    draft["evidence"][section] = "sha256:" + "0" * 64


def shift_span(draft: dict[str, Any]) -> None:
    quote = draft["claims"][0]["quote"]
    quote["span"] = [place + 1 for place in quote["span"]]


def expect_elsewhere(root: Path) -> None:
    """One question expects a section far down its ranking, two that were missed expect their first one."""
    path = root / QUESTIONS
    text = path.read_text("utf-8")
    for question, section in ((RANKED, "rfc8259#9"), *((name, first_section(root, name)) for name in MISSED)):
        entry = re.compile(rf"(- id: {question}\n(?:    .*\n)*?    sections: )\[.*\]")
        text, count = entry.subn(rf"\g<1>[{section}]", text)
        assert count == 1
    path.write_text(text, encoding="utf-8")


def first_section(root: Path, question: str) -> str:
    results = json.loads((root / "eval/results/retrieval.json").read_text("utf-8"))
    entry = next(one for one in results["by_question"] if one["id"] == question)
    return str(entry["outranked_by"][0])


def edit_corpus(root: Path, *, pin: bool) -> None:
    """Change a word of a document; `pin`: its digest in the manifest too."""
    path, manifest = root / "corpus/sources/rfc8259.txt", root / "corpus/manifest.yaml"
    old = path.read_bytes()
    new = old.replace(b"nsignificant", b"nessential", 1)
    assert old != new
    path.write_bytes(new)
    if pin:
        text = manifest.read_text("utf-8").replace(hashlib.sha256(old).hexdigest(), hashlib.sha256(new).hexdigest())
        manifest.write_text(text.replace(f"bytes: {len(old)}", f"bytes: {len(new)}"), encoding="utf-8")


def damage_site(root: Path) -> None:
    page = next((root / "dist/v").glob("*/index.html"))
    content = page.read_bytes()
    page.unlink()
    page.write_bytes(content.replace(b"<main>", b"<mian>"))


def in_turn(*changes: Change) -> Change:
    def change(root: Path) -> None:
        for one in changes:
            one(root)

    return change


CASES = (
    Seen(
        "a floor above what is measured",
        set_threshold("min_recall_at_1", "0.4"),
        frozenset({"recall@1"}),
        ("over 72 questions, at least 0.4 wanted", f"{THRESHOLDS}:4"),
    ),
    Seen(
        "the other floors of retrieval",
        in_turn(
            set_threshold("min_recall_at_5", "0.9"),
            set_threshold("min_recall_at_10", "0.9"),
            set_threshold("min_mrr", "0.9"),
            set_threshold("min_evidence_recall", "0.9"),
            set_threshold("max_fusion_loss", "0.001"),
        ),
        frozenset({"recall@5", "recall@10", "mrr", "evidence-recall", "fusion-loss"}),
        ("behind dense in", "at least 0.9 wanted"),
    ),
    Seen(
        "a question past its rank ceiling while the whole improves",
        expect_elsewhere,
        frozenset({f"rank/{RANKED}", "results/retrieval.json", "results/answers.json"}),
        ("the expected section rfc8259#9 is at rank", "outranked by", f"{QUESTIONS}:3"),
    ),
    Seen(
        "a tightened floor of refusals",
        set_threshold("min_state_agreement", "0.95"),
        frozenset({"state-agreement"}),
        ("over 28 questions, at least 0.95 wanted", "expected"),
    ),
    Seen(
        "a tightened floor of answers",
        set_threshold("min_grounded_rate", "0.95"),
        frozenset({"grounded-rate"}),
        ("over 72 questions, at least 0.95 wanted",),
    ),
    Seen(
        "a draft that claims to answer what the corpus does not",
        edit_draft(STOPS_SHORT, lambda draft: draft.update(outcome="answered")),
        frozenset({"answered-unanswerable", "results/answers.json"}),
        (f"{STOPS_SHORT}: grounded; ", f"{QUESTIONS}:"),
    ),
    Seen(
        "an edited draft",
        edit_draft("what-202-promises", reword_claim),
        frozenset({"results/answers.json"}),
        ("by_question[what-202-promises].claims[0].sha256 is sha256:", "run `foregone eval`"),
    ),
    Seen(
        "a draft of other passages",
        edit_draft("what-202-promises", change_passage),
        frozenset({"drafts-fresh", "results/answers.json"}),
        ("what-202-promises: written against other passages (changed:", "eval/drafts/what-202-promises.json"),
    ),
    Seen(
        "a span shifted by one",
        edit_draft("what-202-promises", shift_span),
        frozenset({"spans", "results/answers.json"}),
        ("what-202-promises c1: the quote is not at [",),
    ),
    Seen(
        "a stale results file",
        swap("eval/results/retrieval.json", '"answerable": 72', '"answerable": 71'),
        frozenset({"results/retrieval.json"}),
        ("questions.answerable is 71 in the file, 72 now",),
    ),
    Seen(
        "a raised price",
        set_threshold("all-MiniLM-L6-v2-int8", "0.2"),
        frozenset({"rebuild-cost"}),
        ("at 0.2 USD a million", "`foregone index build` would cost that"),
    ),
    Seen(
        "a rebuild ceiling below the corpus",
        set_threshold("max_rebuild_usd", "0.001"),
        frozenset({"rebuild-cost"}),
        ("`foregone index build` would cost that",),
    ),
    Seen(
        "a ceiling of recording below the drafts",
        set_threshold("max_rerecord_usd", "0.1"),
        frozenset({"rerecord-cost"}),
        ("100 drafts by claude-3-5-haiku would cost",),
    ),
    Seen(
        "a lowered cap",
        set_threshold("daily_cap_usd", "1.00"),
        frozenset({"drafting-worst-case"}),
        ("100 drafts of 1,500 tokens by",),
    ),
    Seen(
        "longer drafts",
        set_threshold("max_output_tokens", "4000"),
        frozenset({"drafting-worst-case"}),
        ("100 drafts of 4,000 tokens by",),
    ),
    Seen(
        "a latency bar at one millisecond",
        set_threshold("max_request_ms", "1"),
        frozenset({"latency"}),
        ("ms, 1 allowed", f"{QUESTIONS}:"),
    ),
    Seen(
        "a lower ceiling of work",
        set_threshold("max_work", "3600"),
        frozenset({"work", "results/answers.json"}),
        ("tokens, 3,600 allowed",),
    ),
    Seen(
        "a changed question",
        swap(QUESTIONS, "The hotel Wi-Fi pushes", "The hotel's Wi-Fi pushes"),
        frozenset({"questions-fresh"}),
        ("the question set, or the embedder, has changed since its vectors were made",),
        unmeasured=frozenset(BEHIND_INPUTS),
        builds=False,
    ),
    Seen(
        "a changed document, pinned anew",
        lambda root: edit_corpus(root, pin=True),
        frozenset({"index-fresh"}),
        ("rfc8259", "a rebuild gives "),
        unmeasured=frozenset(BEHIND_INPUTS),
        builds=False,
    ),
    Seen(
        "a damaged site",
        damage_site,
        frozenset({"release"}),
        ("changed: v/", "run `foregone build`"),
        builds=False,
    ),
)


def test_the_committed_project_is_green(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["gate"])

    printed = capsys.readouterr().out
    assert (status, "gate green" in printed) == (0, True), printed
    assert project.is_dir()


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_gate_is_red_where_it_is_broken_and_nowhere_else(
    project: Path, case: Seen, capsys: pytest.CaptureFixture[str]
) -> None:
    case.change(project)
    if case.builds:
        assert main(["build"]) == 0
    capsys.readouterr()

    status = main(["gate", "--json"])

    report = json.loads(capsys.readouterr().out)
    failed = [check for check in report["checks"] if check["outcome"] == "failed"]
    unmeasured = {check["name"].split("/")[0] for check in report["checks"] if check["outcome"] == "not_measured"}
    assert {check["name"] for check in failed} == case.red
    assert unmeasured == case.unmeasured
    assert status == 1
    text = "\n".join("\n".join((check["where"], *check["why"], check["mend"])) for check in failed)
    assert [words for words in case.says if words not in text] == [], text
    assert all(check["where"] and check["mend"] for check in report["checks"] if not check["ok"])


def test_every_check_has_been_seen_red() -> None:
    seen = {name.split("/")[0] for case in CASES for name in case.red}

    assert {name for check in CHECKS for name in check.names} == seen


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param(
            lambda root: edit_corpus(root, pin=False),
            "error[pin-mismatch]: corpus/sources/rfc8259.txt does not match its pin",
            id="a document edited behind its pin",
        ),
        pytest.param(
            set_threshold("max_requests_per_minute", "400"),
            "error[greedy-client]: budget.max_requests_per_minute is 400: "
            "one client could take 60,000 ms of each minute\n  --> eval/thresholds.yaml:",
            id="an allowance of 400 a minute",
        ),
        pytest.param(
            set_threshold("max_request_ms", "80"),
            "error[late-bar]: budget.max_request_ms is 80, more than half the deadline\n  --> eval/thresholds.yaml:",
            id="a bar above half the deadline",
        ),
        pytest.param(
            lambda root: shutil.rmtree(root / "corpus/index"),
            "error[other-index]: the floors were measured on the index ",
            id="no index",
        ),
        pytest.param(
            swap(THRESHOLDS, f"    {RANKED}: 3\n", ""),
            "error[no-ceiling]: 1 answerable questions have no rank ceiling\n  --> eval/questions.yaml:3\n"
            f"  {RANKED}\n",
            id="a question without a ceiling",
        ),
    ],
)
def test_the_gate_does_not_run_on_what_is_no_measure(
    project: Path, change: Change, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    change(project)

    status = main(["gate"])

    printed = capsys.readouterr()
    assert (status, printed.out) == (2, "")
    assert printed.err.startswith(message), printed.err
