"""`foregone index build` says what an API will cost before it asks, keeps what came, and pays for nothing twice."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fake_endpoint import KEY, Answer, FakeApi, Reply, failure, serve_fake
from foregone.cli import main
from foregone.tokens import estimate_tokens
from tiny_corpus import SETTINGS, THRESHOLDS, edit, import_replies, run, write_sources

PRICES = """\
  prices:
    date: 2026-12-01
    usd_per_million_tokens:
      tea-net: 20
"""


@pytest.fixture
def api() -> Iterator[FakeApi]:
    with serve_fake() as fake:
        yield fake


@pytest.fixture
def project(api: FakeApi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The tiny corpus in one chunk a word, so that it takes several batches; an endpoint embeds it."""
    monkeypatch.setenv("TEA_KEY", KEY)
    dense = [
        "  dense:",
        "    embedder: openai",
        f"    base_url: {api.url}",
        "    model: tea-net",
        "    dimension: 4",
        "    key_variable: TEA_KEY",
        "    chunk_words: 8",
        "    overlap_words: 7",
        "  fusion_k",
    ]
    write_sources(tmp_path)
    settings = SETTINGS.replace("[bm25]", "[bm25, dense]").replace("  fusion_k", "\n".join(dense))
    (tmp_path / "foregone.yaml").write_text(settings, encoding="utf-8")
    (tmp_path / "eval/thresholds.yaml").write_text(THRESHOLDS + PRICES, encoding="utf-8")
    return tmp_path


def embed(request: dict[str, Any]) -> Reply:
    """A vector that depends on the text alone, and a token a text."""
    data = [{"index": place, "embedding": [len(text), 1, 0, 0]} for place, text in enumerate(request["input"])]
    return 200, {}, json.dumps({"data": data, "usage": {"total_tokens": len(data)}}).encode()


def build(project: Path, api: FakeApi, *answers: Answer) -> int:
    """The exit status of `index build`; the endpoint gives these answers, the last one again and again."""
    api.answers, api.asked = list(answers), []
    return main(["index", "build", "--project", str(project)])


def sent(api: FakeApi) -> list[str]:
    return [text for request in api.asked for text in request["input"]]


def price_line(texts: list[str]) -> str:
    tokens = sum(estimate_tokens(text) for text in texts)
    usd = tokens * 20 / 1e6
    return f"{len(texts)} texts, about {tokens:,} tokens: about {usd:.4f} USD; the daily cap is 2.00 USD\n"


def test_the_price_of_everything_that_is_sent_is_said_first(
    project: Path, api: FakeApi, capsys: pytest.CaptureFixture[str]
) -> None:
    said: list[str] = []

    def listen(request: dict[str, Any]) -> Reply:
        said.append(capsys.readouterr().err)
        return embed(request)

    assert build(project, api, listen) == 0
    assert said == [price_line(sent(api)), *[""] * (len(api.asked) - 1)]


def test_a_build_says_what_it_embedded(project: Path, api: FakeApi, capsys: pytest.CaptureFixture[str]) -> None:
    build(project, api, embed)

    (folder,) = (project / "corpus/index").iterdir()
    assert capsys.readouterr().out == (
        f"index {folder.name}: {len(sent(api)) - 3} chunks embedded, 0 reused\nquestions: 3 embedded, 0 reused\n"
    )


def test_a_build_that_failed_goes_on_where_it_was(
    project: Path, api: FakeApi, capsys: pytest.CaptureFixture[str]
) -> None:
    status = build(project, api, embed, failure(400))
    kept, failed = (request["input"] for request in api.asked)
    said = capsys.readouterr()
    assert (status, said.out) == (1, "")
    assert said.err.partition("\n")[2] == (
        f"error[endpoint-failed]: the embedding endpoint {api.url} failed\n"
        f"  --> {api.url} model tea-net\n"
        "  BadRequestError: Error code: 400 - status 400 for (key)\n"
        "  mend: run `foregone index build` again: what was embedded is kept, and only the rest is sent\n"
    )

    status = build(project, api, embed)
    rest = sent(api)
    assert (status, len(kept), rest[: len(failed)]) == (0, 64, failed)
    assert set(kept).isdisjoint(rest)
    said = capsys.readouterr()
    assert (said.out.partition(": ")[2], said.err) == (
        f"{len(rest) - 3} chunks embedded, 64 reused\nquestions: 3 embedded, 0 reused\n",
        price_line(rest),
    )


