"""Stage 6: verdicts become a state.

Takes the drafted outcome and the verdicts; gives the state of the answer and its status. The outcome can only lower a
state. Pure: no file, no clock.
"""
