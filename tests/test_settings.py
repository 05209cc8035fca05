"""Settings are read whole: what is unknown, missing or out of its range is refused with file and line."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from foregone.digest import Digest, digest_text
from foregone.embedder_settings import EmbedderSettings, OnnxSettings, OpenAiSettings, PackagedSettings
from foregone.errors import Refused
from foregone.settings import Bm25Settings, DenseSettings, RetrievalSettings, RuleSettings, Settings, load_settings
from tiny_corpus import SETTINGS

KITCHEN = Settings(
    title="Kitchen answers",
    url="https://kitchen.example/answers/",
    retrieval=RetrievalSettings(Bm25Settings("english", 40, 10), None, 10, 3),
    rules=RuleSettings(Fraction(2, 3)),
    kept_releases=2,
    digest=digest_text(SETTINGS),
)
DENSE = """\
  dense:
    embedder: all-MiniLM-L6-v2-int8
    chunk_pieces: 160
    overlap_pieces: 40
"""


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def load(text: str) -> Settings:
    Path("foregone.yaml").write_text(text, encoding="utf-8")
    return load_settings(Path("foregone.yaml"))


def changed(old: str, new: str) -> str:
    assert SETTINGS.count(old) == 1
    return SETTINGS.replace(old, new)


def with_dense(legs: str = "[bm25, dense]") -> str:
    return changed("legs: [bm25]", f"legs: {legs}").replace("  fusion_k", DENSE + "  fusion_k")


def refusal(text: str) -> str:
    with pytest.raises(Refused) as refused:
        load(text)
    return str(refused.value)


def test_the_settings_are_what_the_file_says() -> None:
    assert load(SETTINGS) == KITCHEN


def test_the_dense_leg_comes_second() -> None:
    retrieval = load(with_dense()).retrieval

    assert (retrieval.legs, retrieval.dense) == (
        ("bm25", "dense"),
        DenseSettings(PackagedSettings("all-MiniLM-L6-v2-int8"), "word piece", 160, 40),
    )


def test_a_leg_that_is_not_named_is_not_used_though_it_has_parameters() -> None:
    retrieval = load(with_dense("[bm25]")).retrieval

    assert (retrieval.legs, retrieval.dense) == (("bm25",), None)


def test_the_parameters_of_an_unused_leg_are_checked_all_the_same() -> None:
    assert refusal(with_dense("[bm25]").replace("overlap_pieces", "overlap")) == (
        "error[unknown-key]: retrieval.dense has an unknown key 'overlap'\n"
        "  --> foregone.yaml:13\n"
        "  known keys: chunk_pieces, embedder, overlap_pieces\n"
        "  mend: remove the key or correct its spelling"
    )


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("https://kitchen.example/", "/"),
        ("http://localhost:8000/", "/"),
        ("https://kitchen.example/answers/tea/", "/answers/tea/"),
    ],
)
def test_the_base_path_is_that_of_the_url(url: str, path: str) -> None:
    assert load(changed("https://kitchen.example/answers/", url)).base_path == path


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("2/3", Fraction(2, 3)),
        ("0.5", Fraction(1, 2)),
        ("1", Fraction(1)),
        ("1.0", Fraction(1)),
        ("'0.7'", Fraction(7, 10)),
    ],
)
def test_a_share_is_a_fraction_without_rounding(written: str, read: Fraction) -> None:
    assert load(changed("2/3", written)).rules.min_coverage == read


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("0", "0"),
        ("0/3", "'0/3'"),
        ("4/3", "'4/3'"),
        ("1/0", "'1/0'"),
        ("1.5", "1.5"),
        ("-0.5", "-0.5"),
        ("true", "True"),
        ("most", "'most'"),
        (".nan", "nan"),
        ("[2, 3]", "[2, 3]"),
        ("", "None"),
    ],
)
def test_a_share_above_one_or_not_above_none_is_refused(written: str, shown: str) -> None:
    assert refusal(changed("2/3", written)) == (
        f"error[bad-number]: rules.min_coverage is {shown}\n"
        "  --> foregone.yaml:13\n"
        "  expected a fraction above 0 and at most 1\n"
        "  mend: write it like 2/3"
    )


@pytest.mark.parametrize(
    "url",
    [
        "kitchen.example/",
        "ftp://kitchen.example/",
        "https://kitchen.example",
        "https://kitchen.example/answers",
        "https://kitchen.example/?tea=green",
        "https://user@kitchen.example/",
        "https://kitchen.example//",
        "https://kitchen.example/a b/",
    ],
)
def test_a_site_url_is_http_a_host_and_a_path_to_a_folder(url: str) -> None:
    assert refusal(changed("https://kitchen.example/answers/", url)) == (
        f"error[bad-value]: site.url is '{url}'\n"
        "  --> foregone.yaml:3\n"
        "  expected http or https, a host and a path that ends in `/`\n"
        "  mend: write it like https://answers.example/"
    )


@pytest.mark.parametrize("legs", ["[]", "[dense]", "[dense, bm25]", "[bm25, bm25]", "[bm25, colbert]"])
def test_the_legs_are_bm25_or_both(legs: str) -> None:
    shown = [leg for leg in legs.strip("[]").split(", ") if leg]

    assert refusal(changed("[bm25]", legs)) == (
        f"error[bad-value]: retrieval.legs is {shown}\n"
        "  --> foregone.yaml:5\n"
        "  expected [bm25] or [bm25, dense]\n"
        "  mend: name the legs in this order"
    )


def test_a_dense_leg_without_parameters_is_refused() -> None:
    assert refusal(changed("[bm25]", "[bm25, dense]")) == (
        "error[missing-key]: retrieval has no 'dense'\n"
        "  --> foregone.yaml:4\n"
        "  mend: add its parameters or take the leg out of legs"
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "stemmer: english",
            "stemmer: klingon",
            (
                "error[unknown-value]: retrieval.bm25.stemmer is 'klingon'\n"
                "  --> foregone.yaml:7\n"
                "  expected one of: english\n"
                "  mend: use one of the expected values"
            ),
        ),
        (
            "chunk_words: 40",
            "chunk_words: 0",
            (
                "error[bad-number]: retrieval.bm25.chunk_words is 0\n"
                "  --> foregone.yaml:8\n"
                "  expected an integer from 1 to 10000\n"
                "  mend: write such a number"
            ),
        ),
        (
            "overlap_words: 10",
            "overlap_words: 40",
            (
                "error[bad-number]: retrieval.bm25.overlap_words is 40\n"
                "  --> foregone.yaml:9\n"
                "  expected an integer from 0 to 39\n"
                "  mend: write such a number"
            ),
        ),
        (
            "fusion_k: 10",
            "fusion_k: -1",
            (
                "error[bad-number]: retrieval.fusion_k is -1\n"
                "  --> foregone.yaml:10\n"
                "  expected an integer from 0 to 1000\n"
                "  mend: write such a number"
            ),
        ),
        (
            "evidence_per_leg: 3",
            "evidence_per_leg: 101",
            (
                "error[bad-number]: retrieval.evidence_per_leg is 101\n"
                "  --> foregone.yaml:11\n"
                "  expected an integer from 1 to 100\n"
                "  mend: write such a number"
            ),
        ),
        (
            "kept_releases: 2",
            "kept_releases: 0",
            (
                "error[bad-number]: kept_releases is 0\n"
                "  --> foregone.yaml:14\n"
                "  expected an integer from 1 to 1000\n"
                "  mend: write such a number"
            ),
        ),
        (
            "kept_releases: 2",
            "kept_release: 2",
            (
                "error[unknown-key]: the file has an unknown key 'kept_release'\n"
                "  --> foregone.yaml:14\n"
                "  known keys: kept_releases, retrieval, rules, site\n"
                "  mend: remove the key or correct its spelling"
            ),
        ),
        (
            "  title: Kitchen answers\n",
            "",
            "error[missing-key]: site has no 'title'\n  --> foregone.yaml:1\n  mend: add 'title'",
        ),
    ],
)
def test_what_is_unknown_missing_or_out_of_range_is_refused_at_its_line(old: str, new: str, message: str) -> None:
    assert refusal(changed(old, new)) == message


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "embedder: all-MiniLM-L6-v2-int8",
            "embedder: word-cloud",
            (
                "error[unknown-value]: retrieval.dense.embedder is 'word-cloud'\n"
                "  --> foregone.yaml:11\n"
                "  expected one of: all-MiniLM-L6-v2-int8, onnx, openai\n"
                "  mend: use one of the expected values"
            ),
        ),
        (
            "chunk_pieces: 160",
            "chunk_pieces: 7",
            (
                "error[bad-number]: retrieval.dense.chunk_pieces is 7\n"
                "  --> foregone.yaml:12\n"
                "  expected an integer from 8 to 8192\n"
                "  mend: write such a number"
            ),
        ),
        (
            "overlap_pieces: 40",
            "overlap_pieces: 160",
            (
                "error[bad-number]: retrieval.dense.overlap_pieces is 160\n"
                "  --> foregone.yaml:13\n"
                "  expected an integer from 0 to 159\n"
                "  mend: write such a number"
            ),
        ),
    ],
)
def test_a_dense_leg_that_cannot_be_is_refused_at_its_line(old: str, new: str, message: str) -> None:
    assert refusal(with_dense().replace(old, new)) == message


def test_any_change_of_the_file_changes_its_digest() -> None:
    commented = SETTINGS + "# a note\n"

    assert load(commented) == replace(KITCHEN, digest=digest_text(commented))


def test_a_project_without_settings_is_told_to_write_them() -> None:
    with pytest.raises(Refused) as refused:
        load_settings(Path("foregone.yaml"))

    assert str(refused.value) == (
        "error[unreadable]: foregone.yaml cannot be read\n"
        "  --> foregone.yaml\n"
        "  No such file or directory\n"
        "  mend: write the project's settings there, see docs/inputs.md"
    )


SHA256 = "0123456789abcdef" * 4
ONNX = f"""\
    embedder: onnx
    folder: models/tea-net
    sha256: {SHA256}
    dimension: 768
    chunk_pieces: 160
    overlap_pieces: 40
