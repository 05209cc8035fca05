"""`foregone draft export|import|show`."""

import datetime as dt
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from foregone.commands.output import note, say
from foregone.corpus.overlap import corpus_runs
from foregone.corpus.sentences import plain
from foregone.digest import digest_bytes
from foregone.draft.draft import DraftClaim, Drafter, draft_json, draft_path, load_draft
from foregone.draft.prompt import Prompt, write_prompt
from foregone.draft.quotes import locate_quote
from foregone.draft.reply import Asked, ImportedDraft, import_reply
from foregone.errors import Misused, Refused
from foregone.files import read_bytes, write_atomically
from foregone.located import Located, load_json
from foregone.pipeline import Inputs, read_inputs
from foregone.progress import Progress
from foregone.project import Project, load_project
from foregone.retrieve.questions import Question


def export(arguments: Namespace) -> int:
    """Write the prompts of questions, for somebody to answer."""
    project, inputs = _read(arguments)
    folder = arguments.out or project.prompts
    for question in _chosen(inputs, arguments.question):
        prompt = _prompt(inputs, question)
        path = folder / f"{question.id}.md"
        write_atomically(path, prompt.text.encode())
        say(str(path))
    return 0


def import_replies(arguments: Namespace) -> int:
    """Take replies in; nothing is written unless every one of them can be."""
    project, inputs = _read(arguments)
    runs = corpus_runs(inputs.corpus.indexed)
    drafter = Drafter("imported", arguments.drafter, arguments.model)
    recorded = arguments.date or dt.datetime.now(tz=dt.UTC).date().isoformat()
    imported: list[ImportedDraft] = []
    if not all(text.strip() and text.isprintable() for text in (arguments.drafter, arguments.model or "-")):
        raise Misused("blank-text", "--drafter or --model says nothing", mend="say who wrote the replies, in words")
    for path in arguments.file:
        reply = load_json(path, mend="name a file that holds a reply")
        question = _question_of(reply, inputs)
        if any(one.draft.question == question.id for one in imported):
            raise Misused("two-replies", f"two replies answer {question.id!r}", mend="import one of them")
        evidence = inputs.retrieved[question.id].evidence_ids
        asked = Asked(_prompt(inputs, question), evidence, drafter, recorded)
        _refuse_other_prompt(asked.prompt, arguments.prompts, project)
        imported.append(import_reply(reply, inputs.corpus, runs, asked))
    for one in imported:
        path = draft_path(project.drafts, one.draft.question)
        write_atomically(path, draft_json(one.draft).encode())
        for line in one.notes:
            note(line)
        say(f"{path}: {one.draft.outcome}, {len(one.draft.claims)} claims")
    return 0


def show(arguments: Namespace) -> int:
    """Print a draft with the words of its quotes, which the repository does not hold."""
    project, inputs = _read(arguments)
    for question in _chosen(inputs, [arguments.question]):
        draft = load_draft(draft_path(project.drafts, question.id), question.id)
        say(f"{question.text}")
        say(f"{draft.outcome}, drafted by {draft.drafter.name}, recorded {draft.recorded}")
        for number, claim in enumerate(draft.claims, start=1):
            say()
            for line in _claim_lines(number, claim, inputs):
                say(line)
    return 0


def _claim_lines(number: int, claim: DraftClaim, inputs: Inputs) -> list[str]:
    section = inputs.corpus.by_id.get(claim.section)
    span = locate_quote(section, claim.quote) if section and claim.quote else None
    if section and span:
        quote = f'"{plain(section.text[slice(*span)])}"'
    else:
        quote = "(no quote)" if claim.quote is None else f"(a quote that was not found: {claim.quote.missing})"
    return [f"c{number} {claim.text or '(the quote itself)'}", f"   {claim.section}: {quote}"]


def _read(arguments: Namespace) -> tuple[Project, Inputs]:
    project = load_project(arguments.project)
    with Progress("reading") as progress:
        inputs = read_inputs(project, progress.step)
    if inputs.index is None:
        raise Refused(
            "no-index",
            "the index is missing, so there are no passages to draft from",
            where=str(project.index_root),
            mend="run `foregone index build`",
        )
    return project, inputs


def _chosen(inputs: Inputs, ids: Sequence[str]) -> list[Question]:
    by_id = {question.id: question for question in inputs.questions.questions}
    for name in ids:
        if name not in by_id:
            raise Misused("unknown-question", f"there is no question {name!r}", mend="see eval/questions.yaml")
    return [by_id[name] for name in ids] if ids else list(by_id.values())


def _question_of(reply: Located, inputs: Inputs) -> Question:
    field = reply.mapping(required=("question", "outcome", "claims"))["question"]
    found = next((question for question in inputs.questions.questions if question.id == field.string()), None)
    if found is None:
        field.refuse(
            "unknown-question",
            f"the reply answers an unknown question {field.value!r}",
            mend="give the id of a question in eval/questions.yaml",
        )
    return found


def _refuse_other_prompt(prompt: Prompt, folder: Path | None, project: Project) -> None:
    """Refused where the exported prompt is not the one that the draft would be recorded with.

    A reply does not say what it answers but the question's id, so the prompt that was exported is looked at, where it
    is there; in a folder that was named it must be.
    """
    path = (folder or project.prompts) / f"{prompt.question}.md"
    if folder is None and not path.exists():
        return
    exported = digest_bytes(read_bytes(path, mend="name the folder that the prompts were exported into"))
    if exported != prompt.digest:
        raise Refused(
            "other-prompt",
            f"the exported prompt of {prompt.question} is not the one of today",
            where=str(path),
            why=(f"today's is {prompt.digest}", f"found      {exported}"),
            mend=f"question, passages or instructions have changed: `foregone draft export {prompt.question}`, "
            "and have that answered",
        )


def _prompt(inputs: Inputs, question: Question) -> Prompt:
    return write_prompt(inputs.corpus, question, inputs.retrieved[question.id].evidence_ids)
