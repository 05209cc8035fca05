"""Spreading work over processes: the same results in the same order for any number of them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Generic, TypeVar

from foregone.errors import Refused

Result = TypeVar("Result")

Batch = tuple[str, ...]
BATCHES_PER_WORKER = 4
"""Smaller batches even out, larger ones cost less."""


@dataclass(frozen=True, slots=True)
class Failed:
    """What went wrong in another process."""

    error: BaseException


@dataclass(frozen=True, slots=True)
class Job(Generic[Result]):
    """What one process does: a batch after the other, each result sent as soon as it is there."""

    work: Callable[[Batch], Result]
    batches: tuple[Batch, ...]

    def run(self, results: Connection) -> None:
        """Send the result of every batch, or the first error, and end."""
        try:
            for batch in self.batches:
                results.send(self.work(batch))
        except Exception as error:  # noqa: BLE001 - whatever it is, it is raised again in the process that waits
            results.send(Failed(error))
        finally:
            results.close()


@dataclass(frozen=True, slots=True)
class Workers:
    """How many processes work, and what is told of their progress."""

    count: int
    """1: everything runs in this process."""
    advance: Callable[[int], None]
    """Told how many ids each finished batch had."""

    def map_batches(self, work: Callable[[Batch], Result], ids: Sequence[str]) -> Iterable[Result]:
        """`work` applied to consecutive batches of `ids`; results in order.

        Processes are forked where the system can, so that what `work` holds is shared and not sent.
        """
        batches = self._cut(ids)
        results = map(work, batches) if self.count == 1 else self._spread(work, batches)
        for result, batch in zip(results, batches, strict=True):
            self.advance(len(batch))
            yield result

    def _cut(self, ids: Sequence[str]) -> tuple[Batch, ...]:
        size = max(1, -(-len(ids) // (self.count * BATCHES_PER_WORKER)))
        return tuple(tuple(ids[start : start + size]) for start in range(0, len(ids), size))

    def _spread(self, work: Callable[[Batch], Result], batches: tuple[Batch, ...]) -> Iterator[Result]:
        """Process i does the batches i, i + count, ...; the results are taken in turn."""
        context = get_context("fork") if "fork" in get_all_start_methods() else get_context("spawn")
        processes, pipes = [], []
        for first in range(min(self.count, len(batches))):
            receiving, sending = context.Pipe(duplex=False)
            job = Job(work, batches[first :: self.count])
            process = context.Process(target=job.run, args=(sending,), daemon=True)
            process.start()
            sending.close()
            processes.append(process)
            pipes.append(receiving)
        try:
            for place in range(len(batches)):
                yield _receive(pipes[place % self.count], processes[place % self.count])
        finally:
            for process in processes:
                process.terminate()
                process.join()


def _receive(pipe: Connection, process: BaseProcess) -> Any:  # noqa: ANN401 - what the work of the other process gave
    try:
        result = pipe.recv()
    except EOFError as error:
        process.join()
        raise Refused(
            "worker-ended",
            "a worker process ended before its work was done",
            why=(_ending_in_words(process.exitcode),),
            mend="look for what ended it (signal 9: often too little memory), or take fewer --workers",
        ) from error
    if isinstance(result, Failed):
        raise result.error
    return result


def _ending_in_words(status: int | None) -> str:
    return f"signal {-status} ended it" if status is not None and status < 0 else f"its exit status is {status}"
