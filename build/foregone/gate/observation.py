"""Everything that the checks look at, measured once; the checks themselves read no file."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from foregone.corpus.chunks import Chunk
from foregone.corpus.corpus import Corpus
from foregone.draft.prompt import Prompt
from foregone.evaluation import Evaluation
from foregone.gate.verdict import Verdict, not_measured
from foregone.index.index import IndexStatus
from foregone.pipeline import Answered, Inputs
from foregone.project import Project
from foregone.release.verify import Verification
from foregone.retrieve.questions import QuestionSet
from foregone.thresholds import RefusalFloors, RetrievalFloors

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Unmeasured:
    """Why a part could not be measured: something before it is red."""

    reason: str
    where: str
    mend: str


@dataclass(frozen=True, slots=True)
class Site:
    """The published site, and what a build would publish now."""

    found: Verification
    built_now: str
    """Id of the release that these inputs make."""


@dataclass(frozen=True, slots=True)
class Observation:
    """One look at a project."""

    project: Project
    retrieval: RetrievalFloors
    refusal: RefusalFloors
    corpus: Corpus
    questions: QuestionSet
    index: IndexStatus
    question_vectors: Path | None
    """Where the vectors of this question set belong; None: no dense leg."""
    inputs: Inputs | Unmeasured
    """With whole rankings."""
    prompts: Mapping[str, Prompt] | Unmeasured
    """Question id -> the prompt that would be exported now."""
    answered: Answered | Unmeasured
    evaluation: Evaluation | Unmeasured
    committed: Mapping[str, bytes | None]
    """Name of a results file -> its committed content; None: it is not there."""
    chunks: tuple[Chunk, ...] | Unmeasured
    """What a rebuild of the index would embed."""
    latencies_ms: Mapping[str, float] | Unmeasured
    """Question id -> wall time of retrieving, grounding and deciding it."""
    site: Site | Unmeasured


def measured(name: str, part: T | Unmeasured, check: Callable[[T], Verdict]) -> Iterator[Verdict]:
    """The verdict of `check` on a part, or that the part was not measured."""
    if isinstance(part, Unmeasured):
        yield not_measured(name, (part.reason,), part.where, part.mend)
    else:
        yield check(part)
