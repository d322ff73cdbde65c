"""When a request is sent again, and after how long."""

from __future__ import annotations

import email.utils
import random
import re

import httpx

from .errors import EvidenceError, ProblemError, ResponseError, TransportError

ATTEMPTS_MAX = 4
BASE_SECONDS = 0.25
DELAY_SECONDS_MAX = 8.0
RETRY_AFTER_SECONDS_MAX = 60.0
TOO_MANY_REQUESTS = 429
TRANSIENT_STATUSES = (408, TOO_MANY_REQUESTS, 502, 503, 504)

# Statuses of a problem that another token, another URL or another time may change.
MAY_PASS = (401, 403, 404, 408, TOO_MANY_REQUESTS)


class RefusedConnection(TransportError):
    """The connection was refused, so the request certainly did nothing."""


def plan_retry(error: EvidenceError, is_safe: bool, attempt: int) -> float | None:
    """
    Seconds until the next attempt, None if there is none. `is_safe` says that doing it twice is doing it once;
    otherwise only a request that certainly did nothing is repeated. Attempts count from 1.
    """
    if attempt >= ATTEMPTS_MAX or not _is_repeatable(error, is_safe):
        return None
    asked = asked_wait(error)
    return None if asked > RETRY_AFTER_SECONDS_MAX else max(asked, backoff(attempt, BASE_SECONDS, DELAY_SECONDS_MAX))


def backoff(failures: int, base: float, most: float) -> float:
    """Doubles with each failure, from 1. Half of it is jitter, so that those who failed together do not return so."""
    ceiling = min(most, base * 2.0 ** min(failures - 1, 16))
    return ceiling / 2 + ceiling / 2 * random.random()


def asked_wait(error: BaseException) -> float:
    """How long the service asks to wait, in seconds."""
    return (error.retry_after or 0.0) if isinstance(error, ProblemError | ResponseError) else 0.0


def is_refused(error: BaseException) -> bool:
    """Whether an answer will never be accepted as it is. Everything else is worth another attempt later."""
    return isinstance(error, ProblemError) and error.status < 500 and error.status not in MAY_PASS


def read_retry_after(headers: httpx.Headers) -> float | None:
    """The wait that a response asks for. A date is relative to the response's `Date`, never to a clock here."""
    text = headers.get("retry-after", "")
    if re.fullmatch(r"[0-9]{1,9}", text):
        return float(text)
    try:
        until = email.utils.parsedate_to_datetime(text)
        since = email.utils.parsedate_to_datetime(headers.get("date", ""))
        return max(0.0, (until - since).total_seconds())
    except (TypeError, ValueError):
        return None


def _is_repeatable(error: EvidenceError, is_safe: bool) -> bool:
    if isinstance(error, RefusedConnection):
        return True
    if isinstance(error, TransportError):
        return is_safe
    status = error.status if isinstance(error, ProblemError | ResponseError) else 0
    return status == TOO_MANY_REQUESTS or (is_safe and status in TRANSIENT_STATUSES)
