"""A test may have the program killed at a step; what is no number of a step is used wrongly."""

import pytest

from foregone.errors import Misused
from foregone.failpoint import failpoint


def test_nothing_happens_unless_it_is_set() -> None:
    failpoint({})("published")


@pytest.mark.parametrize("chosen", ["", "many", "0", "-1", "1.5", "²", "1" * 5000])
def test_what_is_no_number_of_a_step_is_used_wrongly(chosen: str) -> None:
    with pytest.raises(Misused) as misused:
        failpoint({"FOREGONE_FAILPOINT": chosen})

    assert str(misused.value) == (
        f"error[bad-failpoint]: FOREGONE_FAILPOINT is {chosen!r}\n"
        "  --> the environment variable FOREGONE_FAILPOINT\n"
        "  expected the number of a step, from 1\n"
        "  mend: unset it: it is there for tests alone"
    )
