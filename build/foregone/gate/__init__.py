"""The gate: what is measured against what is committed.

Takes a project; gives verdicts, one for each thing that may have become worse, with where it stands and how to mend it.
It holds no number of its own, writes nothing, opens no socket and needs no key.
"""
