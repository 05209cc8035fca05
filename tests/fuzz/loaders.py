"""Every loader of YAML and JSON against damaged files: a refusal is one clear error, never a traceback.

    python tests/fuzz/loaders.py SECONDS [SEED]     # `make fuzz`

An input that breaks a loader is kept under seeds/, and the tests replay it from then on.
"""

import hashlib
import random
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from foregone.compare.sources import load_run
from foregone.corpus.manifest import load_manifest
from foregone.draft.draft import load_draft
from foregone.errors import Refused
from foregone.index.store import read_index
from foregone.located import load_json
from foregone.release.verify import verify_site
from foregone.retrieve.questions import load_questions
from foregone.settings import load_settings
from foregone.spend import Ledger
from foregone.thresholds import load_thresholds

SEEDS = Path(__file__).parent / "seeds"
SECTIONS = {"kettle#1", "kettle#2", "teapot#1.1", "cups#1.2"}
Loader = Callable[[Path], object]

LOADERS: Mapping[str, tuple[str, Loader]] = {
    "manifest": ("corpus/manifest.yaml", load_manifest),
    "settings": ("foregone.yaml", load_settings),
    "thresholds": ("eval/thresholds.yaml", load_thresholds),
    "questions": ("eval/questions.yaml", lambda path: load_questions(path, SECTIONS)),
    "draft": ("eval/drafts/lid.json", lambda path: load_draft(path, "lid")),
    "reply": (".foregone/replies/lid.json", lambda path: load_json(path, mend="mend it")),
    "index": ("corpus/index/*/index.json", lambda path: read_index(path.parent)),
    "current": ("dist/current.json", lambda path: verify_site(path.parent)),
    "site": ("dist/site.json", lambda path: verify_site(path.parent)),
    "release": ("dist/v/*/manifest.json", lambda path: verify_site(path.parents[2])),
    "retrieval-results": ("eval/results/retrieval.json", lambda path: load_run(str(path.parent), path.parent)),
    "answer-results": ("eval/results/answers.json", lambda path: load_run(str(path.parent), path.parent)),
    "baseline": ("eval/baseline.json", lambda path: load_run(str(path), path.parent)),
    "ledger": ("spend.json", lambda path: Ledger(path, "2026-12-01", 1.0).spent()),
}
"""Name -> the good file in a project, and what reads it."""

TOKENS = (
    b"null", b"true", b"-1", b"1e999", b"1e400", b"99999999999999999999999", b"NaN", b"[]", b"{}", b'""', b"''", b"---",
    b"&a", b"*a", b"!!int x", b"!!python/object:os.system", b"<<: {}", b"\xff", b"\x00", b"\xed\xa0\x80", b"\\ud800", b"? :",
    b"0x1f", b"1_000", b"2026-12-01", b"..", b"/", b"\t", b"\r", b"\xef\xbb\xbf", b"- " * 60, b"[" * 300, b"{" * 300, b'"\\u0000"',
    b"%TAG ! x\n", b"|\n ", b">\n ", b"# c\n", b"format: 2\n", b"~", b".inf", b"yes", b"0o7", b"1:30", b"=",
)  # fmt: skip


def mutate(content: bytes, chance: random.Random) -> bytes:
    """`content` damaged in one to four places: cut, doubled, flipped, or with something strange put in."""
    damaged = bytearray(content)
    for _ in range(chance.randint(1, 4)):
        place, end = sorted((chance.randint(0, len(damaged)), chance.randint(0, len(damaged))))
        match chance.randrange(6):
            case 0:
                del damaged[place : min(end, place + 40)]
            case 1:
                damaged[place:place] = damaged[place : min(end, place + 60)]
            case 2 if damaged:
                damaged[place % len(damaged)] ^= chance.randint(1, 255)
            case 3:
                del damaged[place:]
            case _:
                damaged[place : place + chance.choice((0, 0, 1, 5))] = chance.choice(TOKENS)
    return bytes(damaged)


def complaint(loader: Loader, path: Path) -> str | None:
    """What is wrong with how `loader` takes the file: None where it loads it or refuses it in one clear error."""
    try:
        loader(path)
    except Refused as error:
        text = str(error)
        is_clear = text.startswith("error[") and "\n  mend: " in text and "Traceback" not in text
        return None if is_clear else f"an unclear refusal: {text}"
    except Exception as error:  # noqa: BLE001 - any other exception is what this looks for
        return f"{type(error).__name__}: {error}"
    return None


def main() -> int:
    """Fuzz for a while; 1 where a loader broke."""
    from tiny_corpus import run, set_floors, write_project

    seconds, seed = float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns()
    chance, broken, tried = random.Random(seed), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        root = write_project(Path(folder))
        run("build", "--project", folder)
        set_floors(root)
        run("bless", "--project", folder, "--reason", "to be damaged")
        (root / "spend.json").write_text('{"2026-12-01": 0.5}', encoding="utf-8")
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            name = chance.choice(list(LOADERS))
            pattern, loader = LOADERS[name]
            path = next(root.glob(pattern))
            good = path.read_bytes()
            bad = mutate(good, chance)
            path.write_bytes(bad)
            found = complaint(loader, path)
            path.write_bytes(good)
            tried += 1
            if found is not None:
                broken += 1
                (SEEDS / f"{name}-{hashlib.sha256(bad).hexdigest()[:12]}").write_bytes(bad)
                sys.stdout.write(f"{name}: {found}\n")
    sys.stdout.write(f"seed {seed}: {tried:,} files, {broken} broke a loader\n")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
