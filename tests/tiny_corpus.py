"""A three-document world of our own words, small enough to read: the project that most tests start from.

    root = write_project(tmp_path)              # corpus, index (BM25 alone), three questions, three drafts
    edit(root / "eval/questions.yaml", "whistle", "hiss")
    run("build", "--project", str(root))

`kettle` is paginated, with a note in a box, a list and a word broken at a line end; `teapot` is not, and begins with a
byte order mark; `cups` has a heading alone, an appendix and nothing to state but grammar in one section. The question
`whistle` is answered, `lid` is answered with one false claim, `colour` is not answered by the corpus.
"""

import hashlib
import json
from pathlib import Path

from foregone.cli import main

KETTLE = """\
Kitchen Working Group                                          A. Boiler
Request for Comments: 1                                       March 2020


                        The Kettle Protocol

Table of Contents

   1. Boiling .........................................................2
   2. Whistling .......................................................2

1.  Boiling

   A kettle MUST hold at least 250 ml of water before it is heated.  A
   kettle that is empty MUST NOT be heated, since its base warps at
   180 degrees.

   The lid states are:

   *  open, where steam leaves freely;

   *  shut, where steam leaves by
      the spout alone.  A shut lid keeps

Boiler                       Kitchen Standard                   [Page 1]
\f
RFC 1                        Kettle Protocol                  March 2020


      the whistle in tune.

2.  Whistling

   The whistle sounds when steam passes the spout at 100 degrees and the
   pressure-
   valve is shut.  It stops within five seconds after the heat is off,
   e.g. when somebody turns the knob.

   |  *Note:* A whistle that is blocked by scale stays silent, so the
   |  spout should be cleaned once a month.

Boiler                       Kitchen Standard                   [Page 2]
"""
TEAPOT = """\
\ufeff
1.  Introduction

   A teapot brews tea from leaves and hot water.  Zoë's teapot of 1850 is
   the oldest that still pours.

1.1.  Pouring

   A server pours with the Lid-State field set to shut.  The spout drips
   if the Lid-State field is absent.
"""
CUPS = """\
1.  Cups

1.1.  Grammar

     cup    = handle bowl
     handle = "c" / "C"

1.2.  Filling

   A cup is filled to 90 percent.  Milk goes in first only when the cup is
   made of thin china.

Appendix A.  Changes

   Saucers were removed.
"""
TEXTS = {"cups": CUPS, "kettle": KETTLE, "teapot": TEAPOT}

SETTINGS = """\
site:
  title: Kitchen answers
  url: https://kitchen.example/answers/
retrieval:
  legs: [bm25]
  bm25:
    stemmer: english
    chunk_words: 40
    overlap_words: 10
  fusion_k: 10
  evidence_per_leg: 3
rules:
  min_coverage: 2/3
kept_releases: 2
"""
THRESHOLDS = """\
budget:
  request_deadline_ms: 15000
  max_request_ms: 50
  max_requests_per_minute: 1
  max_client_burst: 10
  trusted_proxy_hops: 0
  max_work: 5000
  daily_cap_usd: 2.00
  max_output_tokens: 1500
"""
MONEY = """\
  max_rebuild_usd: 0.01
  max_rerecord_usd: 0.50
  prices:
    date: "2026-12-01"
    usd_per_million_tokens: {tea-net: 0.02}
    drafting: {model: tea-writer, input: 0.80, output: 4.00}
"""
"""What the gate needs of the budget besides; it follows THRESHOLDS."""
FLOORS = """\
measured_on: "0123456789ab"
retrieval:
  min_recall_at_1: 0.5
  min_recall_at_5: 1
  min_recall_at_10: 1
  min_mrr: 0.75
  min_evidence_recall: 1
  max_fusion_loss: 0
  max_rank: {whistle: 2, lid: 3}
refusal:
  min_grounded_rate: 0.5
  min_state_agreement: 1
  max_answered_unanswerable: 0
"""
"""What the gate needs besides the budget; it stands before THRESHOLDS."""
QUESTIONS = """\
format: 1
questions:
  - id: whistle
    text: "When does the whistle of a kettle sound?"
    topic: kettles
    kind: when
    match: any
    sections: [kettle#2]
  - id: lid
    text: "What does a shut lid do for steam from the spout?"
    topic: kettles
    kind: how
    sections: [kettle#1]
  - id: colour
    text: "Which colour should a teapot be?"
    topic: teapots
    kind: which
    state: unsupported
    why: "The corpus says nothing of colours."
"""
REPLIES: dict[str, dict[str, object]] = {
    "whistle": {
        "question": "whistle",
        "outcome": "answered",
        "claims": [
            {
                "text": "The whistle sounds once steam passes the spout at 100 degrees.",
                "kind": "finding",
                "section": "kettle#2",
                "quote": "The whistle sounds when steam passes the spout at 100 degrees and the pressure-valve is shut.",
            }
        ],
    },
    "lid": {
        "question": "lid",
        "outcome": "answered",
        "claims": [
            {
                "text": "With a shut lid, steam leaves only by the spout.",
                "kind": "finding",
                "section": "kettle#1",
                "quote": "shut, where steam leaves by the spout alone.",
            },
            {
                "text": "A shut lid keeps steam below 95 degrees.",
                "kind": "finding",
                "section": "kettle#1",
                "quote": "A shut lid keeps the whistle in tune.",
            },
        ],
    },
    "colour": {"question": "colour", "outcome": "not_answered", "claims": []},
}


