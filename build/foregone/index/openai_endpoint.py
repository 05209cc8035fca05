"""Embeddings from an OpenAI-compatible endpoint: the one module that imports openai.

The key comes from the environment alone. What a batch costs is told to the ledger before each try to send it: a try
that failed may have been charged too, so the committed daily cap holds whatever happens.
"""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from foregone.corpus.chunks import count_words
from foregone.embedder_settings import OpenAiSettings
from foregone.errors import Refused
from foregone.index.embedder import TextKind
from foregone.index.identities import identify_endpoint
from foregone.index.tries import wait_before_next
from foregone.spend import Ledger
from foregone.tokens import estimate_tokens

BATCH = 64
LARGEST = float(np.finfo(np.float32).max)
SHORTENING_MODELS = "text-embedding-3"
"""Models by that prefix take the parameter `dimensions` (OpenAI API reference, Create embeddings)."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """How to reach it."""

    settings: OpenAiSettings
    key: str
    timeout_s: float
    retries: int
    """Further tries after a failure that may pass."""
    ledger: Ledger
    usd_per_token: float


class OpenAiEmbedder:
    """An embedder behind an API."""

    batch_size = BATCH
    weigh = staticmethod(count_words)

    def __init__(self, endpoint: Endpoint) -> None:
        openai = _import_openai(endpoint.settings.model)
        self.identity = identify_endpoint(endpoint.settings)
        self._endpoint = endpoint
        self._openai = openai
        self._client = openai.OpenAI(
            api_key=endpoint.key,
            base_url=endpoint.settings.base_url,
            timeout=endpoint.timeout_s,
            max_retries=0,  # ours are counted by the ledger, each one
        )

    def embed(self, texts: Sequence[str], kind: TextKind) -> npt.NDArray[np.float32]:
        """(n_texts, dimension) rows in the order of `texts`; Refused where the endpoint fails or breaks its word."""
        del kind
        settings = self._endpoint.settings
        extra: dict[str, Any] = (
            {"dimensions": settings.dimension} if settings.model.startswith(SHORTENING_MODELS) else {}
        )
        cost = self._endpoint.usd_per_token * sum(estimate_tokens(text) for text in texts)
        request = {"model": settings.model, "input": list(texts), "encoding_format": "float", **extra}
        answer = self._read(self._send(request, cost))
        if (tokens := _tokens_used(answer)) is not None:
            self._endpoint.ledger.settle(cost, tokens * self._endpoint.usd_per_token)
        return self._rows(answer.get("data"), len(texts))

    def _send(self, request: dict[str, Any], cost: float) -> bytes:
        """The body of the answer; `cost` is reserved for each try."""
        tried = 0
        while True:
            tried += 1
            self._endpoint.ledger.reserve(cost)
            try:
                content: bytes = self._client.embeddings.with_raw_response.create(**request).content
            except self._openai.OpenAIError as error:
                wait = self._wait_behind(error, tried)
                if wait is None:
                    self._refuse(f"{type(error).__name__}: {error}")
            else:
                return content
            time.sleep(wait)

    def _wait_behind(self, error: Exception, tried: int) -> float | None:
        """Seconds until the next try; None: there is none."""
        if tried > self._endpoint.retries:
            return None
        if isinstance(error, self._openai.APIStatusError):
            return wait_before_next(error.status_code, error.response.headers, tried, datetime.now(tz=UTC))
        is_broken = isinstance(error, self._openai.APIConnectionError)
        return wait_before_next(None, {}, tried, datetime.now(tz=UTC)) if is_broken else None

    def _read(self, body: bytes) -> dict[str, Any]:
        """The JSON object of an answer; the package would pass on whatever an endpoint sends."""
        try:
            answer = json.loads(body)
        except (ValueError, RecursionError):
            self._refuse("the answer is not JSON")
        if not isinstance(answer, dict):
            self._refuse("the answer is not a JSON object")
        return answer

    def _rows(self, entries: object, n_texts: int) -> npt.NDArray[np.float32]:
        """The rows by their index: an endpoint may answer in another order."""
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            self._refuse("the answer holds no list of vectors")
        places = [entry.get("index") for entry in entries]
        if not all(type(place) is int for place in places) or sorted(places) != list(range(n_texts)):
            self._refuse(f"{n_texts} texts were sent, the answer has the indexes {places}")
        rows = np.zeros((n_texts, self.identity.dimension), dtype=np.float32)
        for entry in entries:
            rows[entry["index"]] = self._vector(entry.get("embedding"))
        return rows

    def _vector(self, numbers: object) -> list[float]:
        if not isinstance(numbers, list):
            self._refuse("a vector is not a list of numbers")
        if len(numbers) != self.identity.dimension:
            self._refuse(f"expected {self.identity.dimension} dimensions, found {len(numbers)}")
        if not all(type(number) in (int, float) and abs(number) <= LARGEST for number in numbers):
            self._refuse("a vector holds something that is no finite number")
        return numbers

    def _refuse(self, why: str) -> NoReturn:
        settings = self._endpoint.settings
        raise Refused(
            "endpoint-failed",
            f"the embedding endpoint {settings.base_url} failed",
            where=f"{settings.base_url} model {settings.model}",
            why=(why.replace(self._endpoint.key, "(key)"),),
            mend="run `foregone index build` again: what was embedded is kept, and only the rest is sent",
        )


def _import_openai(model: str) -> Any:  # noqa: ANN401 - a module
    try:
        import openai
    except ImportError as error:
        raise Refused(
            "no-embedder",
            f"the embedder {model} cannot run here",
            why=(str(error),),
            mend="install the package openai, or take `dense` out of retrieval.legs in foregone.yaml",
        ) from error
    return openai


def _tokens_used(answer: dict[str, Any]) -> int | None:
    """What the endpoint says that it counted; None where it says nothing that can be."""
    usage = answer.get("usage")
    tokens = usage.get("total_tokens") if isinstance(usage, dict) else None
    return tokens if type(tokens) is int and tokens >= 0 else None
