"""The order of the stages, in words.

corpus -> sections -> chunks -> index -> retrieve -> draft -> ground -> decide -> render -> release
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from foregone.budget import Budget
from foregone.corpus.chunks import Weigh
from foregone.corpus.corpus import Corpus, load_corpus
from foregone.decide.answer import Answer, decide_answer, without_context
from foregone.decide.inputs import SharedInputs, digest_rules, inputs_of, share_inputs
from foregone.digest import Digest, digest_text
from foregone.draft.draft import Draft, load_drafts
from foregone.errors import Refused
from foregone.ground.check import Clock, Passages, ground_draft, read_passages
from foregone.index.identities import identify, load_weigh
from foregone.index.index import Index, IndexStatus, index_status, load_index
from foregone.project import Project
from foregone.release.manifest import Release, ReleaseFacts, make_release
from foregone.release.token import ReadFiles, refuse_tokens
from foregone.render.pages import SiteFacts, load_templates
from foregone.render.tree import Site, count_states, render_tree
from foregone.retrieve.evidence import Retrieved, digest_evidence, retrieve_all, without_rankings
from foregone.retrieve.query_vectors import QueryVectors, load_query_vectors
from foregone.retrieve.questions import Question, QuestionSet, load_questions
from foregone.settings import RuleSettings
from foregone.workers import Workers

Report = Callable[[str], None]
"""Told each step as it begins."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """Everything on disk that answers rest on, read and checked, but the drafts."""

    corpus: Corpus
    questions: QuestionSet
    index: Index | None
    """None: the index is missing."""
    query_vectors: QueryVectors | None
    """None: no dense leg, or no index."""
    retrieved: Mapping[str, Retrieved]
    """Question id -> passages; empty without an index."""


@dataclass(frozen=True, slots=True)
class Answered:
    """Every question with its answer."""

    inputs: Inputs
    drafts: Mapping[str, Draft]
    answers: Mapping[str, Answer]
    """Question id -> answer, in the order of the set."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Another question set over the same corpus, in the place of the project's."""

    questions: Path
    drafts: Path | None
    """Folder; None: retrieval alone is measured."""
    embed: Callable[[QuestionSet], QueryVectors]
    """Makes the vectors of its questions."""


def read_questions(project: Project, corpus: Corpus) -> QuestionSet:
    """The question set, checked against the sections of the corpus."""
    return load_questions(project.questions, {section.id for section in corpus.indexed})


def read_status(project: Project, corpus: Corpus) -> IndexStatus:
    """How the committed index stands to the corpus and the settings."""
    retrieval = project.settings.retrieval

    def weigh() -> Weigh:
        assert retrieval.dense is not None
        return load_weigh(retrieval.dense.embedder, project.root)

    return index_status(corpus, retrieval, project.index_root, weigh)


def read_inputs(
    project: Project, report: Report, *, with_rankings: bool = False, held_out: HeldOut | None = None
) -> Inputs:
    """Corpus, questions and index of the project, and the passages of each question; whole rankings to measure them."""
    report("reading the corpus")
    corpus = load_corpus(project.manifest)
    path = held_out.questions if held_out else project.questions
    questions = load_questions(path, {section.id for section in corpus.indexed})
    report("ranking passages")
    retrieval = project.settings.retrieval
    index = load_index(corpus, retrieval, project.index_root)
    if index is None:
        return Inputs(corpus, questions, None, None, {})
    vectors = None
    if retrieval.dense and held_out:
        vectors = held_out.embed(questions)
    elif retrieval.dense:
        vectors = load_query_vectors(project.vectors, questions, identify(retrieval.dense.embedder))
    found = retrieve_all(index, questions, vectors, retrieval)
    kept = found if with_rankings else map(without_rankings, found)
    return Inputs(corpus, questions, index, vectors, {retrieved.question: retrieved for retrieved in kept})


def answer_questions(
    project: Project,
    clock: Clock,
    workers: Workers,
    report: Report,
    *,
    with_rankings: bool = False,
    held_out: HeldOut | None = None,
) -> Answered:
    """Every question's answer: its draft, grounded and decided; none for a held-out set without drafts."""
    inputs = read_inputs(project, report, with_rankings=with_rankings, held_out=held_out)
    folder = held_out.drafts if held_out else project.drafts
    return ground_questions(project, inputs, folder, clock=clock, workers=workers, report=report)


