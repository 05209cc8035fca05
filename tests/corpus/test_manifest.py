"""The manifest pins every document; an entry that could not be fetched, checked or cited is refused at its line."""

from dataclasses import replace
from pathlib import Path

import pytest

from foregone.corpus.manifest import DebianCopy, Document, Manifest, load_manifest
from foregone.digest import Digest, digest_text
from foregone.errors import Refused
from tiny_corpus import manifest

TEA = manifest({"tea": "1.  Tea\n"})
DOCUMENT = Document(
    id="tea",
    title="The tea",
    parser="rfc",
    url="https://kitchen.example/tea.txt",
    section_url="https://kitchen.example/tea.html#{anchor}",
    retrieved="2026-12-01",
    length=8,
    digest=digest_text("1.  Tea\n"),
    debian=None,
    where="manifest.yaml:12",
)


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def load(text: str) -> Manifest:
    Path("manifest.yaml").write_text(text, encoding="utf-8")
    return load_manifest(Path("manifest.yaml"))


def changed(old: str, new: str) -> str:
    assert TEA.count(old) == 1
    return TEA.replace(old, new)


def refusal(text: str) -> str:
    with pytest.raises(Refused) as refused:
        load(text)
    return str(refused.value)


def test_the_manifest_is_what_the_file_says() -> None:
    assert load(TEA) == Manifest(Path("manifest.yaml"), "The kitchen", "How tea is made.", (DOCUMENT,))


def test_a_copy_in_a_debian_package_is_optional() -> None:
    copy = "    debian:\n      package: doc-tea\n      path: usr/share/doc/tea/tea.txt.gz\n"

    assert load(TEA + copy).documents == (
        replace(DOCUMENT, debian=DebianCopy("doc-tea", "usr/share/doc/tea/tea.txt.gz")),
    )


def test_documents_are_sorted_by_id_and_each_knows_the_line_of_its_pin() -> None:
    documents = load(manifest({"teapot": "b", "cup": "a"})).documents

    assert [(document.id, document.where) for document in documents] == [
        ("cup", "manifest.yaml:20"),
        ("teapot", "manifest.yaml:12"),
    ]


def test_a_document_lies_among_the_sources_by_its_id() -> None:
    assert Manifest(Path("corpus/manifest.yaml"), "", "", ()).source_path(DOCUMENT) == Path("corpus/sources/tea.txt")


def test_the_fingerprint_is_over_sorted_ids_and_bare_digests() -> None:
    documents = (
        replace(DOCUMENT, id="tea", digest=Digest("sha256:bb")),
        replace(DOCUMENT, id="cup", digest=Digest("sha256:aa")),
    )

    assert Manifest(Path(), "", "", documents).fingerprint == digest_text("cup:aa\ntea:bb\n")


@pytest.mark.parametrize(
    ("old", "new", "moves"),
    [
        ("title: The kitchen", "title: The pantry", False),
        ('retrieved: "2026-12-01"', "retrieved: 2026-12-02", False),
        ("bytes: 8", "bytes: 9", False),
        ("id: tea", "id: cup", True),
        ("sha256: ", "sha256: 00", True),
    ],
)
def test_the_fingerprint_moves_with_ids_and_digests_alone(old: str, new: str, *, moves: bool) -> None:
    text = changed(old, new).replace("sha256: 00" + DOCUMENT.digest[7:9], "sha256: 00")

    assert (load(text).fingerprint != load(TEA).fingerprint) == moves


@pytest.mark.parametrize(
    ("field", "line", "old", "new", "expected"),
    [
        (
            "id",
            5,
            "tea",
            ["Tea", "-tea", "tea.txt", "../tea", "tea/pot", "thé", "t" * 65],
            "lower-case letters, digits and hyphens, at most 64",
        ),
        (
            "url",
            8,
            "https://kitchen.example/tea.txt",
            ["kitchen.example/tea", "file:///etc/tea", "https://", "https://kitchen.example/a tea"],
            "an http or https URL",
        ),
        (
            "section_url",
            9,
            '"https://kitchen.example/tea.html#{anchor}"',
            [
                "javascript:{anchor}",
                "https://kitchen.example/{title}",
                "https://kitchen.example/{number}/{anchor}",
                "https://kitchen.example/{",
            ],
            "a URL with at most one {number} or {anchor}",
        ),
        (
            "retrieved",
            10,
            '"2026-12-01"',
            [
                "yesterday",
                "2026-12",
                "20261201",
                "2026-12-01T10:00",
                "2026-13-01",
                "2026-02-30",
                "\u0662\u0660\u0662\u0666-12-01",
            ],
            "a date such as 2026-12-01",
        ),
        (
            "sha256",
            12,
            DOCUMENT.digest[7:],
            ["tea", DOCUMENT.digest, DOCUMENT.digest[7:].upper(), DOCUMENT.digest[7:-1]],
            "64 hexadecimal digits",
        ),
    ],
    ids=["id", "url", "section_url", "retrieved", "sha256"],
)
def test_a_field_of_another_form_is_refused_at_its_line(
    field: str, line: int, old: str, new: list[str], expected: str
) -> None:
    messages = [refusal(changed(f"{field}: {old}\n", f"{field}: '{value}'\n")) for value in new]

    assert messages == [
        f"error[bad-value]: documents[0].{field} is '{value}'\n"
        f"  --> manifest.yaml:{line}\n"
        f"  expected {expected}\n"
        "  mend: correct the value"
        for value in new
    ]


