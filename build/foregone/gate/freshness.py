"""Checks of freshness: index, question vectors, drafts and results are of the inputs that stand beside them.

There is no threshold here: a thing is of its inputs or it is not.
"""

import json
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from foregone.draft.draft import Draft, draft_path
from foregone.draft.prompt import Prompt
from foregone.evaluation import Evaluation
from foregone.gate.observation import Observation, Unmeasured, measured
from foregone.gate.verdict import Verdict, judge
from foregone.measure.results import results_bytes
from foregone.pipeline import Answered

LONGEST = 60
"""Characters of a value that is shown."""
SHOWN = 3
"""Questions whose difference is shown."""


def check_index(seen: Observation) -> Iterator[Verdict]:
    """The vectors are of this corpus and these settings."""
    status = seen.index
    wanted = status.wanted or f"a version that cannot be told here ({status.untold})"
    yield judge(
        "index-fresh",
        ok=not status.changes,
        measured=status.committed or "missing",
        limit=status.committed if not status.changes else wanted,
        where=str(seen.project.index_root),
        why=(*status.changes, f"a rebuild gives {wanted}"),
        mend="run `foregone index build`, or take the change back",
    )


def check_questions(seen: Observation) -> Iterator[Verdict]:
    """The question vectors are of this question set."""
    path = seen.question_vectors
    fresh = path is None or path.exists()
    yield judge(
        "questions-fresh",
        ok=fresh,
        measured="as asked" if fresh else "of other questions",
        limit="as asked",
        where=str(seen.project.questions),
        why=("the question set, or the embedder, has changed since its vectors were made", f"there is no {path}"),
        mend="run `foregone index build`",
    )


def check_drafts(seen: Observation) -> Iterator[Verdict]:
    """Every draft was written from the passages that are retrieved now, to the question as it reads now."""
    yield from measured("drafts-fresh", seen.answered, partial(_drafts, seen))


def check_results(seen: Observation) -> Iterator[Verdict]:
    """The results files in the repository say what is measured now."""
    for name in seen.committed:
        yield from measured(f"results/{name}", seen.evaluation, partial(_results, seen, name))


def _drafts(seen: Observation, answered: Answered) -> Verdict:
    prompts = seen.prompts
    assert not isinstance(prompts, Unmeasured)
    reasons = {name: _stale(answered, draft, prompts[name]) for name, draft in answered.drafts.items()}
    stale = {name: why for name, why in reasons.items() if why}
    drafts = seen.project.drafts
    return judge(
        "drafts-fresh",
        ok=not stale,
        measured=len(stale),
        limit=0,
        where=str(draft_path(drafts, next(iter(stale)))) if stale else str(drafts),
        why=tuple(f"{name}: {why}" for name, why in stale.items()),
        mend="`foregone draft export <question>`, have the prompt answered, `foregone draft import <reply>`",
    )


def _stale(answered: Answered, draft: Draft, prompt: Prompt) -> str:
    """Why the draft is not of this prompt; empty where it is."""
    inputs = answered.inputs
    now = {section: inputs.corpus.by_id[section].digest for section in inputs.retrieved[draft.question].evidence_ids}
    then = draft.evidence
    parts = {
        "no longer retrieved": [name for name in then if name not in now],
        "now retrieved": [name for name in now if name not in then],
        "changed": [name for name in then if name in now and now[name] != then[name]],
    }
    words = "; ".join(f"{words}: {', '.join(names)}" for words, names in parts.items() if names)
    if words:
        return f"written against other passages ({words})"
    return "" if draft.prompt_digest == prompt.digest else "the prompt reads differently now"


def _results(seen: Observation, name: str, found: Evaluation) -> Verdict:
    path = seen.project.results / name
    committed, now = seen.committed[name], found.results[name]
    fresh = committed == results_bytes(now)
    return judge(
        f"results/{name}",
        ok=fresh,
        measured="as measured" if fresh else "missing" if committed is None else "other figures",
        limit="as measured",
        where=str(path),
        why=() if fresh else _differences(committed, now),
        mend="run `foregone eval` and commit what it wrote",
    )


def _differences(committed: bytes | None, now: Mapping[str, Any]) -> tuple[str, ...]:
    """What the file says otherwise: the first questions, then the first figure of the whole."""
    if committed is None:
        return ("there is no such file",)
    try:
        then = json.loads(committed)
    except (ValueError, RecursionError):
        return ("the file is not JSON",)
    found = list(_in_questions(then, now))
    more = [f"and {len(found) - SHOWN} questions more"] if len(found) > SHOWN else []
    whole = first_difference(_without_questions(then), _without_questions(now))
    return (*found[:SHOWN], *more, *([whole] if whole else [])) or ("the file is laid out differently",)


def _in_questions(then: Any, now: Mapping[str, Any]) -> Iterator[str]:  # noqa: ANN401 - JSON
    before, after = _by_id(then), _by_id(now)
    for name in dict.fromkeys((*before, *after)):
        if difference := first_difference(before.get(name), after.get(name), f"by_question[{name}]"):
            yield difference


def _by_id(value: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    entries = value.get("by_question") if isinstance(value, Mapping) else None
    known = [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
    return {str(entry.get("id")): entry for entry in known}


def _without_questions(value: Any) -> Any:  # noqa: ANN401 - JSON
    return {key: entry for key, entry in value.items() if key != "by_question"} if isinstance(value, Mapping) else value


def first_difference(then: Any, now: Any, trail: str = "") -> str:  # noqa: ANN401 - JSON
    """The first place where two JSON values differ, in words; empty where they do not.

    >>> first_difference({"n": [1, 2]}, {"n": [1, 3]})
    'n[1] is 2 in the file, 3 now'
    """
    if isinstance(then, dict) and isinstance(now, dict) and then.keys() == now.keys():
        steps = ((f"{trail}.{key}".removeprefix("."), then[key], now[key]) for key in now)
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        steps = (
            (f"{trail}[{place}]", before, after) for place, (before, after) in enumerate(zip(then, now, strict=True))
        )
    else:
        return "" if then == now else f"{trail or 'the whole'} is {_short(then)} in the file, {_short(now)} now"
    return next((found for name, before, after in steps if (found := first_difference(before, after, name))), "")


def _short(value: Any) -> str:  # noqa: ANN401 - JSON
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