def write_project(root: Path) -> Path:
    """Write the project into `root`, index and drafts made by the commands; returns `root`."""
    write_sources(root)
    run("index", "build", "--project", str(root))
    import_replies(root, REPLIES)
    return root


def write_sources(root: Path) -> None:
    """Write corpus, settings and questions: what a person writes by hand."""
    for folder in ("corpus/sources", "eval/drafts"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    for document, text in TEXTS.items():
        (root / f"corpus/sources/{document}.txt").write_text(text, encoding="utf-8")
    (root / "corpus/manifest.yaml").write_text(manifest(TEXTS), encoding="utf-8")
    (root / "foregone.yaml").write_text(SETTINGS, encoding="utf-8")
    (root / "eval/thresholds.yaml").write_text(THRESHOLDS, encoding="utf-8")
    (root / "eval/questions.yaml").write_text(QUESTIONS, encoding="utf-8")


def set_floors(root: Path) -> None:
    """Give the project everything that the gate needs, measured on the index that is there."""
    (index,) = (path.name for path in (root / "corpus/index").iterdir())
    floors = FLOORS.replace("0123456789ab", index)
    (root / "eval/thresholds.yaml").write_text(floors + THRESHOLDS + MONEY, encoding="utf-8")


def manifest(texts: dict[str, str]) -> str:
    """A manifest that pins these texts."""
    lines = ["format: 1", "title: The kitchen", "description: How tea is made.", "documents:"]
    for document, text in texts.items():
        content = text.encode()
        lines += [
            f"  - id: {document}",
            f"    title: The {document}",
            "    parser: rfc",
            f"    url: https://kitchen.example/{document}.txt",
            f'    section_url: "https://kitchen.example/{document}.html#{{anchor}}"',
            '    retrieved: "2026-12-01"',
            f"    bytes: {len(content)}",
            f"    sha256: {hashlib.sha256(content).hexdigest()}",
        ]
    return "\n".join(lines) + "\n"


def import_replies(root: Path, replies: dict[str, dict[str, object]]) -> None:
    """Import these replies as drafts."""
    folder = root / ".foregone/replies"
    folder.mkdir(parents=True, exist_ok=True)
    for question, reply in replies.items():
        (folder / f"{question}.json").write_text(json.dumps(reply), encoding="utf-8")
    paths = [str(folder / f"{question}.json") for question in replies]
    run("draft", "import", "--project", str(root), "--date", "2026-12-01", *paths)


def edit(path: Path, old: str, new: str) -> None:
    """Replace the one place in the file that reads `old`."""
    text = path.read_text("utf-8")
    assert text.count(old) == 1, f"{path} holds {old!r} {text.count(old)} times"
    path.write_text(text.replace(old, new), encoding="utf-8")


def run(*arguments: str) -> None:
    """Run a command that must succeed."""
    assert main(arguments) == 0, arguments


def unseen(_: str) -> None:
    """Takes a report or a step that a test does not look at."""