def test_where_nothing_is_new_nothing_is_sent_and_no_price_is_named(
    project: Path, api: FakeApi, capsys: pytest.CaptureFixture[str]
) -> None:
    build(project, api, embed)
    chunks = len(sent(api)) - 3
    capsys.readouterr()

    assert build(project, api, embed) == 0
    said = capsys.readouterr()
    assert (api.asked, said.err) == ([], "")
    assert said.out.partition(": ")[2] == f"0 chunks embedded, {chunks} reused\nquestions: 0 embedded, 3 reused\n"


def test_questions_that_are_embedded_already_are_not_in_the_price(
    project: Path, api: FakeApi, capsys: pytest.CaptureFixture[str]
) -> None:
    build(project, api, embed)
    edit(project / "foregone.yaml", "chunk_words: 8", "chunk_words: 9")
    capsys.readouterr()

    assert build(project, api, embed) == 0
    assert capsys.readouterr().err == price_line(sent(api))


def test_a_changed_question_is_sent_alone(project: Path, api: FakeApi, capsys: pytest.CaptureFixture[str]) -> None:
    build(project, api, embed)
    edit(project / "eval/questions.yaml", "Which colour should a teapot be?", "Which colour has a teapot?")
    capsys.readouterr()

    assert build(project, api, embed) == 0
    said = capsys.readouterr()
    assert (sent(api), said.err) == (["Which colour has a teapot?"], price_line(sent(api)))
    assert said.out.endswith("questions: 1 embedded, 2 reused\n")


def test_what_was_spent_is_what_the_endpoint_counted(project: Path, api: FakeApi) -> None:
    build(project, api, embed)

    (usd,) = json.loads((project / ".foregone/spend.json").read_text("utf-8")).values()
    assert usd == pytest.approx(len(sent(api)) * 20 / 1e6)


