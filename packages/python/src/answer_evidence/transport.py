"""Requests, responses, and the two ways to send them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import IO, Any

import httpx

from .comparing import Differences
from .errors import EvidenceError, ProblemError, ResponseError, TimeoutError, TransportError
from .retry import ATTEMPTS_MAX, RefusedConnection, plan_retry, read_retry_after

# Nothing that the service responds is larger, but for the originals of evidence.
BODY_BYTES_MAX = 128 * 1024 * 1024
# Opens a file for one attempt.
Open = Callable[[], "IO[bytes]"]


@dataclass(frozen=True)
class Request:
    """
    One call of the API. `is_safe`: it reads, or carries an idempotency key, so that repeating it changes nothing.
    `members`: what the object that the service responds has at least. `compare`: where it is about something else.
    """

    method: str
    path: str
    body: Any = None
    content: bytes | None = None
    query: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    is_safe: bool = False
    timeout: float | None = None
    form: tuple[str, str, str | None, Open] | None = None
    members: tuple[str, ...] = ("id",)
    compare: Callable[[Differences], None] = lambda _: None

    @contextmanager
    def arguments(self, timeout: float) -> Iterator[dict[str, Any]]:
        """What httpx is given for one attempt."""
        given: dict[str, Any] = {"method": self.method, "url": self.path, "timeout": self.timeout or timeout}
        given["params"] = {name: value for name, value in self.query.items() if value is not None}
        given["headers"] = dict(self.headers)
        if self.form is not None:
            metadata, name, content_type, open_file = self.form
            with open_file() as file:
                part = (name, file, content_type) if content_type else (name, file)
                yield {**given, "files": [("metadata", (None, metadata, "application/json")), ("file", part)]}
            return
        if self.content is not None:
            given["content"] = self.content
            given["headers"]["Content-Type"] = "application/json"
        elif self.body is not None:
            given["json"] = self.body
        yield given


def read_error(response: httpx.Response) -> EvidenceError:
    """The error that a response is. Its body has been read."""
    retry_after = read_retry_after(response.headers)
    if response.headers.get("content-type", "").startswith("application/problem+json"):
        try:
            problem = response.json()
        except ValueError:
            problem = None
        if isinstance(problem, dict) and isinstance(problem.get("code"), str):
            return ProblemError(response.status_code, problem, retry_after)
    kind = response.headers.get("content-type", "no content type").split(";")[0][:80]
    message = (
        f"{response.status_code}: the response is not the service's ({kind}): check the URL, and proxies before it"
    )
    return ResponseError(message, response.status_code, retry_after)


def read_object(response: httpx.Response, members: tuple[str, ...]) -> dict[str, Any]:
    """The object of a successful response. Raises ResponseError for anything else, such as a page of a proxy."""
    if response.is_success and response.headers.get("content-type", "").startswith("application/json"):
        try:
            value = response.json()
        except ValueError:
            value = None
        if isinstance(value, dict) and all(name in value for name in members):
            return value
    raise read_error(response)


class Body:
    """The body of a response, as far as it came: it neither grows nor lasts without end."""

    def __init__(self, timeout: float) -> None:
        self.end = time.monotonic() + timeout
        self.pieces: list[bytes] = []
        self.size = 0

    def add(self, piece: bytes, response: httpx.Response) -> None:
        self.size += len(piece)
        if time.monotonic() > self.end:
            raise TimeoutError(f"no whole response from {response.url.host} in time")
        if self.size > BODY_BYTES_MAX:
            message = f"{response.status_code}: the response is larger than any of the service's: check the URL"
            raise ResponseError(message, response.status_code)
        self.pieces.append(piece)

    def of(self, response: httpx.Response) -> httpx.Response:
        """The response with this body, which is decoded."""
        headers = [(name, value) for name, value in response.headers.items() if name != "content-encoding"]
        return httpx.Response(response.status_code, headers=headers, content=b"".join(self.pieces))


def to_error(error: httpx.HTTPError | httpx.InvalidURL | httpx.StreamError, host: str) -> EvidenceError:
    """What this package raises for an error of httpx. Its message holds no path and no header."""
    if isinstance(error, httpx.ConnectError):
        return RefusedConnection(f"no connection to {host}")
    if isinstance(error, httpx.TimeoutException):
        return TimeoutError(f"no response from {host} in time")
    return TransportError(f"no whole response from {host} ({type(error).__name__})")


class Transport:
    """Sends requests, and repeats them as far as that is safe."""

    def __init__(self, client: httpx.Client, timeout: float, attempts_max: int = ATTEMPTS_MAX) -> None:
        self.client, self.timeout, self.attempts_max = client, timeout, attempts_max

    def send(self, request: Request) -> httpx.Response:
        """The successful response, read."""
        return self._repeat(request, self._attempt_whole)

    def fetch(self, request: Request) -> dict[str, Any]:
        """The object that the service responds."""
        return read_object(self.send(request), request.members)

    @contextmanager
    def open(self, request: Request) -> Iterator[httpx.Response]:
        """The successful response, whose body is not read yet."""
        response = self._repeat(request, self._attempt)
        try:
            yield response
        except (httpx.HTTPError, httpx.StreamError) as error:
            raise to_error(error, self.client.base_url.host) from error
        finally:
            response.close()

    def _repeat(self, request: Request, attempt_once: Callable[[Request], httpx.Response]) -> httpx.Response:
        attempt = 1
        while True:
            try:
                return attempt_once(request)
            except EvidenceError as error:
                wait = plan_retry(error, request.is_safe, attempt) if attempt < self.attempts_max else None
                if wait is None:
                    raise
                time.sleep(wait)
                attempt += 1

    def _attempt_whole(self, request: Request) -> httpx.Response:
        return self._read(self._attempt(request))

    def _attempt(self, request: Request) -> httpx.Response:
        try:
            with request.arguments(self.timeout) as arguments:
                response = self.client.send(self.client.build_request(**arguments), stream=True)
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            raise to_error(error, self.client.base_url.host) from error
        if response.is_success:
            return response
        raise read_error(self._read(response))

    def _read(self, response: httpx.Response) -> httpx.Response:
        body = Body(self.timeout)
        try:
            for piece in response.iter_bytes():
                body.add(piece, response)
        except (httpx.HTTPError, httpx.StreamError) as error:
            raise to_error(error, self.client.base_url.host) from error
        finally:
            response.close()
        return body.of(response)


class AsyncTransport:
    """The same, without blocking the event loop."""

    def __init__(self, client: httpx.AsyncClient, timeout: float) -> None:
        self.client, self.timeout = client, timeout

    async def send(self, request: Request) -> httpx.Response:
        """The successful response, read."""
        return await self._repeat(request, self._attempt_whole)

    async def fetch(self, request: Request) -> dict[str, Any]:
        """The object that the service responds."""
        return read_object(await self.send(request), request.members)

    @asynccontextmanager
    async def open(self, request: Request) -> AsyncIterator[httpx.Response]:
        """The successful response, whose body is not read yet."""
        response = await self._repeat(request, self._attempt)
        try:
            yield response
        except (httpx.HTTPError, httpx.StreamError) as error:
            raise to_error(error, self.client.base_url.host) from error
        finally:
            await response.aclose()

    async def _repeat(
        self, request: Request, attempt_once: Callable[[Request], Awaitable[httpx.Response]]
    ) -> httpx.Response:
        attempt = 1
        while True:
            try:
                return await attempt_once(request)
            except EvidenceError as error:
                wait = plan_retry(error, request.is_safe, attempt)
                if wait is None:
                    raise
                await asyncio.sleep(wait)
                attempt += 1

    async def _attempt_whole(self, request: Request) -> httpx.Response:
        return await self._read(await self._attempt(request))

    async def _attempt(self, request: Request) -> httpx.Response:
        try:
            with request.arguments(self.timeout) as arguments:
                response = await self.client.send(self.client.build_request(**arguments), stream=True)
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            raise to_error(error, self.client.base_url.host) from error
        if response.is_success:
            return response
        raise read_error(await self._read(response))

    async def _read(self, response: httpx.Response) -> httpx.Response:
        body = Body(self.timeout)
        try:
            async for piece in response.aiter_bytes():
                body.add(piece, response)
        except (httpx.HTTPError, httpx.StreamError) as error:
            raise to_error(error, self.client.base_url.host) from error
        finally:
            await response.aclose()
        return body.of(response)
