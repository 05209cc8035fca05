"""How many tokens a text may have, for what is priced before it is sent.

The tokenizer of a hosted model is a table that is fetched when it is first used, so no ceiling can rest on one. English
and RFC prose have four bytes a token and more in the tokenizers in use; three is stated here as an over-estimate.
"""

BYTES_PER_TOKEN = 3


def estimate_tokens(text: str) -> int:
    """Tokens of `text`, rather too many than too few.

    >>> estimate_tokens("seven b")
    3
    """
    return -(-len(text.encode()) // BYTES_PER_TOKEN)
