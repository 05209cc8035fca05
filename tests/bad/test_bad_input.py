"""Bad input is refused: the whole message, exit status 1, nothing on standard output, and the site as it was."""

import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from foregone.cli import main
from tiny_corpus import TEXTS, edit, manifest, run

BUILD = ("build",)
IMPORT = ("draft", "import", "PROJECT/reply.json")


@dataclass(frozen=True, slots=True)
class Bad:
    """One bad input and what is said of it."""

    damage: Callable[[Path], object]
    """Makes the project in a folder bad."""
    message: str
    """All of standard error; PROJECT is the project's folder, VERSION that of its index."""
    command: tuple[str, ...] = BUILD


def pin(root: Path, texts: dict[str, str], encoding: str = "utf-8") -> None:
    """Put these texts in the place of the corpus, each pinned as it is."""
    pins = manifest(texts)
    for document, text in texts.items():
        content = text.encode(encoding)
        (root / f"corpus/sources/{document}.txt").write_bytes(content)
        pins = pins.replace(f"bytes: {len(text.encode())}\n", f"bytes: {len(content)}\n")
        pins = pins.replace(hashlib.sha256(text.encode()).hexdigest(), hashlib.sha256(content).hexdigest())
    (root / "corpus/manifest.yaml").write_text(pins, encoding="utf-8")


def pin_and_index(root: Path, texts: dict[str, str]) -> None:
    pin(root, texts)
    run("index", "build", "--project", str(root))


def reply(root: Path, section: str, question: str = "lid") -> None:
    claim = {"text": "A cup sings.", "kind": "finding", "section": section, "quote": "A cup sings."}
    value = {"question": question, "outcome": "answered", "claims": [claim]}
    (root / "reply.json").write_text(json.dumps(value, indent=1), encoding="utf-8")


def flip_byte(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-2] ^= 1
    path.write_bytes(content)


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def index_folder(root: Path) -> Path:
    return next(root.glob("corpus/index/*"))


def own_template(root: Path) -> None:
    shutil.copytree("site_templates", root / "site_templates")
    (root / "site_templates/404.html.jinja").write_text("{{ nobody }}", encoding="utf-8")


def replace_site_by_file(root: Path) -> None:
    shutil.rmtree(root / "dist")
    (root / "dist").write_text("mine", encoding="utf-8")


def fill_by_hand(root: Path) -> None:
    shutil.rmtree(root / "dist")
    (root / "dist").mkdir()
    (root / "dist/letter.txt").write_text("mine", encoding="utf-8")


