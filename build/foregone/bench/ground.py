"""`make bench-ground`: how long the check takes, and what tokenising each section once saves."""

import time
from dataclasses import replace
from pathlib import Path

from foregone.bench.stopwatch import Times
from foregone.commands.output import say
from foregone.draft.draft import Draft, load_drafts
from foregone.ground.check import Passages, ground_draft, read_passages
from foregone.ground.words import read_section
from foregone.pipeline import Inputs, read_inputs
from foregone.project import Project, load_project

ROUNDS = 3


def main() -> None:
    """Print grounding times per question, both ways in turn so that they meet the same load."""
    project = load_project(Path())
    inputs = read_inputs(project, lambda _: None)
    drafts = load_drafts(project.drafts, [question.id for question in inputs.questions.questions])
    passages = read_passages(inputs.corpus, (claim.section for draft in drafts.values() for claim in draft.claims))
    with_once, with_again = [], []
    for _ in range(ROUNDS):
        for draft in drafts.values():
            with_once.append(_time_once(project, inputs, draft, passages))
            with_again.append(_time_again(project, inputs, draft, passages))
    first, second = Times(tuple(with_once)), Times(tuple(with_again))
    say(f"{len(drafts)} questions, {sum(len(draft.claims) for draft in drafts.values())} claims, {ROUNDS} rounds")
    say(f"grounding one question, sections tokenised once:     {first.in_words()}")
    say(f"the same, tokenised again for every claim's section: {second.in_words()}")
    say(f"ratio of the sums: {sum(second.seconds) / sum(first.seconds):.1f}")


def _time_once(project: Project, inputs: Inputs, draft: Draft, passages: Passages) -> float:
    start = time.perf_counter()
    _ground(project, inputs, draft, passages)
    return time.perf_counter() - start


def _time_again(project: Project, inputs: Inputs, draft: Draft, passages: Passages) -> float:
    start = time.perf_counter()
    for claim in draft.claims:
        words = {claim.section: read_section(inputs.corpus.by_id[claim.section])}
        _ground(project, inputs, replace(draft, claims=(claim,)), replace(passages, words=words))
    return time.perf_counter() - start


def _ground(project: Project, inputs: Inputs, draft: Draft, passages: Passages) -> None:
    ground_draft(
        draft,
        inputs.retrieved[draft.question].evidence_ids,
        passages,
        min_coverage=project.settings.rules.min_coverage,
        budget=project.thresholds.budget,
        clock=time.monotonic,
    )


if __name__ == "__main__":
    main()
