"""An error says what failed, where, why and how to mend it, and arrives whole from another process."""

import pickle

import pytest

from foregone.errors import ForegoneError, Misused, Refused


def full(kind: type[ForegoneError]) -> ForegoneError:
    return kind(
        "pin-mismatch",
        "corpus/sources/kettle.txt does not match its pin",
        where="corpus/manifest.yaml:14",
        why=("expected 12 bytes", "found    13 bytes"),
        mend="restore the file",
    )


def test_all_four_parts_are_printed() -> None:
    assert str(full(Refused)) == (
        "error[pin-mismatch]: corpus/sources/kettle.txt does not match its pin\n"
        "  --> corpus/manifest.yaml:14\n"
        "  expected 12 bytes\n"
        "  found    13 bytes\n"
        "  mend: restore the file"
    )


def test_an_error_without_place_and_reason_is_two_lines() -> None:
    assert str(Misused("no-texts", "the folder is empty", mend="name another")) == (
        "error[no-texts]: the folder is empty\n  mend: name another"
    )


@pytest.mark.parametrize(("kind", "status"), [(Refused, 1), (Misused, 2)])
def test_refused_is_status_1_and_misused_is_status_2(kind: type[ForegoneError], status: int) -> None:
    assert full(kind).exit_status == status


@pytest.mark.parametrize("kind", [Refused, Misused])
def test_an_error_from_another_process_arrives_whole(kind: type[ForegoneError]) -> None:
    arrived = pickle.loads(pickle.dumps(full(kind)))

    assert (type(arrived), vars(arrived), str(arrived)) == (kind, vars(full(kind)), str(full(kind)))
