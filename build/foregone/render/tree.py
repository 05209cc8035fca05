"""The tree of a release: every file under `/v/<release>/` but its manifest."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from foregone.corpus.corpus import Corpus
from foregone.decide.answer import Answer
from foregone.decide.state import STATES, State
from foregone.ground.outcome import GroundedClaim
from foregone.render.answer_json import answer_value, json_bytes, questions_value, section_value
from foregone.render.pages import SiteFacts, load_templates, render_page
from foregone.render.views import ListedView, view_answer, view_listed, view_section, view_state

SCHEMAS = (
    "answer",
    "answer-results",
    "comparison",
    "current",
    "draft",
    "gate",
    "index",
    "manifest",
    "questions",
    "retrieval-results",
    "section",
    "site",
)
Batches = Callable[
    [Callable[[tuple[str, ...]], dict[str, "TreeFile"]], tuple[str, ...]], Iterable[dict[str, "TreeFile"]]
]
"""Applies a function to batches of ids, in one process or in several; results in order."""


@dataclass(frozen=True, slots=True)
class TreeFile:
    """One file of a release."""

    content: bytes
    """Pages hold the release token in the place of the release's id."""
    names_release: bool
    """Whether the release's id is put in when the file is written."""


@dataclass(frozen=True, slots=True)
class Site:
    """All that is rendered."""

    facts: SiteFacts
    corpus: Corpus
    answers: Mapping[str, Answer]
    """Question id -> answer, in the order of the set."""
    templates: Path
    """Folder."""

    @property
    def cited_by(self) -> dict[str, tuple[tuple[str, str], ...]]:
        """Section id -> id and text of each question whose kept claims cite it, for every passage that was read."""
        cited: dict[str, list[tuple[str, str]]] = {}
        for answer in self.answers.values():
            for passage in answer.passages:
                cited.setdefault(passage.section, [])
                if passage.section in answer.cited:
                    cited[passage.section].append((answer.question.id, answer.question.text))
        for section in self._cited_only():
            cited.setdefault(section, [])
        return {section: tuple(entries) for section, entries in sorted(cited.items())}

    def _cited_only(self) -> Iterable[str]:
        claims = (claim for answer in self.answers.values() for claim in _claims(answer))
        return (claim.section for claim in claims if self._has_text(claim.section))

    def _has_text(self, section: str) -> bool:
        return section in self.corpus.by_id and self.corpus.by_id[section].text != ""


def render_tree(site: Site, batches: Batches) -> dict[str, TreeFile]:
    """Path from the root of the tree -> file, sorted by path."""
    tree: dict[str, TreeFile] = {}
    cited_by = site.cited_by
    for part in batches(AnswerFiles(site), tuple(site.answers)):
        tree |= part
    for part in batches(SectionFiles(site, cited_by), tuple(cited_by)):
        tree |= part
    tree |= _shared_files(site)
    return dict(sorted(tree.items()))


@dataclass(frozen=True, slots=True)
class AnswerFiles:
    """Renders the answers of a batch of question ids; it can be sent to another process."""

    site: Site

    def __call__(self, ids: tuple[str, ...]) -> dict[str, TreeFile]:
        """Path -> file."""
        templates = load_templates(self.site.templates)
        tree = {}
        for question in ids:
            answer = self.site.answers[question]
            tree[f"api/v1/answers/{question}.json"] = _data(answer_value(answer, self.site.corpus))
            path, view = f"q/{question}/index.html", view_answer(answer, self.site.corpus)
            page = render_page(templates, self.site.facts, "question.html.jinja", path, answer.status, answer=view)
            tree[path] = TreeFile(page, names_release=True)
        return tree


@dataclass(frozen=True, slots=True)
class SectionFiles:
    """Renders the sections of a batch of section ids; it can be sent to another process."""

    site: Site
    cited_by: Mapping[str, tuple[tuple[str, str], ...]]

    def __call__(self, ids: tuple[str, ...]) -> dict[str, TreeFile]:
        """Path -> file."""
        templates = load_templates(self.site.templates)
        tree = {}
        for section_id in ids:
            section, cited_by = self.site.corpus.by_id[section_id], self.cited_by[section_id]
            value = section_value(section, self.site.corpus, tuple(question for question, _ in cited_by))
            tree[f"api/v1/sections/{section.document}/{section.number}.json"] = _data(value)
            path, view = (
                f"s/{section.document}/{section.number}/index.html",
                view_section(section, self.site.corpus, cited_by),
            )
            page = render_page(templates, self.site.facts, "section.html.jinja", path, 200, section=view)
            tree[path] = TreeFile(page, names_release=True)
        return tree


def count_states(answers: Iterable[Answer]) -> dict[State | None, int]:
    """State -> answers in it, every state named; None: abandoned."""
    counts: dict[State | None, int] = dict.fromkeys((*STATES, None), 0)
    for answer in answers:
        counts[answer.state] += 1
    return counts


def schema_bytes(name: str) -> bytes:
    """The JSON Schema of one kind of document, as it is published."""
    return (files("foregone.render") / "schema" / f"{name}.schema.json").read_bytes()


def _shared_files(site: Site) -> dict[str, TreeFile]:
    templates = load_templates(site.templates)
    answers = tuple(site.answers.values())
    questions = questions_value(answers, site.facts.index_version, site.facts.corpus_title)
    index = render_page(
        templates,
        site.facts,
        "index.html.jinja",
        "index.html",
        200,
        questions=answers,
        states=[(view_state(state), count) for state, count in count_states(answers).items()],
        topics=_by_topic(answers),
    )
    not_found = render_page(templates, site.facts, "404.html.jinja", "404.html", 404)
    return {
        "index.html": TreeFile(index, names_release=True),
        "404.html": TreeFile(not_found, names_release=True),
        "api/v1/questions.json": _data(questions),
        templates.style.path: TreeFile(templates.style.content, names_release=False),
        **{f"api/v1/schema/{name}.schema.json": TreeFile(schema_bytes(name), names_release=False) for name in SCHEMAS},
    }


def _by_topic(answers: tuple[Answer, ...]) -> list[tuple[str, list[ListedView]]]:
    topics: dict[str, list[ListedView]] = {}
    for answer in answers:
        topics.setdefault(answer.question.topic, []).append(view_listed(answer))
    return sorted(topics.items())


def _data(value: dict[str, object]) -> TreeFile:
    return TreeFile(json_bytes(value), names_release=False)


def _claims(answer: Answer) -> Iterable[GroundedClaim]:
    return answer.grounded.claims if answer.grounded else ()
