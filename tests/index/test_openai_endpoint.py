"""An endpoint that misbehaves is refused with its reason; what it gave before is kept, and the cap holds."""

import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fake_endpoint import KEY, Answer, FakeApi, Reply, failure, serve_fake, vectors
from foregone.embedder_settings import OpenAiSettings
from foregone.errors import Refused
from foregone.index.embedder import embed_texts
from foregone.index.openai_endpoint import Endpoint, OpenAiEmbedder
from foregone.spend import Ledger


@pytest.fixture
def api() -> Iterator[FakeApi]:
    with serve_fake() as fake:
        yield fake


def embedder(
    api: FakeApi,
    tmp_path: Path,
    *,
    cap: float = 1.0,
    timeout_s: float = 5.0,
    retries: int = 4,
    model: str = "text-embedding-3-small",
) -> OpenAiEmbedder:
    settings = OpenAiSettings(api.url, model, 3, "KEY")
    ledger = Ledger(tmp_path / "spend.json", "2026-12-01", cap)
    return OpenAiEmbedder(Endpoint(settings, KEY, timeout_s, retries, ledger, usd_per_token=0.001))


def refusal(api: FakeApi, why: str) -> str:
    return (
        f"error[endpoint-failed]: the embedding endpoint {api.url} failed\n"
        f"  --> {api.url} model text-embedding-3-small\n"
        f"  {why}\n"
        "  mend: run `foregone index build` again: what was embedded is kept, and only the rest is sent"
    )


def test_rows_come_in_the_order_of_the_texts_whatever_the_order_of_the_answer(api: FakeApi, tmp_path: Path) -> None:
    api.answers = [vectors((1, [0.0, 2.0, 0.0]), (0, [3.0, 0.0, 0.0]))]

    rows = embedder(api, tmp_path).embed(["tea", "milk"], "document")
    assert rows.tolist() == [[3.0, 0.0, 0.0], [0.0, 2.0, 0.0]]


def test_stored_rows_are_of_unit_length(api: FakeApi, tmp_path: Path) -> None:
    api.answers = [vectors((0, [3.0, 4.0, 0.0]))]

    rows = embed_texts(embedder(api, tmp_path), ["tea"], "document", lambda _places, _rows: None)
    assert np.array_equal(rows, np.array([[0.6, 0.8, 0.0]], dtype=np.float16))


def test_model_dimension_and_key_are_sent(api: FakeApi, tmp_path: Path) -> None:
    api.answers = [vectors((0, [1.0, 0.0, 0.0]))]

    embedder(api, tmp_path).embed(["tea"], "query")
    sent = {"model": "text-embedding-3-small", "input": ["tea"], "encoding_format": "float", "dimensions": 3}
    assert (api.asked, api.keys) == ([sent], [f"Bearer {KEY}"])


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_passing_failure_is_tried_again(api: FakeApi, tmp_path: Path, status: int) -> None:
    api.answers = [failure(status, Retry_After="0.01"), vectors((0, [1.0, 0.0, 0.0]))]

    rows = embedder(api, tmp_path).embed(["tea"], "document")
    assert (rows.tolist(), len(api.asked)) == ([[1.0, 0.0, 0.0]], 2)


def test_retry_after_is_waited_for(api: FakeApi, tmp_path: Path) -> None:
    api.answers = [failure(429, Retry_After="0.4"), vectors((0, [1.0, 0.0, 0.0]))]

    start = time.monotonic()
    embedder(api, tmp_path).embed(["tea"], "document")
    assert time.monotonic() - start >= 0.4


def test_an_endpoint_that_keeps_failing_is_refused_without_the_key(api: FakeApi, tmp_path: Path) -> None:
    api.answers = [failure(500, retry_after_ms="1")]

    with pytest.raises(Refused) as refused:
        embedder(api, tmp_path).embed(["tea"], "document")
    assert str(refused.value) == refusal(api, "InternalServerError: Error code: 500 - status 500 for (key)")
    assert len(api.asked) == 5