BAD: dict[str, Bad] = {
    "corpus-byte-flipped": Bad(
        lambda root: flip_byte(root / "corpus/sources/kettle.txt"),
        "error[pin-mismatch]: PROJECT/corpus/sources/kettle.txt does not match its pin\n"
        "  --> PROJECT/corpus/manifest.yaml:20\n"
        "  expected sha256:6d860af00102bb931f5530add592302a0d419a3b1b15c1d57902f5653b454bca  (1,245 bytes)\n"
        "  found    sha256:3ac6d8cbf9d85f76c0db5b0545bf4a8c9f5420342b47c67ad8722c2a49dfd6b3  (1,245 bytes)\n"
        "  mend: delete the file and run `foregone corpus fetch`, or review the change and pin it in the manifest\n",
    ),
    "corpus-not-fetched": Bad(
        lambda root: (root / "corpus/sources/kettle.txt").unlink(),
        "error[not-fetched]: PROJECT/corpus/sources/kettle.txt is not there\n"
        "  --> PROJECT/corpus/manifest.yaml:20\n"
        "  mend: run `foregone corpus fetch`\n",
    ),
    "corpus-not-utf8": Bad(
        lambda root: pin(root, {"teapot": TEXTS["teapot"].removeprefix("\ufeff")}, "latin-1"),
        "error[not-utf8]: PROJECT/corpus/sources/teapot.txt is not UTF-8 text\n"
        "  --> PROJECT/corpus/sources/teapot.txt:4\n"
        "  byte 71 is 0xeb: invalid continuation byte\n"
        "  mend: save the file as UTF-8\n",
    ),
    "corpus-without-documents": Bad(
        lambda root: (root / "corpus/manifest.yaml").write_text(manifest({}).replace("documents:", "documents: []")),
        "error[empty-corpus]: the manifest lists 0 documents\n"
        "  --> PROJECT/corpus/manifest.yaml:4\n"
        "  expected 1 to 10,000\n"
        "  mend: list the documents that the site answers from\n",
    ),
    "corpus-without-sections": Bad(
        lambda root: pin(root, {"cups": "There is no heading here.\n"}),
        "error[empty-corpus]: the corpus has no section with text\n"
        "  --> PROJECT/corpus/manifest.yaml\n"
        "  0 headings in 1 documents\n"
        "  mend: pin documents that the chosen parser can cut into sections\n",
    ),
    "manifest-key-missing": Bad(
        lambda root: edit(root / "corpus/manifest.yaml", "    title: The cups\n", ""),
        "error[missing-key]: documents[0] has no 'title'\n  --> PROJECT/corpus/manifest.yaml:5\n  mend: add 'title'\n",
    ),
    "settings-malformed": Bad(
        lambda root: edit(root / "foregone.yaml", "site:\n", "site: [\n"),
        "error[yaml-syntax]: PROJECT/foregone.yaml cannot be parsed\n"
        "  --> PROJECT/foregone.yaml:3\n"
        "  expected ',' or ']', but got ':'\n"
        "  mend: correct the file at this line\n",
    ),
    "settings-key-unknown": Bad(
        lambda root: edit(root / "foregone.yaml", "  title:", "  tilte: x\n  title:"),
        "error[unknown-key]: site has an unknown key 'tilte'\n"
        "  --> PROJECT/foregone.yaml:2\n"
        "  known keys: title, url\n"
        "  mend: remove the key or correct its spelling\n",
    ),
    "thresholds-key-missing": Bad(
        lambda root: edit(root / "eval/thresholds.yaml", "  max_work: 5000\n", ""),
        "error[missing-key]: budget has no 'max_work'\n  --> PROJECT/eval/thresholds.yaml:1\n  mend: add 'max_work'\n",
    ),
    "questions-malformed": Bad(
        lambda root: edit(root / "eval/questions.yaml", '    why: "The', '\twhy: "The'),
        "error[yaml-syntax]: PROJECT/eval/questions.yaml cannot be parsed\n"
        "  --> PROJECT/eval/questions.yaml:19\n"
        "  found character '\\t' that cannot start any token\n"
        "  mend: correct the file at this line\n",
    ),
    "questions-empty": Bad(
        lambda root: (root / "eval/questions.yaml").write_text("format: 1\nquestions: []\n"),
        "error[no-questions]: the question set has 0 questions\n"
        "  --> PROJECT/eval/questions.yaml:2\n"
        "  expected 1 to 100,000\n"
        "  mend: write at least one question\n",
    ),
    "question-of-unknown-section": Bad(
        lambda root: edit(root / "eval/questions.yaml", "[kettle#1]", "[kettle#7]"),
        "error[unknown-section]: questions[1].sections[0] is 'kettle#7'\n"
        "  --> PROJECT/eval/questions.yaml:13\n"
        "  the corpus has no such section with text\n"
        "  mend: `foregone corpus sections` lists them\n",
    ),
    "draft-malformed": Bad(
        lambda root: truncate(root / "eval/drafts/lid.json"),
        "error[json-syntax]: PROJECT/eval/drafts/lid.json cannot be parsed\n"
        "  --> PROJECT/eval/drafts/lid.json:57\n"
        "  Unterminated string starting at in column 4\n"
        "  mend: correct the file at this line\n",
    ),
    "draft-of-unknown-question": Bad(
        lambda root: shutil.copy(root / "eval/drafts/lid.json", root / "eval/drafts/tap.json"),
        "error[unknown-question]: PROJECT/eval/drafts/tap.json is a draft for an unknown question\n"
        "  --> PROJECT/eval/drafts/tap.json\n"
        "  the question set has no 'tap'\n"
        "  mend: remove the file, or restore the question\n",
    ),
    "draft-missing": Bad(
        lambda root: (root / "eval/drafts/lid.json").unlink(),
        "error[no-draft]: 1 questions have no draft\n"
        "  --> PROJECT/eval/drafts\n"
        "  lid\n"
        "  mend: `foregone draft export` writes their prompts, `foregone draft import` takes the replies\n",
    ),
    "draft-key-renamed": Bad(
        lambda root: edit(root / "eval/drafts/lid.json", '"outcome":', '"outcomes":'),
        "error[unknown-key]: the file has an unknown key 'outcomes'\n"
        "  --> PROJECT/eval/drafts/lid.json:4\n"
        "  known keys: attempts, claims, drafter, evidence, format, outcome, prompt, question, recorded, usage, versions\n"
        "  mend: remove the key or correct its spelling\n",
    ),
    "reply-citing-unknown-section": Bad(
        lambda root: reply(root, "cups#9"),
        "error[unknown-section]: claims[0].section is 'cups#9'\n"
        "  --> PROJECT/reply.json:8\n"
        "  the corpus has no such section with text\n"
        "  mend: cite a passage of the prompt by its id\n",
        IMPORT,
    ),
    "reply-citing-heading-alone": Bad(
        lambda root: reply(root, "cups#1"),
        "error[unknown-section]: claims[0].section is 'cups#1'\n"
        "  --> PROJECT/reply.json:8\n"
        "  the corpus has no such section with text\n"
        "  mend: cite a passage of the prompt by its id\n",
        IMPORT,
    ),
    "reply-to-unknown-question": Bad(
        lambda root: reply(root, "cups#1.2", "tap"),
        "error[unknown-question]: the reply answers an unknown question 'tap'\n"
        "  --> PROJECT/reply.json:2\n"
        "  mend: give the id of a question in eval/questions.yaml\n",
        IMPORT,
    ),
    "reply-malformed": Bad(
        lambda root: (root / "reply.json").write_text('{"question": "lid",\n "outcome" "answered"}'),
        "error[json-syntax]: PROJECT/reply.json cannot be parsed\n"
        "  --> PROJECT/reply.json:2\n"
        "  Expecting ':' delimiter in column 12\n"
        "  mend: correct the file at this line\n",
        IMPORT,
    ),
    "index-missing": Bad(
        lambda root: shutil.rmtree(root / "corpus/index"),
        "error[no-index]: the index is missing, so nothing can be retrieved\n"
        "  --> PROJECT/corpus/index\n"
        "  3 questions would be published as no_context\n"
        "  mend: run `foregone index build`, or publish that with `foregone build --allow-no-context`\n",
    ),
    "index-truncated": Bad(
        lambda root: truncate(index_folder(root) / "index.json"),
        "error[json-syntax]: PROJECT/corpus/index/VERSION/index.json cannot be parsed\n"
        "  --> PROJECT/corpus/index/VERSION/index.json:23\n"
        "  Expecting ',' delimiter in column 4\n"
        "  mend: correct the file at this line\n",
    ),
    "index-of-another-corpus": Bad(
        lambda root: pin(root, {**TEXTS, "cups": TEXTS["cups"].replace("90", "95")}),
        "error[index-stale]: the index VERSION is not of this corpus and these settings\n"
        "  --> PROJECT/corpus/index/VERSION\n"
        "  document cups has other bytes\n"
        "  bm25: its chunks differ\n"
        "  mend: run `foregone index build`, or take the change back\n",
    ),
    "index-of-other-settings": Bad(
        lambda root: edit(root / "foregone.yaml", "chunk_words: 40", "chunk_words: 50"),
        "error[index-stale]: the index VERSION is not of this corpus and these settings\n"
        "  --> PROJECT/corpus/index/VERSION\n"
        "  bm25: size is 50, the index has 40\n"
        "  mend: run `foregone index build`, or take the change back\n",
    ),
    "index-of-another-version": Bad(
        lambda root: index_folder(root).rename(root / "corpus/index/0123456789ab"),
        "error[index-stale]: the index 0123456789ab is not of this corpus and these settings\n"
        "  --> PROJECT/corpus/index/0123456789ab\n"
        "  the folder is named 0123456789ab, its content is VERSION\n"
        "  mend: run `foregone index build`, or take the change back\n",
    ),
    "token-in-settings": Bad(
        lambda root: edit(root / "foregone.yaml", "Kitchen answers", "A 0release0id0"),
        "error[release-token]: PROJECT/foregone.yaml holds the text 0release0id0\n"
        "  --> PROJECT/foregone.yaml\n"
        "  pages hold it in the place of their release's id, so no input may\n"
        "  mend: write it in another way\n",
    ),
    "token-in-manifest": Bad(
        lambda root: edit(root / "corpus/manifest.yaml", "The kitchen", "0release0id0"),
        "error[release-token]: PROJECT/corpus/manifest.yaml holds the text 0release0id0\n"
        "  --> PROJECT/corpus/manifest.yaml\n"
        "  pages hold it in the place of their release's id, so no input may\n"
        "  mend: write it in another way\n",
    ),
    "token-in-question": Bad(
        lambda root: edit(root / "eval/questions.yaml", "Which colour", "Which 0release0id0"),
        "error[release-token]: question colour holds the text 0release0id0\n"
        "  --> PROJECT/eval/questions.yaml\n"
        "  pages hold it in the place of their release's id, so no input may\n"
        "  mend: write it in another way\n",
    ),
    "token-in-draft": Bad(
        lambda root: edit(root / "eval/drafts/lid.json", "below 95", "below 0release0id0"),
        "error[release-token]: PROJECT/eval/drafts/lid.json holds the text 0release0id0\n"
        "  --> PROJECT/eval/drafts/lid.json\n"
        "  pages hold it in the place of their release's id, so no input may\n"
        "  mend: write it in another way\n",
    ),
    "token-in-corpus": Bad(
        lambda root: pin_and_index(root, {**TEXTS, "cups": TEXTS["cups"].replace("Saucers", "0release0id0")}),
        "error[release-token]: section cups#A holds the text 0release0id0\n"
        "  --> PROJECT/corpus/sources/cups.txt\n"
        "  pages hold it in the place of their release's id, so no input may\n"
        "  mend: write it in another way\n",
    ),
    "token-escaped-in-yaml": Bad(
        lambda root: edit(root / "eval/questions.yaml", "Which colour", r"Which 0r\x65lease0id0"),
        "error[release-token]: question colour holds the text 0release0id0\n"
        "  --> PROJECT/eval/questions.yaml\n"
        "  pages hold it in the place of their release's id, so no input may\n"
        "  mend: write it in another way\n",
    ),
    "token-escaped-in-json": Bad(
        lambda root: edit(root / "eval/drafts/lid.json", "below 95", r"below 0r\u0065lease0id0"),
        "error[release-token]: PROJECT/eval/drafts/lid.json holds the text 0release0id0\n"
        "  --> PROJECT/eval/drafts/lid.json\n"
        "  pages hold it in the place of their release's id, so no input may\n"
        "  mend: write it in another way\n",
    ),
    "template-of-unknown-value": Bad(
        own_template,
        "error[template-failed]: the template 404.html.jinja cannot be rendered for 404.html\n"
        "  --> 404.html.jinja:1\n"
        "  'nobody' is undefined\n"
        "  mend: correct the template\n",
    ),
    "site-is-a-file": Bad(
        replace_site_by_file,
        "error[foreign-folder]: PROJECT/dist is not a folder\n  --> PROJECT/dist\n  mend: move what is there\n",
    ),
    "site-is-a-foreign-folder": Bad(
        fill_by_hand,
        "error[foreign-folder]: PROJECT/dist holds files that are not a site of ours\n"
        "  --> PROJECT/dist\n"
        "  it is not empty and has neither site.json nor v/\n"
        "  mend: move what is there, or delete the folder\n",
    ),
}
"""Reason -> the input."""


