"""Characters that no text of ours may hold."""

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
