"""Work spread over processes gives what one process gives."""

import os

import pytest

from foregone.errors import Refused
from foregone.workers import Workers

IDS = tuple(f"q{number}" for number in range(11))


def shout(batch: tuple[str, ...]) -> list[str]:
    return [name.upper() for name in batch]


def refuse(batch: tuple[str, ...]) -> list[str]:
    if "q7" in batch:
        raise Refused("tea", "there is none", where="kettle:1", why=("it was drunk",), mend="brew some")
    return shout(batch)


def vanish(batch: tuple[str, ...]) -> list[str]:
    if "q7" in batch:
        os._exit(3)
    return shout(batch)


def silent(_: int) -> None:
    pass


@pytest.mark.parametrize("count", [1, 2, 3, 16])
def test_results_come_in_order_for_any_number_of_processes(count: int) -> None:
    results = [name for part in Workers(count, silent).map_batches(shout, IDS) for name in part]

    assert results == [name.upper() for name in IDS]


def test_nothing_to_do_gives_nothing() -> None:
    assert list(Workers(2, silent).map_batches(shout, ())) == []


@pytest.mark.parametrize("count", [1, 2])
def test_progress_is_told_of_every_id(count: int) -> None:
    told: list[int] = []
    for _ in Workers(count, told.append).map_batches(shout, IDS):
        pass

    assert sum(told) == len(IDS)


@pytest.mark.parametrize("count", [1, 2])
def test_a_refusal_in_another_process_arrives_whole(count: int) -> None:
    with pytest.raises(Refused) as refused:
        list(Workers(count, silent).map_batches(refuse, IDS))

    assert str(refused.value) == ("error[tea]: there is none\n  --> kettle:1\n  it was drunk\n  mend: brew some")


def test_a_process_that_vanishes_is_an_error() -> None:
    with pytest.raises(ChildProcessError, match="a worker process ended before its work was done"):
        list(Workers(2, silent).map_batches(vanish, IDS))
