"""The floors of the gate are set together, within their ranges, and on both sides, or not at all."""

from pathlib import Path

import pytest

from foregone.digest import digest_text
from foregone.errors import Refused
from foregone.thresholds import RefusalFloors, RetrievalFloors, Thresholds, load_thresholds
from tiny_corpus import FLOORS, MONEY, THRESHOLDS

WHOLE = FLOORS + THRESHOLDS + MONEY
RATE, ANSWERED = "  min_grounded_rate: 0.5\n", "  max_answered_unanswerable: 0\n"


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def load(text: str) -> Thresholds:
    Path("thresholds.yaml").write_text(text, encoding="utf-8")
    return load_thresholds(Path("thresholds.yaml"))


def refusal(text: str) -> str:
    with pytest.raises(Refused) as refused:
        load(text)
    return str(refused.value)


def having(old: str, new: str) -> str:
    """The whole file with one place changed."""
    assert WHOLE.count(old) == 1
    return WHOLE.replace(old, new)


def with_blocks(*names: str) -> str:
    """The file with these of the three blocks that the gate needs."""
    blocks = {
        "measured_on": FLOORS[: FLOORS.index("retrieval:")],
        "retrieval": FLOORS[FLOORS.index("retrieval:") : FLOORS.index("refusal:")],
        "refusal": FLOORS[FLOORS.index("refusal:") :],
    }
    return "".join(blocks[name] for name in names) + THRESHOLDS


def test_the_thresholds_are_what_the_file_says() -> None:
    found = load(WHOLE)

    assert found == Thresholds(
        budget=found.budget,
        measured_on="0123456789ab",
        retrieval=RetrievalFloors(
            min_recall={"recall@1": 0.5, "recall@5": 1.0, "recall@10": 1.0},
            min_mrr=0.75,
            min_evidence_recall=1.0,
            max_fusion_loss=0.0,
            max_rank={"whistle": 2, "lid": 3},
        ),
        refusal=RefusalFloors(min_grounded_rate=0.5, min_state_agreement=1.0, max_answered_unanswerable=0),
        digest=digest_text(WHOLE),
        located=found.located,
    )


def test_a_budget_alone_is_enough_to_build() -> None:
    found = load(THRESHOLDS)

    assert (found.measured_on, found.retrieval, found.refusal) == (None, None, None)


def test_without_a_budget_there_are_no_thresholds() -> None:
    assert refusal(FLOORS) == (
        "error[missing-key]: the file has no 'budget'\n  --> thresholds.yaml:1\n  mend: add 'budget'"
    )


def test_a_missing_file_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        load_thresholds(Path("thresholds.yaml"))

    assert str(refused.value) == (
        "error[unreadable]: thresholds.yaml cannot be read\n"
        "  --> thresholds.yaml\n"
        "  No such file or directory\n"
        "  mend: write the project's thresholds there, see docs/inputs.md"
    )


@pytest.mark.parametrize(
    ("there", "what"),
    [
        (("measured_on",), "measured_on without retrieval, refusal"),
        (("retrieval",), "retrieval without measured_on, refusal"),
        (("refusal",), "refusal without measured_on, retrieval"),
        (("measured_on", "retrieval"), "measured_on and retrieval without refusal"),
        (("measured_on", "refusal"), "measured_on and refusal without retrieval"),
        (("retrieval", "refusal"), "retrieval and refusal without measured_on"),
    ],
)
def test_floors_that_are_half_set_are_refused(there: tuple[str, ...], what: str) -> None:
    assert refusal(with_blocks(*there)) == (
        f"error[half-set]: the file has {what}\n"
        "  --> thresholds.yaml:1\n"
        "  the gate needs them together: a floor means nothing without the index that it was measured on\n"
        "  mend: `foregone bless --thresholds` writes all of them from what is measured"
    )


@pytest.mark.parametrize("version", ["0123456789AB", "0123456789a", "0123456789abc", "0123456789ag", "0123456789ab\\n"])
def test_a_text_that_is_no_index_version_is_refused(version: str) -> None:
    assert refusal(having("0123456789ab", version)) == (
        f"error[bad-value]: measured_on is '{version}'\n"
        "  --> thresholds.yaml:1\n"
        "  expected an index version, 12 hexadecimal digits in quotes\n"
        "  mend: correct the value"
    )


@pytest.mark.parametrize(
    ("written", "read"),
    [("654744332200", "654744332200"), ("012345670123", "1402433619"), ("null", "None"), ("[]", "[]")],
)
def test_an_index_version_without_quotes_is_refused_where_it_is_no_text(written: str, read: str) -> None:
    assert refusal(having('"0123456789ab"', written)) == (
        f"error[bad-value]: measured_on is {read}, which is no text\n"
        "  --> thresholds.yaml:1\n"
        "  expected an index version, 12 hexadecimal digits in quotes\n"
        "  mend: write it in quotes"
    )


def test_an_index_version_with_a_letter_needs_no_quotes() -> None:
    assert load(having('"0123456789ab"', "0123456789ab")).measured_on == "0123456789ab"


