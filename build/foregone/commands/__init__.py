"""What the commands do: each handler takes parsed arguments and gives an exit status.

Results go to standard output, progress and errors to standard error; `--json` gives the result as one JSON document.
"""