def test_an_endpoint_that_hangs_is_refused(api: FakeApi, tmp_path: Path) -> None:
    let_go = threading.Event()

    def hang(_: dict[str, Any]) -> Reply:
        let_go.wait(5)
        return 200, {}, b"{}"

    api.answers = [hang]
    impatient = embedder(api, tmp_path, timeout_s=0.05, retries=0)
    with pytest.raises(Refused) as refused:
        impatient.embed(["tea"], "document")
    let_go.set()
    assert str(refused.value) == refusal(api, "APITimeoutError: Request timed out.")


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (vectors((0, [1.0, 0.0])), "expected 3 dimensions, found 2"),
        (vectors((0, [1.0, 0.0, 0.0])), "2 texts were sent, the answer has the indexes [0]"),
        (vectors((0, [1.0, 0.0, 0.0]), (0, [1.0, 0.0, 0.0])), "2 texts were sent, the answer has the indexes [0, 0]"),
        (
            vectors((0, [float("nan"), 0.0, 0.0]), (1, [1.0, 0.0, 0.0])),
            "a vector holds something that is no finite number",
        ),
        (vectors((0, ["tea", 0.0, 0.0]), (1, [1.0, 0.0, 0.0])), "a vector holds something that is no finite number"),
    ],
)
def test_an_answer_that_breaks_its_word_is_refused(api: FakeApi, tmp_path: Path, answer: Answer, why: str) -> None:
    api.answers = [answer]

    texts = ["tea"] if "dimensions" in why else ["tea", "milk"]
    with pytest.raises(Refused) as refused:
        embedder(api, tmp_path).embed(texts, "document")
    assert str(refused.value) == refusal(api, why)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"<html>Sign in</html>", "the answer is not JSON"),
        (b'{"data": [', "the answer is not JSON"),
        (b"\xe9", "the answer is not JSON"),
        (b"[" * 100_000, "the answer is not JSON"),
        (b"[]", "the answer is not a JSON object"),
        (b"{}", "the answer holds no list of vectors"),
        (b'{"data": null}', "the answer holds no list of vectors"),
        (b'{"data": [1]}', "the answer holds no list of vectors"),
        (b'{"data": [{"embedding": [1, 0, 0]}]}', "1 texts were sent, the answer has the indexes [None]"),
        (
            b'{"data": [{"index": true, "embedding": [1, 0, 0]}]}',
            "1 texts were sent, the answer has the indexes [True]",
        ),
        (b'{"data": [{"index": 0}]}', "a vector is not a list of numbers"),
        (b'{"data": [{"index": 0, "embedding": "AACAPw"}]}', "a vector is not a list of numbers"),
        (b'{"data": [{"index": 0, "embedding": [1e999, 0, 0]}]}', "a vector holds something that is no finite number"),
        (b'{"data": [{"index": 0, "embedding": [1e39, 0, 0]}]}', "a vector holds something that is no finite number"),
        (b'{"data": [{"index": 0, "embedding": [true, 0, 0]}]}', "a vector holds something that is no finite number"),
        (
            b'{"data": [{"index": 0, "embedding": [1' + b"0" * 400 + b", 0, 0]}]}",
            "a vector holds something that is no finite number",
        ),
    ],
)
def test_an_answer_of_another_form_is_refused(api: FakeApi, tmp_path: Path, body: bytes, why: str) -> None:
    api.answers = [lambda _: (200, {}, body)]

    with pytest.raises(Refused) as refused:
        embedder(api, tmp_path).embed(["tea"], "document")
    assert str(refused.value) == refusal(api, why)


@pytest.mark.parametrize("usage", [b"null", b"{}", b"7", b'{"total_tokens": "7"}', b'{"total_tokens": -7}'])
def test_where_an_endpoint_does_not_say_what_it_counted_the_estimate_stands(
    api: FakeApi, tmp_path: Path, usage: bytes
) -> None:
    api.answers = [lambda _: (200, {}, b'{"data": [{"index": 0, "embedding": [1, 0, 0]}], "usage": ' + usage + b"}")]

    embedder(api, tmp_path).embed(["a cup of tea"], "document")
    assert Ledger(tmp_path / "spend.json", "2026-12-01", 1.0).spent() == pytest.approx(0.004)


def test_what_a_failed_batch_would_have_cost_stays_counted(api: FakeApi, tmp_path: Path) -> None:
    api.answers = [failure(400)]

    with pytest.raises(Refused) as refused:
        embedder(api, tmp_path).embed(["a cup of tea"], "document")
    assert str(refused.value) == refusal(api, "BadRequestError: Error code: 400 - status 400 for (key)")
    assert Ledger(tmp_path / "spend.json", "2026-12-01", 1.0).spent() == pytest.approx(0.004)


