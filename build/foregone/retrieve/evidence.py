"""The evidence of a question: what was retrieved for it, with every rank."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from foregone.corpus.corpus import Corpus
from foregone.digest import Digest, digest_text
from foregone.index.embedder import score_rows
from foregone.index.index import Index
from foregone.retrieve.questions import QuestionSet
from foregone.retrieve.ranking import Ranking, fuse, rank_sections, ranks_of
from foregone.settings import RetrievalSettings


@dataclass(frozen=True, slots=True)
class Passage:
    """One section of the evidence."""

    section: str
    """Section id."""
    ranks: Mapping[str, int | None]
    """`bm25`, `dense`, `fused` -> rank from 1 over all sections; None: absent or no such leg."""
    scores: Mapping[str, float | None]
    """As `ranks`."""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What retrieval found for one question."""

    question: str
    """Question id."""
    legs: Mapping[str, Ranking]
    """`bm25`, `dense` -> ranking over all sections; empty where only the evidence was kept."""
    fused: Ranking
    """Over all sections; empty where only the evidence was kept."""
    evidence: tuple[Passage, ...]
    """The union of every leg's top sections, in fused order."""

    @property
    def evidence_ids(self) -> tuple[str, ...]:
        """Section ids of the evidence, in fused order."""
        return tuple(passage.section for passage in self.evidence)


def retrieve_all(
    index: Index, questions: QuestionSet, vectors: npt.NDArray[np.float16] | None, settings: RetrievalSettings
) -> Iterator[Retrieved]:
    """Passages for each question, in the order of the set; `vectors`: (n_questions, dimension) or None without dense."""
    dense = score_rows(index.dense.vectors, vectors) if index.dense and vectors is not None else None
    for place, question in enumerate(questions.questions):
        legs = {"bm25": rank_sections(index.bm25_sections, index.bm25.score(question.text), floor=0.0)}
        if index.dense and dense is not None:
            legs["dense"] = rank_sections(index.dense.sections, dense[place], floor=None)
        yield gather(question.id, legs, settings)


def gather(question: str, legs: dict[str, Ranking], settings: RetrievalSettings) -> Retrieved:
    """The fusion of the legs' rankings and the evidence that follows from them."""
    fused = fuse(list(legs.values()), settings.fusion_k)
    top = {place.section for ranking in legs.values() for place in ranking[: settings.evidence_per_leg]}
    rankings = {**legs, "fused": fused}
    ranks = {name: ranks_of(ranking) for name, ranking in rankings.items()}
    evidence = tuple(_passage(place.section, rankings, ranks) for place in fused if place.section in top)
    return Retrieved(question, legs, fused, evidence)


def without_rankings(retrieved: Retrieved) -> Retrieved:
    """The evidence alone: answering needs no more, and the rankings of many questions fill the memory."""
    return Retrieved(retrieved.question, {}, (), retrieved.evidence)


def digest_evidence(corpus: Corpus, sections: tuple[str, ...]) -> Digest:
    """The digest over a sorted line `<section id>:<digest of its published text>` a passage."""
    lines = sorted(f"{section}:{corpus.by_id[section].digest}\n" for section in sections)
    return digest_text("".join(lines))


def _passage(section: str, rankings: dict[str, Ranking], ranks: dict[str, dict[str, int]]) -> Passage:
    found: dict[str, int | None] = {"bm25": None, "dense": None, "fused": None}
    scores: dict[str, float | None] = dict(found)
    for name, ranking in rankings.items():
        rank = ranks[name].get(section)
        found[name] = rank
        scores[name] = None if rank is None else ranking[rank - 1].score
    return Passage(section, found, scores)
