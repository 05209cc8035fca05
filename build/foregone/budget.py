"""The `budget` block of `eval/thresholds.yaml`: ceilings on what one answer, one client, one day and one rebuild take."""

from collections.abc import Mapping
from dataclasses import dataclass

from foregone.located import Located

CLIENT_MINUTE_MS = 15_000
"""Of the 60,000 ms that a process has in a minute, one client may demand at most a quarter."""
SHORTEST_DEADLINE_MS = 2
"""Of this a bar of 1 ms is half."""
REQUIRED = (
    "request_deadline_ms", "max_request_ms", "max_requests_per_minute", "max_client_burst", "trusted_proxy_hops",
    "max_work", "daily_cap_usd", "max_output_tokens",
)  # fmt: skip
OPTIONAL = ("max_rebuild_usd", "max_rerecord_usd", "prices")


@dataclass(frozen=True, slots=True)
class DraftingPrice:
    """What the model costs that would record drafts: US dollars for a million tokens."""

    model: str
    input_usd: float
    output_usd: float


@dataclass(frozen=True, slots=True)
class Prices:
    """Committed prices; a model without one is not called."""

    date: str
    """The day that they were true, e.g. `2026-12-01`."""
    embedding: Mapping[str, float]
    """Model -> US dollars for a million tokens."""
    drafting: DraftingPrice | None


@dataclass(frozen=True, slots=True)
class Budget:
    """Ceilings on what one answer, one client and one day may take."""

    request_deadline_ms: int
    """Wall time of one request at the edge, and of grounding one question at build."""
    max_request_ms: int
    """Latency bar of the gate."""
    max_requests_per_minute: int
    """Allowance of one client."""
    max_client_burst: int
    trusted_proxy_hops: int
    """Entries of X-Forwarded-For, from the right, that are believed."""
    max_work: int
    """Tokens that grounding one answer may read; beyond it the answer is abandoned."""
    daily_cap_usd: float
    """US dollars that the commands which call an API may spend a day."""
    max_output_tokens: int
    """Tokens that a recorded draft may take."""
    max_rebuild_usd: float | None
    """US dollars that embedding the whole corpus and question set may take; None: the gate cannot run."""
    max_rerecord_usd: float | None
    """US dollars that recording every draft anew may take; None: the gate cannot run."""
    prices: Prices | None

    @property
    def embedding_prices(self) -> Mapping[str, float]:
        """Model -> US dollars for a million tokens."""
        return self.prices.embedding if self.prices else {}


def read_budget(entry: Located) -> Budget:
    """The block; Refused with file and line where a key is unknown, missing, out of its range, or at odds with another."""
    fields = entry.mapping(REQUIRED, OPTIONAL)
    budget = Budget(
        request_deadline_ms=fields["request_deadline_ms"].integer(SHORTEST_DEADLINE_MS, CLIENT_MINUTE_MS),
        max_request_ms=fields["max_request_ms"].integer(1, CLIENT_MINUTE_MS // 2),
        max_requests_per_minute=fields["max_requests_per_minute"].integer(1, CLIENT_MINUTE_MS // SHORTEST_DEADLINE_MS),
        max_client_burst=fields["max_client_burst"].integer(1, 100_000),
        trusted_proxy_hops=fields["trusted_proxy_hops"].integer(0, 16),
        max_work=fields["max_work"].integer(1, 1_000_000_000),
        daily_cap_usd=fields["daily_cap_usd"].number(0, 100_000),
        max_output_tokens=fields["max_output_tokens"].integer(1, 1_000_000),
        max_rebuild_usd=_usd(fields.get("max_rebuild_usd")),
        max_rerecord_usd=_usd(fields.get("max_rerecord_usd")),
        prices=_prices(fields["prices"]) if "prices" in fields else None,
    )
    _refuse_late_bar(fields["max_request_ms"], budget)
    _refuse_greedy_client(fields["max_requests_per_minute"], budget)
    return budget


def _refuse_late_bar(field: Located, budget: Budget) -> None:
    if 2 * budget.max_request_ms > budget.request_deadline_ms:
        field.refuse(
            "late-bar",
            f"{field.name} is {budget.max_request_ms}, more than half the deadline",
            why=(f"the deadline is {budget.request_deadline_ms} ms: a bar above half of it warns too late",),
            mend=f"write at most {budget.request_deadline_ms // 2}",
        )


def _refuse_greedy_client(field: Located, budget: Budget) -> None:
    """Rate times deadline is the most time that one client can keep a process busy in a minute."""
    demanded = budget.max_requests_per_minute * budget.request_deadline_ms
    if demanded > CLIENT_MINUTE_MS:
        field.refuse(
            "greedy-client",
            f"{field.name} is {budget.max_requests_per_minute}: one client could take {demanded:,} ms of each minute",
            why=(
                f"each may take {budget.request_deadline_ms} ms; a quarter of a minute, {CLIENT_MINUTE_MS:,} ms, is allowed",
            ),
            mend=f"write at most {CLIENT_MINUTE_MS // budget.request_deadline_ms}, or lower the deadline",
        )


def _usd(field: Located | None) -> float | None:
    return None if field is None else field.number(0, 100_000)


def _prices(entry: Located) -> Prices:
    fields = entry.mapping(required=("date", "usd_per_million_tokens"), optional=("drafting",))
    embedding = fields["usd_per_million_tokens"].any_mapping()
    return Prices(
        fields["date"].date(),
        {model: usd.number(0, 10_000) for model, usd in embedding.items()},
        _drafting(fields["drafting"]) if "drafting" in fields else None,
    )


def _drafting(entry: Located) -> DraftingPrice:
    fields = entry.mapping(required=("model", "input", "output"))
    return DraftingPrice(
        fields["model"].string(), fields["input"].number(0, 10_000), fields["output"].number(0, 10_000)
    )
