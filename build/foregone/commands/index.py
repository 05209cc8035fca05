"""`foregone index build|status`."""

import datetime as dt
import os
from argparse import Namespace

from foregone.commands.output import note, say, say_json
from foregone.corpus.corpus import load_corpus
from foregone.embedder_settings import OpenAiSettings
from foregone.errors import Refused
from foregone.index.embedders import DeferredEmbedder, Surroundings
from foregone.index.index import IndexPlan, build_index, plan_index
from foregone.index.partial import partial_vectors
from foregone.lock import sole
from foregone.pipeline import read_questions, read_status
from foregone.progress import Progress
from foregone.project import Project, load_project
from foregone.retrieve.query_vectors import QuestionPlan, embed_questions, plan_questions
from foregone.retrieve.questions import QuestionSet
from foregone.spend import Ledger
from foregone.tokens import estimate_tokens


def build(arguments: Namespace) -> int:
    """Build the index of the corpus, and the vectors of the question set."""
    project = load_project(arguments.project)
    with sole(project.work, "index build"):
        return _build(project)


def _build(project: Project) -> int:
    corpus = load_corpus(project.manifest)
    questions = read_questions(project, corpus)
    settings = project.settings.retrieval
    embedder = load_embedder(project) if settings.dense else None
    partial = partial_vectors(project.work, embedder.identity, "document") if embedder else None
    plan = plan_index(corpus, settings, project.index_root, embedder, partial)
    asking = _plan_questions(project, questions, embedder) if embedder else None
    if embedder and asking:
        _announce_price(project, plan, asking, embedder)
    with Progress("embedding chunks", total=len(plan.missing)) as progress:
        built = build_index(plan, project.index_root, embedder, partial, progress.advance)
    say(f"index {built.folder.name}: {built.embedded} chunks embedded, {built.reused} reused")
    if embedder and asking:
        with Progress("embedding questions", total=len(asking.missing)) as progress:
            embedded = embed_questions(asking, embedder, progress.advance)
        say(f"questions: {embedded} embedded, {len(questions.questions) - embedded} reused")
    return 0


def _plan_questions(project: Project, questions: QuestionSet, embedder: DeferredEmbedder) -> QuestionPlan:
    partial = partial_vectors(project.work, embedder.identity, "query")
    return plan_questions(project.vectors, questions, embedder.identity, partial)


def status(arguments: Namespace) -> int:
    """Say whether the committed index is of this corpus: 0 fresh, 1 stale or missing."""
    project = load_project(arguments.project)
    corpus = load_corpus(project.manifest)
    found = read_status(project, corpus)
    if arguments.json:
        say_json({"committed": found.committed, "wanted": found.wanted, "changes": list(found.changes)})
    elif not found.changes:
        say(f"index {found.committed} is of this corpus and these settings")
    else:
        say(f"index {found.committed or 'missing'} is not of this corpus and these settings")
        for change in found.changes:
            say(f"  {change}")
        say(f"a rebuild gives {found.wanted or f'a version that only the embedder can tell; {found.untold}'}")
    return 1 if found.changes else 0


def load_embedder(project: Project) -> DeferredEmbedder:
    """The embedder of the project's settings, which must have a dense leg; loaded when something is embedded."""
    settings = project.settings.retrieval.dense
    if settings is None:
        raise Refused("no-embedder", "the settings name no embedder", mend="add `dense` to retrieval.legs")
    budget = project.thresholds.budget
    today = dt.datetime.now(tz=dt.UTC).date().isoformat()
    ledger = Ledger(project.work / "spend.json", today, budget.daily_cap_usd)
    return DeferredEmbedder(
        settings.embedder, Surroundings(project.root, dict(os.environ), ledger, dict(budget.embedding_prices))
    )


def _announce_price(project: Project, plan: IndexPlan, asking: QuestionPlan, embedder: DeferredEmbedder) -> None:
    """Say what an API will cost before anything is sent."""
    dense = project.settings.retrieval.dense
    if dense is None or not isinstance(dense.embedder, OpenAiSettings):
        return
    texts = [chunk.text for chunk in plan.missing] + list(asking.missing.values())
    if not texts:
        return
    _ = embedder.loaded  # refused without a key or a price
    tokens = sum(estimate_tokens(text) for text in texts)
    usd = project.thresholds.budget.embedding_prices[dense.embedder.model] * tokens / 1e6
    cap = project.thresholds.budget.daily_cap_usd
    note(f"{len(texts)} texts, about {tokens:,} tokens: about {usd:.4f} USD; the daily cap is {cap:.2f} USD")