@pytest.mark.parametrize(
    ("block", "key", "line"),
    [
        ("retrieval", "min_recall_at_1", 3),
        ("retrieval", "min_recall_at_5", 4),
        ("retrieval", "min_recall_at_10", 5),
        ("retrieval", "min_mrr", 6),
        ("retrieval", "min_evidence_recall", 7),
        ("retrieval", "max_fusion_loss", 8),
        ("refusal", "min_grounded_rate", 11),
        ("refusal", "min_state_agreement", 12),
    ],
)
@pytest.mark.parametrize(("value", "shown"), [("-0.001", "-0.001"), ("1.001", "1.001"), ("high", "'high'")])
def test_a_share_is_a_number_from_0_to_1(block: str, key: str, line: int, value: str, shown: str) -> None:
    lines = WHOLE.splitlines()
    lines[line - 1] = f"  {key}: {value}"

    assert refusal("\n".join(lines)) == (
        f"error[bad-number]: {block}.{key} is {shown}\n"
        f"  --> thresholds.yaml:{line}\n"
        "  expected a number from 0 to 1\n"
        "  mend: write such a number"
    )


@pytest.mark.parametrize("key", ["min_recall_at_10", "min_mrr", "min_evidence_recall", "max_fusion_loss", "max_rank"])
def test_no_floor_of_retrieval_has_a_default(key: str) -> None:
    text = "".join(line for line in WHOLE.splitlines(keepends=True) if not line.startswith(f"  {key}:"))

    assert refusal(text) == (
        f"error[missing-key]: retrieval has no '{key}'\n  --> thresholds.yaml:2\n  mend: add '{key}'"
    )


def test_an_unknown_floor_of_retrieval_is_refused_at_its_line() -> None:
    assert refusal(having("  min_mrr: 0.75\n", "  min_mrr: 0.75\n  min_ndcg: 0.5\n")) == (
        "error[unknown-key]: retrieval has an unknown key 'min_ndcg'\n"
        "  --> thresholds.yaml:7\n"
        "  known keys: max_fusion_loss, max_rank, min_evidence_recall, min_mrr, min_recall_at_1, min_recall_at_10, "
        "min_recall_at_5\n"
        "  mend: remove the key or correct its spelling"
    )


def test_a_question_whose_sections_were_not_ranked_has_no_ceiling() -> None:
    found = load(having("lid: 3", "lid: null")).retrieval

    assert found is not None
    assert found.max_rank == {"whistle": 2, "lid": None}


@pytest.mark.parametrize(("value", "shown"), [("0", "0"), ("1000001", "1000001"), ("2.5", "2.5"), ("yes", "True")])
def test_a_ceiling_of_a_rank_is_a_rank(value: str, shown: str) -> None:
    assert refusal(having("lid: 3", f"lid: {value}")) == (
        f"error[bad-number]: retrieval.max_rank.lid is {shown}\n"
        "  --> thresholds.yaml:9\n"
        "  expected an integer from 1 to 1000000\n"
        "  mend: write such a number"
    )


@pytest.mark.parametrize(
    ("left_out", "what"),
    [
        (ANSWERED, "refusal has no 'max_answered_unanswerable'"),
        (RATE, "refusal has no 'min_grounded_rate'"),
        (RATE + "  min_state_agreement: 1\n" + ANSWERED, "refusal limits neither answering nor refusing"),
    ],
    ids=["answering everything", "refusing everything", "neither"],
)
def test_a_limit_on_one_side_alone_is_refused(left_out: str, what: str) -> None:
    kept = "  min_state_agreement: 1\n" if "agreement" in left_out else ""

    assert refusal(having(left_out, kept)) == (
        f"error[one-sided]: {what}\n"
        "  --> thresholds.yaml:10\n"
        "  the floor alone rewards answering everything\n"
        "  the ceiling alone rewards refusing everything\n"
        "  mend: set both min_grounded_rate and max_answered_unanswerable"
    )


def test_the_agreement_of_states_has_no_default() -> None:
    assert refusal(having("  min_state_agreement: 1\n", "")) == (
        "error[missing-key]: refusal has no 'min_state_agreement'\n"
        "  --> thresholds.yaml:10\n"
        "  mend: add 'min_state_agreement'"
    )


def test_an_unknown_floor_of_refusal_is_refused_at_its_line() -> None:
    assert refusal(having(RATE, RATE + "  max_abandoned: 0\n")) == (
        "error[unknown-key]: refusal has an unknown key 'max_abandoned'\n"
        "  --> thresholds.yaml:12\n"
        "  known keys: max_answered_unanswerable, min_grounded_rate, min_state_agreement\n"
        "  mend: remove the key or correct its spelling"
    )


@pytest.mark.parametrize(("value", "shown"), [("-1", "-1"), ("1000001", "1000001"), ("0.5", "0.5")])
def test_answered_questions_are_counted(value: str, shown: str) -> None:
    assert refusal(having(ANSWERED, f"  max_answered_unanswerable: {value}\n")) == (
        f"error[bad-number]: refusal.max_answered_unanswerable is {shown}\n"
        "  --> thresholds.yaml:13\n"
        "  expected an integer from 0 to 1000000\n"
        "  mend: write such a number"
    )


def test_an_unknown_block_is_refused_at_its_line() -> None:
    assert refusal(having("refusal:\n", "refusals:\n")) == (
        "error[unknown-key]: the file has an unknown key 'refusals'\n"
        "  --> thresholds.yaml:10\n"
        "  known keys: budget, measured_on, refusal, retrieval\n"
        "  mend: remove the key or correct its spelling"
    )


@pytest.mark.parametrize(
    ("trail", "line"),
    [
        (("measured_on",), 1),
        (("retrieval", "min_mrr"), 6),
        (("retrieval", "max_rank", "teapot"), 9),
        (("budget",), 14),
        (("budget", "max_work"), 20),
        (("budget", "max_pots"), 14),
    ],
)
def test_a_threshold_has_its_line_or_that_of_the_block_around_it(trail: tuple[str, ...], line: int) -> None:
    assert load(WHOLE).where(*trail) == f"thresholds.yaml:{line}"
