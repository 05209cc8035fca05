"""Digests are SHA-256 of bytes, of UTF-8, or of words; twelve of their digits stand in addresses."""

import pytest

from foregone.digest import DIGEST_PATTERN, address, digest_bytes, digest_text, digest_words

ABC = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"  # FIPS 180-4, example of one block


def test_a_digest_is_sha256() -> None:
    assert digest_bytes(b"abc") == ABC


def test_a_text_is_digested_as_utf8() -> None:
    assert digest_text("Zoë") == digest_bytes(b"Zo\xc3\xab")


@pytest.mark.parametrize("text", ["tea  pot", "tea\n   pot", "\ttea pot\r\n"])
def test_line_breaks_and_indents_do_not_change_the_digest_of_words(text: str) -> None:
    assert digest_words(text) == digest_text("tea pot")


def test_a_word_broken_in_two_changes_the_digest_of_words() -> None:
    assert digest_words("tea pot") != digest_words("teapot")


@pytest.mark.parametrize("digest", [ABC, ABC.removeprefix("sha256:")])
def test_an_address_is_the_first_twelve_digits(digest: str) -> None:
    assert address(digest) == "ba7816bf8f01"


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        (ABC, True),
        (ABC.removeprefix("sha256:"), False),
        (ABC.upper(), False),
        (ABC[:-1], False),
        (ABC + "0", False),
        (ABC + "\n", False),
    ],
)
def test_a_digest_in_data_has_its_prefix_and_64_lower_case_digits(text: str, *, matches: bool) -> None:
    assert (DIGEST_PATTERN.fullmatch(text) is not None) == matches
