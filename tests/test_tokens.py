"""What a text would cost is never put too low."""

from foregone.tokens import estimate_tokens


def test_an_estimate_errs_towards_dearer() -> None:
    assert [estimate_tokens(text) for text in ("", "tea", "a cup of tea", "Zoë")] == [0, 1, 4, 2]
