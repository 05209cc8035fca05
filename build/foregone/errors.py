"""What foregone refuses, and how it says so.

Every message has four parts: what failed, where (`path:line` or a record), why (expected and found), how to mend it.

    ForegoneError
      Refused     the input or the result is not acceptable: exit status 1
      Misused     the command was called wrongly: exit status 2
"""

from functools import partial
from typing import Any


class ForegoneError(Exception):
    """Base of all errors that a person can mend; its text is the whole message."""

    exit_status = 1

    def __init__(self, code: str, what: str, *, where: str = "", why: tuple[str, ...] = (), mend: str) -> None:
        self.code = code
        self.what = what
        self.where = where
        self.why = why
        self.mend = mend
        super().__init__(self.diagnostics())

    def __reduce__(self) -> tuple[Any, ...]:
        """So that an error raised in another process arrives whole."""
        return partial(type(self), where=self.where, why=self.why, mend=self.mend), (self.code, self.what)

    def diagnostics(self) -> str:
        """The message as it is printed.

        >>> print(Refused("empty", "the corpus is empty", where="corpus/manifest.yaml:3", mend="add one").diagnostics())
        error[empty]: the corpus is empty
          --> corpus/manifest.yaml:3
          mend: add one
        """
        where = (f"  --> {self.where}",) if self.where else ()
        why = tuple(f"  {line}" for line in self.why)
        return "\n".join((f"error[{self.code}]: {self.what}", *where, *why, f"  mend: {self.mend}"))


class Refused(ForegoneError):
    """Bad input or a failed check: nothing was changed."""


class Misused(ForegoneError):
    """A command that cannot be carried out as it was given."""

    exit_status = 2
