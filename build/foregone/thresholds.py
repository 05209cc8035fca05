"""The committed thresholds, `eval/thresholds.yaml`: ceilings and floors; the code holds none of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from foregone.digest import Digest, digest_text
from foregone.located import Located, load_yaml


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
    prices: Mapping[str, float]
    """Model -> US dollars for a million tokens, on the committed date; a model without a price is not called."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """All of `eval/thresholds.yaml`."""

    budget: Budget
    digest: Digest
    """Of the file."""


def load_thresholds(path: Path) -> Thresholds:
    """The thresholds at `path`; Refused with file and line where a key is unknown, missing or out of its range."""
    located = load_yaml(path, mend="write the project's thresholds there, see README")
    budget = located.mapping(required=("budget",))["budget"]
    required = tuple(name for name in Budget.__slots__ if name != "prices")
    fields = budget.mapping(required=required, optional=("prices",))
    return Thresholds(
        Budget(
            request_deadline_ms=fields["request_deadline_ms"].integer(1, 60_000),
            max_request_ms=fields["max_request_ms"].integer(1, 60_000),
            max_requests_per_minute=fields["max_requests_per_minute"].integer(1, 100_000),
            max_client_burst=fields["max_client_burst"].integer(1, 100_000),
            trusted_proxy_hops=fields["trusted_proxy_hops"].integer(0, 16),
            max_work=fields["max_work"].integer(1, 1_000_000_000),
            daily_cap_usd=fields["daily_cap_usd"].number(0, 100_000),
            max_output_tokens=fields["max_output_tokens"].integer(1, 1_000_000),
            prices=_prices(fields["prices"]) if "prices" in fields else {},
        ),
        digest_text(located.source.text),
    )


def _prices(entry: Located) -> dict[str, float]:
    fields = entry.mapping(required=("date", "usd_per_million_tokens"))
    fields["date"].date()
    return {model: usd.number(0, 10_000) for model, usd in fields["usd_per_million_tokens"].any_mapping().items()}
