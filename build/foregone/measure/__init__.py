"""Stage 7: what the rankings and answers are worth, in figures.

Takes rankings, drafts, answers and what the question set expects; gives counts with their denominators. Never changes
an answer and holds no threshold.
"""