@pytest.mark.parametrize(
    "url", ["https://tea.example/tea", "http://tea.example/{number}.html", "https://tea.example/#{anchor}"]
)
def test_a_section_url_may_hold_a_number_an_anchor_or_neither(url: str) -> None:
    (document,) = load(changed('"https://kitchen.example/tea.html#{anchor}"', f"'{url}'")).documents

    assert document.section_url == url


@pytest.mark.parametrize(
    ("package", "path", "message"),
    [
        (
            "Doc Tea",
            "usr/share/tea.gz",
            (
                "error[bad-value]: documents[0].debian.package is 'Doc Tea'\n"
                "  --> manifest.yaml:14\n"
                "  expected a Debian package name\n"
                "  mend: correct the value"
            ),
        ),
        (
            "doc-tea",
            "/etc/tea.gz",
            (
                "error[bad-value]: documents[0].debian.path is '/etc/tea.gz'\n"
                "  --> manifest.yaml:15\n"
                "  expected a path under usr/ that ends in .gz\n"
                "  mend: correct the value"
            ),
        ),
        (
            "doc-tea",
            "usr/../etc/tea.gz",
            (
                "error[bad-value]: documents[0].debian.path is 'usr/../etc/tea.gz'\n"
                "  --> manifest.yaml:15\n"
                "  expected a path under usr/ that ends in .gz\n"
                "  mend: correct the value"
            ),
        ),
        (
            "doc-tea",
            "usr/share/tea.txt",
            (
                "error[bad-value]: documents[0].debian.path is 'usr/share/tea.txt'\n"
                "  --> manifest.yaml:15\n"
                "  expected a path under usr/ that ends in .gz\n"
                "  mend: correct the value"
            ),
        ),
    ],
)
def test_a_debian_copy_is_a_package_and_a_gzipped_path_in_it(package: str, path: str, message: str) -> None:
    assert refusal(f"{TEA}    debian:\n      package: {package}\n      path: {path}\n") == message


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "format: 1",
            "format: 2",
            (
                "error[bad-number]: format is 2\n"
                "  --> manifest.yaml:1\n"
                "  expected an integer from 1 to 1\n"
                "  mend: write such a number"
            ),
        ),
        (
            "parser: rfc",
            "parser: pdf",
            (
                "error[unknown-value]: documents[0].parser is 'pdf'\n"
                "  --> manifest.yaml:7\n"
                "  expected one of: markdown, rfc, text\n"
                "  mend: use one of the expected values"
            ),
        ),
        (
            "bytes: 8",
            "bytes: 67108865",
            (
                "error[bad-number]: documents[0].bytes is 67108865\n"
                "  --> manifest.yaml:11\n"
                "  expected an integer from 1 to 67108864\n"
                "  mend: write such a number"
            ),
        ),
        (
            "    bytes: 8\n",
            "",
            "error[missing-key]: documents[0] has no 'bytes'\n  --> manifest.yaml:5\n  mend: add 'bytes'",
        ),
        (
            "    bytes: 8\n",
            "    bites: 8\n",
            (
                "error[unknown-key]: documents[0] has an unknown key 'bites'\n"
                "  --> manifest.yaml:11\n"
                "  known keys: bytes, debian, id, parser, retrieved, section_url, sha256, title, url\n"
                "  mend: remove the key or correct its spelling"
            ),
        ),
        (
            "description: How tea is made.\n",
            "",
            "error[missing-key]: the file has no 'description'\n  --> manifest.yaml:1\n  mend: add 'description'",
        ),
    ],
)
def test_what_is_unknown_missing_or_out_of_range_is_refused_at_its_line(old: str, new: str, message: str) -> None:
    assert refusal(changed(old, new)) == message


def test_a_manifest_without_documents_is_refused() -> None:
    assert refusal("format: 1\ntitle: The kitchen\ndescription: No tea.\ndocuments: []\n") == (
        "error[empty-corpus]: the manifest lists 0 documents\n"
        "  --> manifest.yaml:4\n"
        "  expected 1 to 10,000\n"
        "  mend: list the documents that the site answers from"
    )


def test_a_manifest_of_too_many_documents_is_refused_before_any_is_read() -> None:
    assert refusal("format: 1\ntitle: a\ndescription: b\ndocuments: [" + "1," * 10_001 + "]\n") == (
        "error[too-many-documents]: the manifest lists 10001 documents\n"
        "  --> manifest.yaml:4\n"
        "  expected 1 to 10,000\n"
        "  mend: list the documents that the site answers from"
    )


def test_a_document_that_is_listed_twice_is_refused_where_it_stands_again() -> None:
    again = "".join(TEA.splitlines(keepends=True)[4:])

    assert refusal(TEA + again) == (
        "error[duplicate-id]: the document id 'tea' is listed twice\n"
        "  --> manifest.yaml:13\n"
        "  mend: give each document its own id"
    )
