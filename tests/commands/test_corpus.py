"""`foregone corpus verify` names every document that is not as pinned."""

import json
from pathlib import Path

import pytest

from foregone.cli import main


@pytest.fixture
def damaged(project: Path) -> Path:
    """The tiny project with a document cut off and one missing."""
    (project / "corpus/sources/cups.txt").unlink()
    (project / "corpus/sources/teapot.txt").write_bytes(b"1.  Tea\n")
    return project


def test_every_document_that_is_not_as_pinned_is_named(damaged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["corpus", "verify", "--project", str(damaged)]) == 1
    assert capsys.readouterr().out.replace(str(damaged), "PROJECT") == (
        "error[not-fetched]: PROJECT/corpus/sources/cups.txt is not there\n"
        "  --> PROJECT/corpus/manifest.yaml:12\n"
        "  mend: run `foregone corpus fetch`\n"
        "error[pin-mismatch]: PROJECT/corpus/sources/teapot.txt does not match its pin\n"
        "  --> PROJECT/corpus/manifest.yaml:28\n"
        "  expected sha256:e3bfadccbbd3be0ccc6bc551ca33f23228ad9a887632be921f54da89c6116e88  (255 bytes)\n"
        "  found    sha256:dc7c739b14b5959f59ea9d050d4513d7d51e10949aaf9d4038e33af21004c6e0  (8 bytes)\n"
        "  mend: delete the file and run `foregone corpus fetch`, or review the change and pin it in the manifest\n"
        "2 of 3 documents do not match their pins\n"
    )


def test_json_lists_what_matches_and_what_does_not(damaged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["corpus", "verify", "--json", "--project", str(damaged)]) == 1

    found = json.loads(capsys.readouterr().out)
    assert (found["documents"], [one["code"] for one in found["refused"]]) == (
        {"kettle": 1245},
        ["not-fetched", "pin-mismatch"],
    )
