"""The figures of an evaluation as tables for a terminal."""

from collections.abc import Iterator, Mapping

from foregone.decide.state import STATES
from foregone.evaluation import Evaluation
from foregone.measure.answers import ABANDONED, AnswerFigures, Judged
from foregone.measure.metric import Metric
from foregone.measure.results import RetrievalFigures
from foregone.measure.retrieval import CUTOFFS, DEPTH, LegFigures
from foregone.measure.scores import ScoreOverlap
from foregone.measure.slices import slice_questions
from foregone.retrieve.questions import Question
from foregone.table import table

OURS = (*(f"recall@{k}" for k in CUTOFFS), "mrr")
TREC = (*(f"Success@{k}" for k in CUTOFFS), *(f"R@{k}" for k in CUTOFFS), f"nDCG@{DEPTH}", "RR")
HEADINGS = {"mrr": "MRR"}
SPREAD = ("n", "min", "25%", "median", "75%", "max")


def figure_lines(found: Evaluation, questions: tuple[Question, ...]) -> Iterator[str]:
    """Everything that `foregone eval` prints but the sizes of folders."""
    yield from retrieval_lines(found.retrieval)
    yield from slice_lines(found.results["retrieval.json"]["slices"], questions)
    if found.answers is not None:
        yield ""
        yield from answer_lines(found.answers)
    yield ""
    yield "Words that questions and claims share with the corpus: where they copy it, every other figure flatters"
    yield _words(
        "a question's content words in its expected section", found.question_words.median, found.question_words.n
    )
    if found.answers is not None:
        yield _words("a claim's content words in its quote", found.claim_words.median, found.claim_words.n)


def one_line(found: Evaluation) -> str:
    """All of it in one line, as `--quiet` prints it."""
    fused = found.retrieval.fused
    parts = [f"recall@{DEPTH} {_three(fused.recall(DEPTH))}", f"MRR {_three(fused.mrr)} (n = {fused.n})"]
    parts.append(f"evidence recall {_three(found.retrieval.evidence.recall)}")
    if found.answers is None:
        return ", ".join((*parts, "answers not measured: no drafts"))
    names = ("grounded_rate", "state_agreement", "answered_unanswerable")
    metrics = found.answers.metrics()
    return ", ".join((*parts, *(f"{name.replace('_', ' ')} {_of(metrics[name])}" for name in names)))


def trec_metrics(figures: LegFigures) -> dict[str, Metric]:
    """The figures that ask for no question set of ours, by name."""
    metrics = figures.metrics()
    return {name: metrics[name] for name in TREC}


def run_lines(figures: LegFigures) -> Iterator[str]:
    """A run of whatever program."""
    yield f"A run over {figures.n} judged questions, by TREC's measures under the names of ir-measures"
    yield from leg_table((figures,), TREC)


def run_line(figures: LegFigures) -> str:
    """All of it in one line, as `--quiet` prints it."""
    parts = (f"{name} {_three(metric)}" for name, metric in trec_metrics(figures).items())
    return f"{figures.leg}: {', '.join(parts)} (n = {figures.n})"


def retrieval_lines(figures: RetrievalFigures) -> Iterator[str]:
    """Each leg and the fusion, the evidence, the misses and the overlap of scores."""
    fused = figures.fused
    yield f"Retrieval over {fused.n} answerable questions (recall@k: what answers the question is in the top k)"
    yield from leg_table(figures.legs, OURS)
    yield f"95% intervals of the fusion: recall@{DEPTH} {_bounds(fused.recall(DEPTH))}, MRR {_bounds(fused.mrr)}"
    yield "The same by TREC's measures, under the names of ir-measures"
    yield from leg_table(figures.legs, TREC)
    evidence = figures.evidence
    held, size = evidence.recall, evidence.mean_size
    yield f"evidence recall {_three(held)} {_bounds(held)} ({_count(held)}), {size:.1f} passages a question"
    yield f"{len(fused.misses)} questions miss the top {DEPTH} of the fusion; ranks of their expected sections:"
    for name, rank in fused.misses.items():
        yield f"  {name}: {rank or 'not ranked'}"
    yield ""
    yield from score_lines(figures.scores)


def leg_table(legs: tuple[LegFigures, ...], names: tuple[str, ...]) -> Iterator[str]:
    """A row a leg, a column a figure."""
    rows = []
    for leg in legs:
        metrics = leg.metrics()
        rows.append((leg.leg, *(_three(metrics[name]) for name in names)))
    yield from table([("", *(HEADINGS.get(name, name) for name in names)), *rows])


