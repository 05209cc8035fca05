"""The prompt of a question: instructions, question and evidence, and nothing else.

Whoever answers it sees this text alone. Limits on the length of a reply are not part of it: they cannot change what
was asked.
"""

import json
from dataclasses import dataclass

from foregone.corpus.corpus import Corpus
from foregone.digest import Digest, digest_text
from foregone.draft.draft import CLAIM_KINDS, OUTCOMES
from foregone.retrieve.questions import Question

PROMPT_VERSION = "1"

INSTRUCTIONS = """\
# Answer one question from the passages below, and from nothing else

You are given a question and numbered sections of published documents. Write the answer as a list of claims.

- Use only what the passages say. What you know from elsewhere does not count, even where it is true.
- One fact a claim. A claim is a whole sentence that can be read and checked by itself: name its subject, no "it" or
  "this" that points to another claim. Leave out "the passage says" and "according to".
- Write in your own words: do not copy phrases. Keep exact only what must be exact: numbers, names of fields, methods,
  status codes, directives, grammar elements, quoted strings. If the passage says that something must, should or may be
  done, the claim says so with the same strength, and with the same conditions and exceptions.
- Each claim cites the one section that supports it best, by its id, and gives a quote: the whole sentence, or run of
  neighbouring sentences, of that section that supports the whole claim, copied letter by letter. Never join pieces
  that do not stand next to each other and never shorten with dots.
- Write as many claims as the question needs, the direct answer first, and no more: most answers take one to five.
- Declare the outcome: `answered` where the claims answer the question as it was asked; `partly` where the passages
  hold true and relevant statements that stop short of the answer; `not_answered` where they hold none. Where the
  outcome is `partly`, the claims say what the passages do say. Where it is `not_answered`, give what comes closest, or
  no claim at all.
- `kind` of a claim: `finding` for most; `step` where claims are steps to be done in order; `setting` where the claim
  gives the value of a named thing, then `parts` holds that name and that value as they are written in the text;
  `definition` where it says what a term means.

Reply with one JSON object and nothing else, in this form (`parts` is {} but for a setting):
"""

MODEL_REPLY = {
    "question": "the id of the question",
    "outcome": " | ".join(OUTCOMES),
    "claims": [
        {
            "text": "One fact in your own words.",
            "kind": " | ".join(CLAIM_KINDS),
            "parts": {"name": "as in text", "value": "as in text"},
            "section": "the id of the section, e.g. guide#4.2",
            "quote": "The whole sentence that supports it, letter by letter.",
        }
    ],
}


@dataclass(frozen=True, slots=True)
class Prompt:
    """An exported prompt."""

    question: str
    text: str

    @property
    def digest(self) -> Digest:
        """The digest of the text, recorded in the draft that answers it."""
        return digest_text(self.text)


def write_prompt(corpus: Corpus, question: Question, evidence: tuple[str, ...]) -> Prompt:
    """The prompt of `question` over the sections `evidence`, in their order."""
    parts = [
        INSTRUCTIONS,
        json.dumps(MODEL_REPLY, indent=1),
        f"\n## Question `{question.id}`\n\n{question.text}\n\n## Passages\n",
        *(_passage(corpus, section) for section in evidence),
    ]
    return Prompt(question.id, "\n".join(parts))


def _passage(corpus: Corpus, section_id: str) -> str:
    section = corpus.by_id[section_id]
    trail = " > ".join((*section.trail, f"{section.number} {section.title}"))
    return f"### {section.id}\n{trail}\n\n{section.text}\n"
