"""`make bench-retrieve`: how long an exact query takes."""

from pathlib import Path

from foregone.bench.stopwatch import time_runs
from foregone.commands.output import say
from foregone.corpus.corpus import load_corpus
from foregone.index.embedder import score_rows
from foregone.index.index import load_index
from foregone.index.minilm import load_minilm
from foregone.pipeline import read_questions
from foregone.project import load_project
from foregone.retrieve.evidence import retrieve_all
from foregone.retrieve.query_vectors import load_query_vectors

RUNS = 50


def main() -> None:
    """Print the times of this project's retrieval."""
    project = load_project(Path())
    embedder = load_minilm()
    corpus = load_corpus(project.manifest)
    questions = read_questions(project, corpus)
    retrieval = project.settings.retrieval
    index = load_index(corpus, retrieval, project.index_root)
    assert index is not None, "run `foregone index build` first"
    assert index.dense is not None, "this times both legs"
    vectors = load_query_vectors(project.vectors, questions, embedder.identity)
    text, rows, query = questions.questions[0].text, index.dense.vectors, vectors[:1]
    say(f"index {index.version}: {len(index.bm25_sections)} BM25 chunks, {len(rows)} vectors")
    say(f"read the corpus:       {time_runs(lambda: load_corpus(project.manifest), 5).in_words()}")
    say(f"load the index:        {time_runs(lambda: load_index(corpus, retrieval, project.index_root), 5).in_words()}")
    say(f"one exact dense query: {time_runs(lambda: score_rows(rows, query), RUNS).in_words()}")
    say(f"one exact BM25 query:  {time_runs(lambda: index.bm25.score(text), RUNS).in_words()}")
    every = time_runs(lambda: list(retrieve_all(index, questions, vectors, retrieval)), 5)
    say(f"all {len(vectors)} questions, fused: {every.in_words()}")
    embed = time_runs(lambda: embedder.embed([text], "query"), RUNS)
    say(f"embed one question:    {embed.in_words()}")


if __name__ == "__main__":
    main()
