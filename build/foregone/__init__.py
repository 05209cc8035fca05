"""Foregone: a static site generator that precomputes every answer.

The way of the data, one stage folder per step; a stage imports only what stands to its left:

    corpus -> index -> retrieve -> draft -> ground -> decide -> measure -> render -> release
"""

__version__ = "0.1.0"
