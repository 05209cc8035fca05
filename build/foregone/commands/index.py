"""`foregone index build|status`."""

from argparse import Namespace

from foregone.commands.output import say, say_json
from foregone.corpus.corpus import load_corpus
from foregone.index.index import build_index, index_status
from foregone.index.minilm import load_minilm
from foregone.pipeline import read_questions
from foregone.progress import Progress
from foregone.project import load_project
from foregone.retrieve.query_vectors import embed_questions


def build(arguments: Namespace) -> int:
    """Build the index of the corpus, and the vectors of the question set."""
    project = load_project(arguments.project)
    corpus = load_corpus(project.manifest)
    questions = read_questions(project, corpus)
    with Progress("embedding chunks") as progress:
        built = build_index(corpus, project.settings.retrieval, project.index_root, load_minilm, progress.reach)
    say(f"index {built.folder.name}: {built.embedded} chunks embedded, {built.reused} reused")
    if project.settings.retrieval.dense:
        with Progress("embedding questions") as progress:
            embedded = embed_questions(project.vectors, questions, load_minilm(), progress.reach)
        say(f"questions: {embedded} embedded, {len(questions.questions) - embedded} reused")
    return 0


def status(arguments: Namespace) -> int:
    """Say whether the committed index is of this corpus: 0 fresh, 1 stale or missing."""
    project = load_project(arguments.project)
    corpus = load_corpus(project.manifest)
    found = index_status(corpus, project.settings.retrieval, project.index_root, load_minilm)
    if arguments.json:
        say_json({"committed": found.committed, "wanted": found.wanted, "changes": list(found.changes)})
    elif not found.changes:
        say(f"index {found.committed} is of this corpus and these settings")
    else:
        say(f"index {found.committed or 'missing'} is not of this corpus and these settings")
        for change in found.changes:
            say(f"  {change}")
        say(f"a rebuild gives {found.wanted or 'a version that only the embedder can tell: run `make dense`'}")
    return 1 if found.changes else 0