"""
OPENAI = """\
    embedder: openai
    chunk_words: 120
    overlap_words: 30
"""
DEFAULTS = OpenAiSettings("https://api.openai.com/v1", "text-embedding-3-small", 1536, "OPENAI_API_KEY")


def with_embedder(lines: str) -> str:
    return with_dense().replace(DENSE, f"  dense:\n{lines}")


@pytest.mark.parametrize(
    ("lines", "dense"),
    [
        (
            ONNX,
            DenseSettings(OnnxSettings("models/tea-net", Digest(f"sha256:{SHA256}"), 768), "word piece", 160, 40),
        ),
        (OPENAI, DenseSettings(DEFAULTS, "word", 120, 30)),
    ],
    ids=["onnx", "openai"],
)
def test_each_embedder_has_keys_of_its_own(lines: str, dense: DenseSettings) -> None:
    assert load(with_embedder(lines)).retrieval.dense == dense


@pytest.mark.parametrize(
    ("line", "embedder"),
    [
        ("base_url: http://127.0.0.1:8080/v1", replace(DEFAULTS, base_url="http://127.0.0.1:8080/v1")),
        ("base_url: https://kitchen.example/api/", replace(DEFAULTS, base_url="https://kitchen.example/api")),
        ("model: tea-net", replace(DEFAULTS, model="tea-net")),
        ("dimension: 256", replace(DEFAULTS, dimension=256)),
        ("key_variable: TEA_KEY_2", replace(DEFAULTS, key_variable="TEA_KEY_2")),
    ],
)
def test_an_endpoint_may_be_another_one(line: str, embedder: EmbedderSettings) -> None:
    dense = load(with_embedder(f"{OPENAI}    {line}\n")).retrieval.dense

    assert dense is not None
    assert dense.embedder == embedder


@pytest.mark.parametrize(
    ("lines", "line", "known"),
    [
        (DENSE.partition("\n")[2], "folder: models/tea-net", "chunk_pieces, embedder, overlap_pieces"),
        (DENSE.partition("\n")[2], "dimension: 384", "chunk_pieces, embedder, overlap_pieces"),
        (ONNX, "model: tea-net", "chunk_pieces, dimension, embedder, folder, overlap_pieces, sha256"),
        (ONNX, "chunk_words: 8", "chunk_pieces, dimension, embedder, folder, overlap_pieces, sha256"),
        (
            OPENAI,
            "folder: models/tea-net",
            "base_url, chunk_words, dimension, embedder, key_variable, model, overlap_words",
        ),
        (OPENAI, "key: sk-kettle", "base_url, chunk_words, dimension, embedder, key_variable, model, overlap_words"),
        (
            OPENAI,
            "chunk_pieces: 160",
            "base_url, chunk_words, dimension, embedder, key_variable, model, overlap_words",
        ),
    ],
)
def test_the_keys_of_another_embedder_are_refused(lines: str, line: str, known: str) -> None:
    key = line.partition(":")[0]

    assert refusal(with_embedder(f"{lines}    {line}\n")) == (
        f"error[unknown-key]: retrieval.dense has an unknown key '{key}'\n"
        f"  --> foregone.yaml:{11 + lines.count(chr(10))}\n"
        f"  known keys: {known}\n"
        "  mend: remove the key or correct its spelling"
    )


@pytest.mark.parametrize(
    ("lines", "key"),
    [(ONNX, "folder"), (ONNX, "sha256"), (ONNX, "dimension"), (OPENAI, "chunk_words"), (ONNX, "embedder")],
)
def test_a_key_that_an_embedder_needs_is_asked_for(lines: str, key: str) -> None:
    without = "".join(line for line in lines.splitlines(keepends=True) if not line.strip().startswith(f"{key}:"))

    assert refusal(with_embedder(without)) == (
        f"error[missing-key]: retrieval.dense has no '{key}'\n  --> foregone.yaml:10\n  mend: add '{key}'"
    )


@pytest.mark.parametrize(
    ("lines", "old", "new", "message"),
    [
        (
            ONNX,
            f"sha256: {SHA256}",
            f"sha256: {SHA256[:-1]}",
            (
                f"error[bad-value]: retrieval.dense.sha256 is '{SHA256[:-1]}'\n"
                "  --> foregone.yaml:13\n"
                "  expected 64 hexadecimal digits\n"
                "  mend: correct the value"
            ),
        ),
        (
            ONNX,
            "dimension: 768",
            "dimension: 16385",
            (
                "error[bad-number]: retrieval.dense.dimension is 16385\n"
                "  --> foregone.yaml:14\n"
                "  expected an integer from 1 to 16384\n"
                "  mend: write such a number"
            ),
        ),
        (
            ONNX,
            "folder: models/tea-net",
            "folder: ' '",
            (
                "error[blank-text]: retrieval.dense.folder is blank or holds a NUL\n"
                "  --> foregone.yaml:12\n"
                "  mend: write the text"
            ),
        ),
        *(
            (
                OPENAI + f"    base_url: {url}\n",
                "openai",
                "openai",
                (
                    f"error[bad-value]: retrieval.dense.base_url is '{url}'\n"
                    "  --> foregone.yaml:14\n"
                    "  expected an http or https URL without user\n"
                    "  mend: correct the value"
                ),
            )
            for url in (
                "kitchen.example/v1",
                "ftp://kitchen.example",
                "https://user:pot@kitchen.example/v1",
                "https://kitchen.example/v1?key=sk-kettle",
            )
        ),
        (
            OPENAI + "    key_variable: sk-kettle\n",
            "openai",
            "openai",
            (
                "error[bad-value]: retrieval.dense.key_variable is 'sk-kettle'\n"
                "  --> foregone.yaml:14\n"
                "  expected the name of an environment variable\n"
                "  mend: correct the value"
            ),
        ),
        (
            OPENAI,
            "overlap_words: 30",
            "overlap_words: 120",
            (
                "error[bad-number]: retrieval.dense.overlap_words is 120\n"
                "  --> foregone.yaml:13\n"
                "  expected an integer from 0 to 119\n"
                "  mend: write such a number"
            ),
        ),
    ],
)
def test_an_embedder_that_cannot_be_is_refused_at_its_line(lines: str, old: str, new: str, message: str) -> None:
    assert refusal(with_embedder(lines.replace(old, new))) == message
