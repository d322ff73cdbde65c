"""Options, from arguments and the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from .errors import ConfigurationError

Fail = Literal["open", "closed"]
Overflow = Literal["drop", "wait", "throw"]

TIMEOUT_SECONDS = 10.0
QUEUE_MAX = 1_000
FOLDER_MAX = 10_000
CHARACTERS_MAX = 64 * 1024 * 1024


@dataclass(frozen=True)
class QueueOptions:
    """
    How answers wait until the service has them.

    - `max`: most answers that wait or are being sent; default 1,000, in a folder 10,000.
    - `max_characters`: most characters that all of these may have as JSON; default 64 Mi, in a folder not counted.
    - `overflow`: what `record` does while the queue is full. `drop` reports the answer to `on_error` (default), `wait`
      returns when there is room (default in a folder), `throw` raises QueueError.
    - `concurrency`: most requests at a time; default 4.
    - `folder`: a folder of this machine. Each answer is a file on the disk when `record` returns, and is sent by the
      next process with this folder if this one ends before. Its files hold the texts, masked.
    """

    max: int | None = None
    max_characters: int | None = None
    overflow: Overflow | None = None
    concurrency: int = 4
    folder: str | Path | None = None


@dataclass(frozen=True)
class QueueLimits:
    """What a queue is bounded by."""

    max: int
    max_characters: int | None
    overflow: Overflow
    concurrency: int


def read_limits(queue: QueueOptions, fail: Fail) -> QueueLimits:
    """The bounds of the queue. Raises ConfigurationError."""
    in_folder = queue.folder is not None
    if fail not in ("open", "closed"):
        raise ConfigurationError("the option fail must be open or closed")
    if in_folder and fail == "closed":
        raise ConfigurationError("with fail closed nothing waits, so there is no queue for a folder: leave one out")
    overflow = queue.overflow or ("wait" if in_folder else "drop")
    if overflow not in ("drop", "wait", "throw"):
        raise ConfigurationError("the overflow of the queue must be drop, wait or throw")
    if in_folder and overflow == "drop":
        raise ConfigurationError("a queue in a folder keeps what it took: choose the overflow wait or throw")
    characters = None if in_folder else _count("max_characters", queue.max_characters or CHARACTERS_MAX)
    most = queue.max if queue.max is not None else (FOLDER_MAX if in_folder else QUEUE_MAX)
    return QueueLimits(_count("max", most), characters, overflow, _count("concurrency", queue.concurrency))


@dataclass(frozen=True, repr=False)
class Host:
    """Where the service is, and the token for it."""

    url: str
    token: str


def read_host(url: str | None, token: str | None, environment: Mapping[str, str] = os.environ) -> Host:
    """The host, from arguments or the environment. Raises ConfigurationError, without the token."""
    url = url or environment.get("ANSWER_EVIDENCE_URL") or environment.get("SERVICE_REGISTRY")
    token = token or environment.get("ANSWER_EVIDENCE_TOKEN") or environment.get("SERVICE_TOKEN")
    if not url:
        raise ConfigurationError("the service is not named: set ANSWER_EVIDENCE_URL, or give the option url")
    if not token:
        raise ConfigurationError("there is no token: set ANSWER_EVIDENCE_TOKEN, or give the option token")
    if not token.isascii() or not token.isprintable() or " " in token:
        raise ConfigurationError("the token has characters that no token has: give it without quotes and line feeds")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query or parts.fragment:
        raise ConfigurationError("the URL of the service must be like https://evidence.example, without user and query")
    return Host(url.rstrip("/"), token)


def read_application(application: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """The application. Raises ConfigurationError."""
    application = application or environment.get("ANSWER_EVIDENCE_APPLICATION")
    if not application:
        message = "the application is not named: set ANSWER_EVIDENCE_APPLICATION, or give the option application"
        raise ConfigurationError(message)
    return application


def _count(name: str, value: int) -> int:
    if isinstance(value, int) and value > 0:
        return value
    raise ConfigurationError(f"the option {name} of the queue must be a positive whole number")