def test_the_daily_cap_stops_a_build_and_what_came_before_is_kept(
    project: Path, api: FakeApi, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(project / "eval/thresholds.yaml", "daily_cap_usd: 2.00", "daily_cap_usd: 0.025")
    status, kept = build(project, api, embed), sent(api)
    message = capsys.readouterr().err.partition("\n")[2]
    (day,) = json.loads((project / ".foregone/spend.json").read_text("utf-8"))

    edit(project / "eval/thresholds.yaml", "daily_cap_usd: 0.025", "daily_cap_usd: 2.00")
    assert (status, len(kept), build(project, api, embed)) == (1, 64, 0)
    assert set(kept).isdisjoint(sent(api))
    wanted = sum(estimate_tokens(text) for text in api.asked[0]["input"]) * 20 / 1e6
    assert message == (
        "error[daily-cap]: the daily cap would be passed\n"
        "  --> eval/thresholds.yaml: budget.daily_cap_usd\n"
        f"  {64 * 20 / 1e6:.4f} USD spent on {day}, {wanted:.4f} more wanted, 0.0250 allowed\n"
        "  mend: go on tomorrow: what was embedded is kept; or raise the cap\n"
    )


@pytest.mark.parametrize(
    ("key", "prices", "message"),
    [
        (
            KEY,
            "",
            (
                "error[unknown-price]: what tea-net costs is not known\n"
                "  --> eval/thresholds.yaml: budget.prices\n"
                "  a model whose price is not committed is not called\n"
                "  mend: add its price for a million tokens; 0 for a local endpoint\n"
            ),
        ),
        (
            "",
            PRICES,
            (
                "error[no-key]: there is no key for {url}\n"
                "  --> the environment variable TEA_KEY\n"
                "  it is not set\n"
                "  mend: set TEA_KEY; a local endpoint that asks for none takes any text\n"
            ),
        ),
    ],
    ids=["price", "key"],
)
def test_without_a_key_or_a_price_nothing_is_sent(
    project: Path,
    api: FakeApi,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    key: str,
    prices: str,
    message: str,
) -> None:
    monkeypatch.setenv("TEA_KEY", key)
    (project / "eval/thresholds.yaml").write_text(THRESHOLDS + prices, encoding="utf-8")

    assert build(project, api, embed) == 1
    assert (capsys.readouterr().err, api.asked) == (message.format(url=api.url), [])


def test_a_site_is_built_from_the_index_without_key_and_endpoint(
    project: Path, api: FakeApi, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    build(project, api, embed)
    monkeypatch.delenv("TEA_KEY")
    colour = {"question": "colour", "outcome": "not_answered", "claims": []}
    import_replies(project, {name: {**colour, "question": name} for name in ("colour", "lid", "whistle")})
    asked = list(api.asked)
    capsys.readouterr()

    run("index", "status", "--project", str(project))
    run("build", "--project", str(project))
    run("verify", "--project", str(project))
    assert capsys.readouterr().out.endswith(": whole\n")
    assert api.asked == asked


def test_where_nothing_is_to_be_embedded_a_build_wants_no_key(
    project: Path, api: FakeApi, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    build(project, api, embed)
    monkeypatch.delenv("TEA_KEY")
    edit(project / "foregone.yaml", "chunk_words: 40", "chunk_words: 41")
    capsys.readouterr()

    assert build(project, api, embed) == 0
    said = capsys.readouterr()
    assert (api.asked, said.err) == ([], "")
    assert " 0 chunks embedded, " in said.out


def test_status_tells_the_version_of_a_rebuild_without_a_key(
    project: Path, api: FakeApi, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    build(project, api, embed)
    before = (project / "foregone.yaml").read_text("utf-8")
    edit(project / "foregone.yaml", "chunk_words: 8", "chunk_words: 9")
    build(project, api, embed)
    (wanted,) = (path.name for path in (project / "corpus/index").iterdir())
    (project / "foregone.yaml").write_text(before, encoding="utf-8")
    build(project, api, embed)
    edit(project / "foregone.yaml", "chunk_words: 8", "chunk_words: 9")
    monkeypatch.delenv("TEA_KEY")
    capsys.readouterr()

    assert main(["index", "status", "--project", str(project)]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == f"a rebuild gives {wanted}"


def test_status_says_what_the_embedder_lacks(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = (project / "foregone.yaml").read_text("utf-8")
    start, end = settings.index("  dense:"), settings.index("  fusion_k")
    pin = 64 * "0"
    dense = (
        f"  dense: {{embedder: onnx, folder: net, sha256: '{pin}', dimension: 4, chunk_pieces: 8, overlap_pieces: 2}}\n"
    )
    (project / "foregone.yaml").write_text(settings[:start] + dense + settings[end:], encoding="utf-8")

    assert main(["index", "status", "--project", str(project)]) == 1
    assert capsys.readouterr().out == (
        "index missing is not of this corpus and these settings\n"
        f"  {project}/corpus/index holds no index\n"
        "a rebuild gives a version that only the embedder can tell; "
        f"there is no folder {project}/net: name a complete sentence-transformers folder with an ONNX model "
        "in retrieval.dense.folder\n"
    )


def test_an_index_of_bm25_alone_names_no_price(project: Path, api: FakeApi, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "foregone.yaml").write_text(SETTINGS, encoding="utf-8")

    assert build(project, api, embed) == 0
    assert (capsys.readouterr().err, api.asked) == ("", [])