def score_lines(overlaps: tuple[ScoreOverlap, ...]) -> Iterator[str]:
    """Both groups' best scores under each other, and what the best threshold would get wrong."""
    yield "Best score of each question, by whether the corpus answers it"
    rows: list[tuple[str, ...]] = [("", "", *SPREAD)]
    for overlap in overlaps:
        for name, spread in (("answerable", overlap.answerable), ("unanswerable", overlap.unanswerable)):
            values = spread.quartiles() or (None,) * 5
            numbers = ("-" if value is None else f"{value:.3f}" for value in values)
            rows.append((overlap.leg, name, str(len(spread.scores)), *numbers))
    yield from table(rows, left=2)
    for overlap in overlaps:
        cut = overlap.cut
        if cut is None:
            yield f"{overlap.leg}: not measured: {overlap.separation.reason}"
        else:
            yield (
                f"{overlap.leg}: an answerable question scores higher in {overlap.separation.value:.0%} of pairs; the "
                f"best threshold refuses {cut.refused_answerable} answerable and answers {cut.answered_unanswerable} "
                "unanswerable ones"
            )


def slice_lines(
    slices: Mapping[str, Mapping[str, Mapping[str, Mapping[str, float | None]]]], questions: tuple[Question, ...]
) -> Iterator[str]:
    """The fusion by document, kind and topic."""
    counts = slice_questions(questions)
    columns = ("recall@1", "recall@10", "mrr", "evidence_recall")
    for name, parts in slices.items():
        yield ""
        rows: list[tuple[str, ...]] = [(name, "asked", "answerable", "recall@1", "recall@10", "MRR", "evidence")]
        for part, metrics in parts.items():
            values = (metrics[column]["value"] for column in columns)
            numbers = ("-" if value is None else f"{value:.3f}" for value in values)
            rows.append((part, str(len(counts[name][part])), str(metrics["recall@1"]["n"]), *numbers))
        yield from table(rows)


def answer_lines(figures: AnswerFigures) -> Iterator[str]:
    """States, rates, the 2x2 table, and claims withdrawn by rule."""
    yield "Answers: state by what was expected"
    yield from _state_table(figures.states)
    yield "The same by the check alone, had every draft declared `answered`"
    yield from _state_table(figures.by_check_alone)
    yield "Answered or refused (a `partial` that says itself that it stops short counts as refused)"
    pairs = (("answerable", figures.answerable), ("unanswerable", figures.unanswerable))
    yield from table([("", "answered", "refused"), *((name, *_answered(judged)) for name, judged in pairs)])
    for name, metric in figures.metrics().items():
        yield f"{name.replace('_', ' ')} {_of(metric)}"
    unanswerable = [one.answer.question.id for one in figures.unanswerable if one.is_answered]
    for name in unanswerable:
        yield f"  answered though the corpus does not: {name}"
    yield f"{figures.claims} claims, {figures.withdrawn} withdrawn; by rule (a claim may break several):"
    yield from table([(f"  {rule}", str(count)) for rule, count in figures.by_rule.items()] or [("  no rule",)])


def _state_table(counts: dict[str, dict[str, int]]) -> Iterator[str]:
    columns = [*STATES, ABANDONED]
    rows = [(expected, *(str(row.get(state, 0)) for state in columns)) for expected, row in counts.items()]
    yield from table([("expected", *columns), *rows])


def _answered(judged: tuple[Judged, ...]) -> tuple[str, str]:
    answered = sum(one.is_answered for one in judged)
    return str(answered), str(len(judged) - answered)


def _words(what: str, share: float | None, n: int) -> str:
    return f"  {what}: {'not measured' if share is None else f'median {share:.2f}'} (n = {n})"


def _three(metric: Metric) -> str:
    return "not measured" if metric.value is None else f"{metric.value:.3f}"


def _bounds(metric: Metric) -> str:
    return "" if metric.low is None or metric.high is None else f"[{metric.low:.3f}, {metric.high:.3f}]"


def _count(metric: Metric) -> str:
    return f"{round((metric.value or 0) * metric.n)} of {metric.n}"


def _of(metric: Metric) -> str:
    if metric.value is None:
        return f"not measured: {metric.reason}"
    return f"{metric.value:.3f} ({_count(metric)})"
