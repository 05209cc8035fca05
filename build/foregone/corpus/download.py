"""Download: the bytes at a URL, with bounded time, bounded size and few retries. The only module that uses httpx."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx

MAX_REDIRECTS = 5


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a download may take and how often it is tried again; seconds."""

    connect_s: float = 4.0
    """Long enough for a connection request to be sent three times (after 0, 1 and 3 s: RFC 6298 and Linux)."""
    read_s: float = 10.0
    """Longest silence of a server."""
    total_s: float = 60.0
    """Longest time for the body of one answer."""
    pauses_s: tuple[float, ...] = (0.5, 1.0, 2.0)
    """The wait before each retry."""
    longest_pause_s: float = 10.0
    """A server that asks to wait longer (Retry-After) is not asked again."""


PATIENCE = Patience()


class DownloadFailed(Exception):
    """Why a URL gave nothing, in words."""

    def __init__(
        self, why: str, *, is_passing: bool = False, asked_s: float | None = None, unreachable: str = ""
    ) -> None:
        self.is_passing = is_passing
        """Whether another try may succeed."""
        self.asked_s = asked_s
        """How long the server asks to wait before it."""
        self.unreachable = unreachable
        """`host` or `host:port` that cannot be connected to; empty where it answered."""
        super().__init__(why)


def download(
    url: str, limit: int, *, patience: Patience = PATIENCE, sleep: Callable[[float], None] = time.sleep
) -> bytes:
    """The body at `url`, at most `limit` bytes long; DownloadFailed otherwise.

    Tried again after a broken connection, a silent server, 429 and 5xx. A connection that is not made in time is not
    tried again, so that a network that swallows packets costs `connect_s` once. Redirects lead to http and https only.
    """
    with _client(patience) as client:
        for pause_s in patience.pauses_s:
            try:
                return _get(client, url, limit, patience)
            except DownloadFailed as failure:
                wait_s = pause_s if failure.asked_s is None else failure.asked_s
                if not failure.is_passing or wait_s > patience.longest_pause_s:
                    raise
                sleep(wait_s)
        return _get(client, url, limit, patience)


def host_of(url: str) -> str:
    """`host` or `host:port` of an http or https URL.

    >>> host_of("http://127.0.0.1:8000/rfc/rfc3986.txt")
    '127.0.0.1:8000'
    """
    return url.split("/")[2]


def _client(patience: Patience) -> "httpx.Client":
    import httpx

    timeout = httpx.Timeout(patience.read_s, connect=patience.connect_s)
    try:
        return httpx.Client(timeout=timeout, follow_redirects=True, max_redirects=MAX_REDIRECTS)
    except (ImportError, ValueError, OSError) as error:
        raise DownloadFailed(f"the proxy or certificates that the environment names do not work: {error}") from error


def _get(client: "httpx.Client", url: str, limit: int, patience: Patience) -> bytes:
    import httpx

    try:
        with client.stream("GET", url) as response:
            _refuse_status(response, url)
            return _body(response, url, limit, patience)
    except (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError) as error:
        host = error.request.url.netloc.decode()
        raise DownloadFailed(
            f"{url}: {host} cannot be connected to: {str(error) or 'no answer in time'}",
            is_passing=isinstance(error, httpx.ConnectError),
            unreachable=host,
        ) from error
    except httpx.TimeoutException as error:
        raise DownloadFailed(f"{url} is silent for {patience.read_s:g} s", is_passing=True) from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        is_broken = isinstance(error, httpx.NetworkError | httpx.RemoteProtocolError)
        raise DownloadFailed(f"{url}: {error}", is_passing=is_broken) from error


def _refuse_status(response: "httpx.Response", url: str) -> None:
    status = response.status_code
    if status == HTTPStatus.OK:
        return
    after = response.headers.get("Retry-After", "")
    asked_s = float(after) if after.isascii() and after.isdigit() else None
    asks = "" if asked_s is None else f" and asks to wait {asked_s:g} s"
    raise DownloadFailed(
        f"{url} answers {status} {response.reason_phrase}{asks}",
        is_passing=status == HTTPStatus.TOO_MANY_REQUESTS or response.is_server_error,
        asked_s=asked_s,
    )


def _body(response: "httpx.Response", url: str, limit: int, patience: Patience) -> bytes:
    end = time.monotonic() + patience.total_s
    body = bytearray()
    for part in response.iter_bytes():
        body += part
        if len(body) > limit:
            raise DownloadFailed(f"{url} is longer than {limit:,} bytes")
        if time.monotonic() > end:
            raise DownloadFailed(f"{url} takes longer than {patience.total_s:g} s")
    return bytes(body)
