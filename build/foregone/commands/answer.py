"""`foregone answer <id>`: one answer as a person reads it."""

import textwrap
import time
from argparse import Namespace

from foregone.commands.output import say, say_json
from foregone.corpus.corpus import Corpus
from foregone.corpus.sentences import plain
from foregone.decide.answer import Answer
from foregone.errors import Misused
from foregone.ground.outcome import GroundedClaim
from foregone.pipeline import answer_questions
from foregone.progress import Progress
from foregone.project import load_project
from foregone.render.answer_json import answer_value
from foregone.render.views import view_state
from foregone.workers import Workers

WIDTH = 100


def answer(arguments: Namespace) -> int:
    """Print the answer of one question."""
    project = load_project(arguments.project)
    with Progress("answering") as progress:
        answered = answer_questions(project, time.monotonic, Workers(1, progress.advance), progress.step)
    found = answered.answers.get(arguments.question)
    if found is None:
        raise Misused(
            "unknown-question", f"there is no question {arguments.question!r}", mend="see eval/questions.yaml"
        )
    if arguments.json:
        say_json(answer_value(found, answered.inputs.corpus))
        return 0
    for line in answer_lines(found, answered.inputs.corpus, with_quotes=not arguments.no_quotes):
        say(line)
    return 0


def answer_lines(answer: Answer, corpus: Corpus, *, with_quotes: bool) -> list[str]:
    """The answer in lines; without quotes it holds no word of the corpus but names."""
    state = view_state(answer.state)
    lines = [answer.question.text, "", f"{state.symbol} {state.word}: {state.definition}"]
    claims = answer.grounded.claims if answer.grounded else ()
    kept = [claim for claim in claims if claim.verdict == "supported"]
    withdrawn = [claim for claim in claims if claim.verdict == "withdrawn"]
    for claim in kept:
        lines += ["", *_claim_lines(claim, corpus, with_quotes=with_quotes)]
    if withdrawn:
        lines += ["", "Withdrawn:"]
    for claim in withdrawn:
        lines += ["", *_claim_lines(claim, corpus, with_quotes=with_quotes)]
        broken = (rule for rule in claim.rules if rule.outcome == "fail")
        lines += [line for rule in broken for line in _wrap(f"{rule.rule}: {rule.message}", "    ", "      ")]
    claimed = f"{len(kept)} claims kept, {len(withdrawn)} withdrawn"
    read = f"{len(answer.passages)} passages read, {len(answer.cited)} cited"
    lines += [
        "",
        f"{claimed}; {read}; index {answer.index_version or 'missing'}",
    ]
    return lines


def _claim_lines(claim: GroundedClaim, corpus: Corpus, *, with_quotes: bool) -> list[str]:
    section = corpus.by_id.get(claim.section)
    lines = [*_wrap(claim.text, "  - ", "    "), f"    [{section.heading if section else claim.section}]"]
    if with_quotes and section and claim.span:
        lines += _wrap(f'"{plain(section.text[slice(*claim.span)])}"', "    > ", "    > ")
    return lines


def _wrap(text: str, first: str, rest: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )
