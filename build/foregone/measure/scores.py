"""Top scores of answerable and unanswerable questions, side by side.

They overlap: whichever score one asks for, unanswerable questions are above it and answerable ones below. That is why
no threshold of similarity decides a refusal here, and these figures are there to show it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import quantiles
from typing import Any

from foregone.measure.metric import Metric, plain, rounded
from foregone.measure.retrieval import rankings_of
from foregone.retrieve.evidence import Retrieved
from foregone.retrieve.questions import Question

NOTHING = "one of the two groups has no question with a score"


@dataclass(frozen=True, slots=True)
class ScoreSpread:
    """The best scores of one group of questions."""

    scores: tuple[float, ...]
    """Ascending."""
    unranked: int
    """Questions for which the ranking is empty; they have no score."""

    def quartiles(self) -> tuple[float, ...]:
        """Minimum, lower quartile, median, upper quartile, maximum; empty without scores."""
        if not self.scores:
            return ()
        inner = quantiles(self.scores, n=4, method="inclusive") if len(self.scores) > 1 else [self.scores[0]] * 3
        return (self.scores[0], *inner, self.scores[-1])

    def as_json(self) -> dict[str, Any]:
        """As it is published."""
        names = ("min", "lower_quartile", "median", "upper_quartile", "max")
        values = self.quartiles() or (None,) * len(names)
        spread = {name: rounded(value) for name, value in zip(names, values, strict=True)}
        return {"n": len(self.scores), "unranked": self.unranked, **spread}


@dataclass(frozen=True, slots=True)
class ScoreCut:
    """The one score that tells the two groups apart with the fewest mistakes, and the mistakes that remain."""

    score: float | None
    """Questions whose best score is at least this would be answered; None: every question would be refused."""
    refused_answerable: int
    answered_unanswerable: int


@dataclass(frozen=True, slots=True)
class ScoreOverlap:
    """Both groups by one ranking."""

    leg: str
    answerable: ScoreSpread
    unanswerable: ScoreSpread

    @property
    def separation(self) -> Metric:
        """Chance that a random answerable question scores above a random unanswerable one; ties count half.

        0.5 is a coin toss, 1 no overlap (the area under the ROC curve: Hanley and McNeil, Radiology 143, 1982).
        """
        yes, no = self.answerable.scores, self.unanswerable.scores
        pairs = len(yes) * len(no)
        wins = sum((high > low) + (high == low) / 2 for high in yes for low in no)
        return plain(wins / pairs if pairs else None, len(yes) + len(no), nothing=NOTHING)

    @property
    def cut(self) -> ScoreCut | None:
        """The best single threshold over questions that have a score; the lowest of equals; None: a group has none."""
        yes, no = self.answerable.scores, self.unanswerable.scores
        if not yes or not no:
            return None
        cuts = [
            ScoreCut(score, sum(one < score for one in yes), sum(one >= score for one in no))
            for score in sorted({*yes, *no})
        ]
        return min(
            (*cuts, ScoreCut(None, len(yes), 0)), key=lambda cut: cut.refused_answerable + cut.answered_unanswerable
        )

    def as_json(self) -> dict[str, Any]:
        """As it is published."""
        cut = self.cut
        return {
            "answerable": self.answerable.as_json(),
            "unanswerable": self.unanswerable.as_json(),
            "separation": self.separation.as_json(),
            "best_cut": None
            if cut is None
            else {
                "score": rounded(cut.score),
                "refused_answerable": cut.refused_answerable,
                "answered_unanswerable": cut.answered_unanswerable,
            },
        }


def top_scores(retrieved: Retrieved) -> dict[str, float | None]:
    """Leg -> score of the best section; None: nothing is ranked."""
    return {leg: ranking[0].score if ranking else None for leg, ranking in rankings_of(retrieved).items()}


def measure_scores(questions: Sequence[Question], retrieved: Mapping[str, Retrieved]) -> tuple[ScoreOverlap, ...]:
    """The overlap by each leg and by the fusion."""
    tops = {question.id: top_scores(retrieved[question.id]) for question in questions}
    groups = [[one.id for one in questions if one.answerable is answerable] for answerable in (True, False)]
    legs = next(iter(tops.values()))
    return tuple(ScoreOverlap(leg, *(_spread([tops[name][leg] for name in group]) for group in groups)) for leg in legs)


def _spread(scores: Sequence[float | None]) -> ScoreSpread:
    known = sorted(score for score in scores if score is not None)
    return ScoreSpread(tuple(known), len(scores) - len(known))
