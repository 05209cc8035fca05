"""The comparison of two evaluation runs, question by question.

Takes two runs, each what `foregone eval` wrote; gives what changed, which input caused it, and whether it is more than
chance. It compares only what both runs asked, writes nothing and knows no threshold: it judges nothing.
"""
