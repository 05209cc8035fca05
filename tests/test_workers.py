"""Work spread over processes gives what one process gives, in the same order, errors included."""

import os
import signal
from collections.abc import Callable

import pytest

from foregone.errors import Refused
from foregone.workers import Workers

# From Python 3.12 on a fork warns where any thread runs, and numerical packages have some.
pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")

IDS = tuple(f"q{number}" for number in range(11))


def name_them(ids: tuple[str, ...]) -> dict[str, str]:
    return {name: name.upper() for name in ids}


def tell_process(ids: tuple[str, ...]) -> dict[str, int]:
    return dict.fromkeys(ids, os.getpid())


def refuse_q7(ids: tuple[str, ...]) -> dict[str, str]:
    if "q7" in ids:
        raise Refused("bad-value", "q7 is bad", where="q7.json:1", why=("it is the seventh",), mend="take q8")
    return name_them(ids)


def die_at_q7(ids: tuple[str, ...]) -> dict[str, str]:
    if "q7" in ids:
        os._exit(9)
    return name_them(ids)


def kill_at_q7(ids: tuple[str, ...]) -> dict[str, str]:
    if "q7" in ids:
        os.kill(os.getpid(), signal.SIGKILL)
    return name_them(ids)


def run(count: int, work: Callable[[tuple[str, ...]], dict[str, str]] = name_them) -> list[tuple[str, str]]:
    """All results in the order in which they came."""
    return [entry for result in Workers(count, lambda _: None).map_batches(work, IDS) for entry in result.items()]


@pytest.mark.parametrize("count", [1, 2, 3, 11, 20])
def test_results_are_the_same_in_the_same_order_for_any_number_of_workers(count: int) -> None:
    assert run(count) == [(name, name.upper()) for name in IDS]


@pytest.mark.parametrize("count", [1, 2, 16])
def test_no_ids_give_no_results(count: int) -> None:
    assert list(Workers(count, lambda _: None).map_batches(name_them, ())) == []


@pytest.mark.parametrize("count", [1, 2])
def test_progress_is_told_of_every_id(count: int) -> None:
    told: list[int] = []
    list(Workers(count, told.append).map_batches(name_them, IDS))

    assert (sum(told), len(told) > count) == (len(IDS), True)


def test_one_worker_is_this_process_and_more_are_others() -> None:
    one, two = (
        {place for result in Workers(count, lambda _: None).map_batches(tell_process, IDS) for place in result.values()}
        for count in (1, 2)
    )

    assert (one, len(two), os.getpid() in two) == ({os.getpid()}, 2, False)


@pytest.mark.parametrize("count", [1, 2])
def test_an_error_of_a_worker_arrives_whole(count: int) -> None:
    with pytest.raises(Refused) as refused:
        run(count, refuse_q7)

    assert str(refused.value) == ("error[bad-value]: q7 is bad\n  --> q7.json:1\n  it is the seventh\n  mend: take q8")


@pytest.mark.parametrize(("work", "why"), [(die_at_q7, "its exit status is 9"), (kill_at_q7, "signal 9 ended it")])
def test_a_worker_that_dies_is_refused_and_no_missing_result(
    work: Callable[[tuple[str, ...]], dict[str, str]], why: str
) -> None:
    with pytest.raises(Refused) as refused:
        run(2, work)

    assert str(refused.value) == (
        "error[worker-ended]: a worker process ended before its work was done\n"
        f"  {why}\n"
        "  mend: look for what ended it (signal 9: often too little memory), or take fewer --workers"
    )