@pytest.mark.parametrize("model", ["text-embedding-ada-002", "nomic-embed-text"])
def test_a_model_that_knows_no_other_dimension_is_not_asked_for_one(api: FakeApi, tmp_path: Path, model: str) -> None:
    api.answers = [vectors((0, [1.0, 0.0, 0.0]))]

    embedder(api, tmp_path, model=model).embed(["tea"], "query")
    assert api.asked == [{"model": model, "input": ["tea"], "encoding_format": "float"}]


def test_without_its_package_the_embedder_is_refused(
    api: FakeApi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)

    with pytest.raises(Refused) as refused:
        embedder(api, tmp_path)
    assert str(refused.value) == (
        "error[no-embedder]: the embedder text-embedding-3-small cannot run here\n"
        "  import of openai halted; None in sys.modules\n"
        "  mend: install the package openai, or take `dense` out of retrieval.legs in foregone.yaml"
    )


def test_a_zero_vector_is_refused(api: FakeApi, tmp_path: Path) -> None:
    api.answers = [vectors((0, [0.0, 0.0, 0.0]))]

    with pytest.raises(Refused) as refused:
        embed_texts(embedder(api, tmp_path), ["tea"], "document", lambda _places, _rows: None)
    assert str(refused.value) == (
        "error[bad-vector]: the embedder text-embedding-3-small gave vectors that cannot be used\n"
        "  --> text-embedding-3-small\n"
        "  expected finite numbers, not all of them 0\n"
        "  found others\n"
        "  mend: look at the model and its dimension in foregone.yaml; what was embedded before is kept"
    )


def test_what_a_batch_really_cost_is_counted(api: FakeApi, tmp_path: Path) -> None:
    api.answers = [vectors((0, [1.0, 0.0, 0.0]), tokens=4)]
    with_ledger = embedder(api, tmp_path)

    with_ledger.embed(["a cup of tea"], "document")
    assert Ledger(tmp_path / "spend.json", "2026-12-01", 1.0).spent() == pytest.approx(0.004)


def test_nothing_is_sent_past_the_daily_cap(api: FakeApi, tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        embedder(api, tmp_path, cap=0.003).embed(["a cup of tea"], "document")
    assert str(refused.value) == (
        "error[daily-cap]: the daily cap would be passed\n"
        "  --> eval/thresholds.yaml: budget.daily_cap_usd\n"
        "  0.0000 USD spent on 2026-12-01, 0.0040 more wanted, 0.0030 allowed\n"
        "  mend: go on tomorrow: what was embedded is kept; or raise the cap"
    )
    assert api.asked == []


def test_each_try_is_counted_before_it_is_made(api: FakeApi, tmp_path: Path) -> None:
    api.answers = [failure(500, retry_after_ms="1"), failure(429, retry_after_ms="1"), vectors((0, [1.0, 0.0, 0.0]))]

    embedder(api, tmp_path).embed(["a cup of tea"], "document")
    assert Ledger(tmp_path / "spend.json", "2026-12-01", 1.0).spent() == pytest.approx(2 * 0.004 + 0.007)


def test_tries_stop_before_they_pass_the_daily_cap(api: FakeApi, tmp_path: Path) -> None:
    api.answers = [failure(500, retry_after_ms="1")]

    with pytest.raises(Refused) as refused:
        embedder(api, tmp_path, cap=0.01).embed(["a cup of tea"], "document")
    assert str(refused.value) == (
        "error[daily-cap]: the daily cap would be passed\n"
        "  --> eval/thresholds.yaml: budget.daily_cap_usd\n"
        "  0.0080 USD spent on 2026-12-01, 0.0040 more wanted, 0.0100 allowed\n"
        "  mend: go on tomorrow: what was embedded is kept; or raise the cap"
    )
    assert len(api.asked) == 2


def test_a_connection_that_breaks_is_tried_again(api: FakeApi, tmp_path: Path) -> None:
    tries: list[int] = []

    def hang_once(request: dict[str, Any]) -> Reply:
        tries.append(1)
        if len(tries) == 1:
            time.sleep(0.4)
        return vectors((0, [1.0, 0.0, 0.0]))(request)

    api.answers = [hang_once]
    assert embedder(api, tmp_path, timeout_s=0.2, retries=1).embed(["tea"], "document").tolist() == [[1.0, 0.0, 0.0]]
    assert len(tries) == 2