def ground_questions(
    project: Project, inputs: Inputs, folder: Path | None, *, clock: Clock, workers: Workers, report: Report
) -> Answered:
    """The answers that the drafts in `folder` give; no answer where there is no folder."""
    drafts = load_drafts(folder, [question.id for question in inputs.questions.questions]) if folder else {}
    settings = project.settings
    refuse_tokens(
        ReadFiles(settings, project.settings_file, inputs.corpus, inputs.questions, drafts, folder or project.drafts)
    )
    report("checking claims")
    work = prepare_grounding(project, inputs, drafts, clock)
    answers: dict[str, Answer] = {}
    for batch in workers.map_batches(work, tuple(drafts)):
        answers |= batch
    return Answered(inputs, drafts, answers)


def prepare_grounding(project: Project, inputs: Inputs, drafts: Mapping[str, Draft], clock: Clock) -> "Grounding":
    """What answers questions: everything that they have in common, read once."""
    return Grounding(
        inputs,
        drafts,
        read_passages(inputs.corpus, (claim.section for draft in drafts.values() for claim in draft.claims)),
        project.settings.rules,
        project.thresholds.budget,
        share_inputs(
            inputs.corpus.fingerprint,
            inputs.index.digest if inputs.index else None,
            project.settings.retrieval,
            project.settings.rules,
            project.thresholds.budget,
        ),
        clock,
    )


def render_release(project: Project, answered: Answered, workers: Workers, report: Report) -> Release:
    """The release that these answers make."""
    report("rendering pages")
    settings, inputs = project.settings, answered.inputs
    version = inputs.index.version if inputs.index else None
    facts = SiteFacts(
        title=settings.title,
        url=settings.url,
        base_path=settings.base_path,
        corpus_title=inputs.corpus.manifest.title,
        corpus_description=inputs.corpus.manifest.description,
        index_version=version,
    )
    tree = render_tree(Site(facts, inputs.corpus, answered.answers, project.templates), workers.map_batches)
    drafts = "".join(f"{question} {draft.digest}\n" for question, draft in answered.drafts.items())
    return make_release(
        ReleaseFacts(
            index_version=version,
            corpus=inputs.corpus,
            questions=inputs.questions.digest,
            drafts=digest_text(drafts),
            settings=settings.digest,
            thresholds=project.thresholds.digest,
            rules=digest_rules(settings.rules),
            templates=load_templates(project.templates).digest,
            counts=count_states(answered.answers.values()),
        ),
        tree,
    )


def refuse_missing_index(answered: Answered, root: Path) -> None:
    """Refused where every answer is `no_context`, because the index is missing."""
    if answered.inputs.index is None:
        raise Refused(
            "no-index",
            "the index is missing, so nothing can be retrieved",
            where=str(root),
            why=(f"{len(answered.answers)} questions would be published as no_context",),
            mend="run `foregone index build`, or publish that with `foregone build --allow-no-context`",
        )


@dataclass(frozen=True, slots=True)
class Grounding:
    """Answers a batch of questions; it can be sent to another process."""

    inputs: Inputs
    drafts: Mapping[str, Draft]
    passages: Passages
    rules: RuleSettings
    budget: Budget
    shared: SharedInputs
    clock: Clock

    def __call__(self, ids: tuple[str, ...]) -> dict[str, Answer]:
        """The answers of a batch."""
        by_id = {question.id: question for question in self.inputs.questions.questions}
        return {name: self.answer(by_id[name], self.inputs.retrieved.get(name)) for name in ids}

    def answer(self, question: Question, retrieved: Retrieved | None) -> Answer:
        """The answer to one question over its passages; None where the index is missing."""
        draft = self.drafts[question.id]
        if self.inputs.index is None or retrieved is None:
            return without_context(question, draft, inputs_of(self.shared, question, None, draft))
        grounded = ground_draft(
            draft,
            retrieved.evidence_ids,
            self.passages,
            min_coverage=self.rules.min_coverage,
            budget=self.budget,
            clock=self.clock,
        )
        evidence: Digest = digest_evidence(self.inputs.corpus, retrieved.evidence_ids)
        inputs = inputs_of(self.shared, question, evidence, draft)
        version = self.inputs.index.version
        return decide_answer(question, draft, retrieved.evidence, grounded, index_version=version, inputs=inputs)
