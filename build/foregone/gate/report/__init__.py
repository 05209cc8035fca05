"""Verdicts as each of their readers wants them: a person, a program, a test viewer, a code host."""