@pytest.mark.parametrize("reason", BAD)
def test_bad_input_is_refused_and_the_site_stays_as_it_was(
    reason: str, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad, version = BAD[reason], index_folder(site).name
    bad.damage(site)
    before = contents(site)
    capsys.readouterr()

    status = main([*(part.replace("PROJECT", str(site)) for part in bad.command), "--project", str(site)])

    printed = capsys.readouterr()
    message = printed.err.replace(str(site), "PROJECT").replace(version, "VERSION")
    assert (status, printed.out, message) == (1, "", bad.message)
    assert contents(site) == before


def contents(root: Path) -> dict[str, bytes]:
    """The site and the drafts."""
    files = [*root.glob("dist"), *root.rglob("dist/**/*"), *root.glob("eval/drafts/*")]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files if path.is_file()}


def test_a_committed_draft_whose_section_vanished_is_withdrawn_and_not_refused(project: Path) -> None:
    edit(project / "eval/drafts/whistle.json", '"section": "kettle#2"', '"section": "kettle#7"')

    run("build", "--project", str(project))

    answer = json.loads((project / "dist/api/v1/answers/whistle.json").read_text("utf-8"))
    broken = [rule["rule"] for rule in answer["claims"][0]["rules"] if rule["outcome"] == "fail"]
    assert (answer["state"], broken) == (
        "unsupported",
        ["citation_unknown", "citation_not_retrieved", "quote_not_found"],
    )
