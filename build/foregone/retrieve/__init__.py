"""Stage 3: a question becomes its passages.

Takes the index, the question set and its committed vectors; gives, per question, the ranking of each leg over all
sections, the fused ranking and the evidence: the union of the top sections of every leg, in fused order. Scores are
exact and ties go by section id, so a ranking is the same on every machine. Never decides what a passage is worth.
"""
