"""Timed figures, printed by `make bench-retrieve`, `make bench-ground` and `make bench-build`.

Times differ from machine to machine, so none of them is part of a release or of a test.
"""
