"""Stage 4: a question and its passages become a recorded draft.

Takes the retrieved evidence; gives the prompt that is answered elsewhere, and takes the reply in: its quotes become
spans and digests, so that the repository holds no sentence of the corpus. A draft is words frozen, nothing else: it is
never edited here, never judged here, and a reply that breaks a rule of form is refused with nothing written.
"""
