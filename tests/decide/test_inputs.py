"""Every input of an answer has a digest of its own, so that the cause of a change can be named."""

from dataclasses import asdict, dataclass, fields, replace
from fractions import Fraction
from pathlib import Path

import pytest

from foregone.budget import Budget
from foregone.decide.answer import Inputs
from foregone.decide.inputs import DECIDING_STAGES, digest_rules, digest_source, inputs_of, share_inputs
from foregone.digest import Digest, digest_text
from foregone.draft.draft import Draft, Drafter
from foregone.retrieve.questions import Question
from foregone.settings import Bm25Settings, RetrievalSettings, RuleSettings

CORPUS, INDEX, EVIDENCE = Digest("sha256:01"), Digest("sha256:02"), Digest("sha256:03")
RETRIEVAL = RetrievalSettings(Bm25Settings("english", 40, 10), None, 10, 3)
RULES = RuleSettings(Fraction(2, 3))
BUDGET = Budget(150, 50, 60, 10, 0, 5000, 2.0, 1500, None, None, None)
QUESTION = Question("lid", "What does a lid do?", "kettles", "how", ("kettle#1",), "any", state=None, why=None)
DRAFT = Draft(
    "lid",
    "answered",
    Drafter("imported", "a person", None),
    "2026-12-01",
    "1",
    Digest("sha256:04"),
    {},
    1,
    1,
    (),
    Digest("sha256:05"),
)


@dataclass(frozen=True)
class Case:
    """All that an answer depends on; a test replaces one part."""

    corpus: Digest = CORPUS
    index: Digest | None = INDEX
    retrieval: RetrievalSettings = RETRIEVAL
    rules: RuleSettings = RULES
    budget: Budget = BUDGET
    question: Question = QUESTION
    evidence: Digest | None = EVIDENCE
    draft: Draft = DRAFT

    @property
    def inputs(self) -> Inputs:
        shared = share_inputs(self.corpus, self.index, self.retrieval, self.rules, self.budget)
        return inputs_of(shared, self.question, self.evidence, self.draft)


CHANGES: list[tuple[str, Case]] = [
    ("corpus", Case(corpus=Digest("sha256:f1"))),
    ("index", Case(index=None)),
    ("retrieval", Case(retrieval=replace(RETRIEVAL, fusion_k=60))),
    ("retrieval", Case(retrieval=replace(RETRIEVAL, evidence_per_leg=4))),
    ("question", Case(question=replace(QUESTION, text="What do lids do?"))),
    ("question", Case(question=replace(QUESTION, match="all"))),
    ("evidence", Case(evidence=None)),
    ("draft", Case(draft=replace(DRAFT, digest=Digest("sha256:f5")))),
    ("rules", Case(rules=RuleSettings(Fraction(3, 4)))),
    ("limit", Case(budget=replace(BUDGET, max_work=5001))),
]


@pytest.mark.parametrize(("name", "changed"), CHANGES)
def test_a_change_is_seen_in_its_own_digest_alone(name: str, changed: Case) -> None:
    before, after = asdict(Case().inputs), asdict(changed.inputs)

    assert [key for key in before if before[key] != after[key]] == [name]


def test_ceilings_that_decide_nothing_are_no_input() -> None:
    budget = replace(BUDGET, request_deadline_ms=1, max_request_ms=1, daily_cap_usd=9.0, max_output_tokens=1)

    assert Case(budget=budget).inputs == Case().inputs


def test_inputs_stand_in_the_order_in_which_causes_are_looked_for() -> None:
    assert [field.name for field in fields(Inputs)] == [
        "corpus",
        "index",
        "question",
        "retrieval",
        "evidence",
        "draft",
        "rules",
        "review",
        "limit",
        "code",
    ]


def test_rules_are_digested_with_the_version_of_the_check() -> None:
    assert digest_rules(RULES) == digest_text('{"min_coverage":"2/3","check":1}')


def write_source(package: Path) -> Path:
    for stage in (*DECIDING_STAGES, "render"):
        (package / stage).mkdir(parents=True)
        (package / stage / "__init__.py").write_text(f'"""Stage {stage}."""\n', encoding="utf-8")
    return package


@pytest.mark.parametrize("stage", DECIDING_STAGES)
def test_source_that_can_change_an_answer_changes_the_digest(tmp_path: Path, stage: str) -> None:
    before = digest_source(write_source(tmp_path))
    (tmp_path / stage / "__init__.py").write_text('"""Other."""\n', encoding="utf-8")

    assert digest_source(tmp_path) != before


def test_a_module_that_moves_to_another_name_changes_the_digest(tmp_path: Path) -> None:
    before = digest_source(write_source(tmp_path))
    (tmp_path / "ground/__init__.py").rename(tmp_path / "ground/rules.py")

    assert digest_source(tmp_path) != before


@pytest.mark.parametrize("name", ["render/__init__.py", "ground/notes.txt", "ground/__pycache__/rules.py", "cli.py"])
def test_what_cannot_change_an_answer_does_not_change_the_digest(tmp_path: Path, name: str) -> None:
    before = digest_source(write_source(tmp_path))
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("# Other.\n", encoding="utf-8")

    assert digest_source(tmp_path) == before
