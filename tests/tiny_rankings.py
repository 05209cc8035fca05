"""Questions and rankings in a word, for what is measured of them.

question_of("lid", "kettle#1", "kettle#2", match="all")    # answerable by these sections
question_of("colour")                                      # not answerable
ranking("kettle#2", "kettle#1")                            # best first, scores 99, 98, ...
"""

from typing import Literal

from foregone.retrieve.evidence import Retrieved, gather
from foregone.retrieve.questions import Question
from foregone.retrieve.ranking import Ranking, ScoredSection
from foregone.settings import Bm25Settings, RetrievalSettings

SETTINGS = RetrievalSettings(Bm25Settings("english", 40, 10), None, 10, 2)
"""Two sections of each leg make the evidence."""


def question_of(
    name: str, *sections: str, match: Literal["any", "all"] = "any", topic: str = "tea", kind: str = "how"
) -> Question:
    """A question that these sections answer; without any, one that must land in `unsupported`."""
    state: Literal["unsupported"] | None = None if sections else "unsupported"
    return Question(name, "What?", topic, kind, sections, match, state, why=None if sections else "Nothing.")


def ranking(*sections: str, best: float = 99.0) -> Ranking:
    """These sections, best first, each a point below the one before."""
    return tuple(ScoredSection(section, best - place) for place, section in enumerate(sections))


def retrieved_of(name: str, **legs: Ranking) -> Retrieved:
    """What these legs find for the question `name`."""
    return gather(name, legs, SETTINGS)
