"""Rows as lines with aligned columns."""

from collections.abc import Iterable, Iterator


def table(rows: Iterable[tuple[str, ...]], left: int = 1) -> Iterator[str]:
    """Lines of equal columns: the first `left` of them start at the left, the others end at the right.

    >>> list(table([("a", "1"), ("bb", "10")]))
    ['a    1', 'bb  10']
    """
    cells = list(rows)
    widths = [max(len(cell) for cell in column) for column in zip(*cells, strict=True)]
    for row in cells:
        padded = [
            cell.ljust(width) if place < left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(padded).rstrip()
