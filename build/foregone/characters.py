"""Characters that no text of ours may hold, those that cannot be seen, and how both are shown."""

import re

FORBIDDEN = (
    (re.compile("[\ud800-\udfff]"), "lone-surrogate", "half of a surrogate pair", "it cannot be written as UTF-8"),
    (
        re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"),
        "control-character",
        "a control character",
        "terminals obey it",
    ),
)
"""Pattern, code, what it is and why no text may hold it."""
INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Ranges of what is drawn as nothing or turns the order of what is drawn: Default_Ignorable_Code_Point (Unicode 16.0,
DerivedCoreProperties.txt). Some scripts need a few of them, so a text may hold them."""
_UNSEEN = re.compile(f"[{INVISIBLE}]+")
_UNSAFE = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb\U00013430-\U0001343f{INVISIBLE}]")


def strip_invisible(text: str) -> str:
    """`text` without what cannot be seen, so that what looks alike compares alike."""
    return _UNSEEN.sub("", text)


def make_visible(text: str) -> str:
    r"""`text` with an escape in the place of what a terminal would obey or not show; line ends and tabs stay.

    The escapes are those of JSON (RFC 8259 section 7), in whose documents such characters stand in strings alone.

    >>> make_visible("a\x1b[2J\u202eb")
    'a\\u001b[2J\\u202eb'
    """
    return _UNSAFE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be").hex()
    return "".join(f"\\u{units[place : place + 4]}" for place in range(0, len(units), 4))
