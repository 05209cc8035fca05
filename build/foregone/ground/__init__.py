"""Stage 5: claims meet their passages.

Takes a draft, the evidence that is retrieved now and the corpus; gives a verdict per claim with every rule's outcome,
and the exact work that it took. Deterministic and without a model. Two ceilings: `max_work` counts tokens and abandons
an answer; the wall deadline fails the build, so that no wall time ever decides what is published. A rule that cannot
decide says `undecided` and passes. Never mends a draft.
"""
