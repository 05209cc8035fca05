"""A prompt holds instructions, question and evidence, and nothing else; its wording is fixed by its version."""

import pytest

from foregone.corpus.corpus import Corpus, load_corpus
from foregone.digest import digest_text
from foregone.draft.prompt import INSTRUCTIONS, PROMPT_VERSION, write_prompt
from foregone.retrieve.questions import Question
from tiny_corpus import write_sources

QUESTION = Question("pour", "How does a server pour?", "teapots", "how", ("teapot#1.1",), "any", state=None, why=None)
REPLY_FORM = """\
{
 "question": "the id of the question",
 "outcome": "answered | partly | not_answered",
 "claims": [
  {
   "text": "One fact in your own words.",
   "kind": "finding | step | setting | definition",
   "parts": {
    "name": "as in text",
    "value": "as in text"
   },
   "section": "the id of the section, e.g. guide#4.2",
   "quote": "The whole sentence that supports it, letter by letter."
  }
 ]
}
"""
POUR = """
## Question `pour`

How does a server pour?

## Passages

### teapot#1.1
1 Introduction > 1.1 Pouring

A server pours with the Lid-State field set to shut.  The spout drips
if the Lid-State field is absent.

### cups#A
A Changes

Saucers were removed.
"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    root = tmp_path_factory.mktemp("kitchen")
    write_sources(root)
    return load_corpus(root / "corpus/manifest.yaml")


def test_a_prompt_is_instructions_form_question_and_passages(corpus: Corpus) -> None:
    prompt = write_prompt(corpus, QUESTION, ("teapot#1.1", "cups#A"))

    assert prompt.text == f"{INSTRUCTIONS}\n{REPLY_FORM}{POUR}"


def test_a_prompt_without_passages_ends_with_the_heading(corpus: Corpus) -> None:
    assert write_prompt(corpus, QUESTION, ()).text.endswith("How does a server pour?\n\n## Passages\n")


def test_the_digest_of_a_prompt_is_that_of_its_text(corpus: Corpus) -> None:
    prompt = write_prompt(corpus, QUESTION, ("cups#A",))

    assert (prompt.question, prompt.digest) == ("pour", digest_text(prompt.text))


def test_other_instructions_need_another_version() -> None:
    assert (PROMPT_VERSION, digest_text(INSTRUCTIONS + REPLY_FORM)[:19]) == ("1", "sha256:478216cec793")
