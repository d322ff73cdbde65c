"""A service in memory, and the real one where the environment names it."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from answer_evidence import AnswerEvidence

Reply = Callable[[httpx.Request], httpx.Response]


class FakeService(httpx.BaseTransport):
    """Records what it is sent, once per idempotency key. `replies` answer first, each once."""

    def __init__(self) -> None:
        self.replies: list[Reply | Exception] = []
        self.requests: list[httpx.Request] = []
        self.records: dict[str, dict[str, Any]] = {}
        self.lock = threading.Lock()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.read()
        with self.lock:
            self.requests.append(request)
            reply = self.replies.pop(0) if self.replies else self.record
        if isinstance(reply, Exception):
            raise reply
        return reply(request)

    def record(self, request: httpx.Request) -> httpx.Response:
        """What the service responds to a create."""
        body = json.loads(request.content)
        with self.lock:
            is_new = body["idempotency_key"] not in self.records
            record = self.records.setdefault(body["idempotency_key"], {"id": str(len(self.records)), **body})
        return httpx.Response(201 if is_new else 200, json=record)

    @property
    def answers(self) -> list[str]:
        """The texts of all answers that were recorded."""
        return [record["answer"]["text"] for record in self.records.values()]


def problem(status: int, code: str, headers: dict[str, str] | None = None) -> Reply:
    """A response of the service that refuses."""
    content = json.dumps({"type": "about:blank", "status": status, "code": code, "request_id": "req-1", "detail": "no"})
    shown = {"content-type": "application/problem+json", **(headers or {})}
    return lambda _: httpx.Response(status, content=content, headers=shown)


def page(status: int) -> Reply:
    """What a proxy responds."""
    return lambda _: httpx.Response(status, html="<h1>Log in to Wi-Fi</h1>")


@pytest.fixture
def service() -> FakeService:
    return FakeService()


@pytest.fixture
def errors() -> list[Exception]:
    return []


@pytest.fixture
def create(service: FakeService, errors: list[Exception]) -> Iterator[Callable[..., AnswerEvidence]]:
    """Makes clients of the service in memory, and closes them."""
    made: list[AnswerEvidence] = []

    def make(**options: Any) -> AnswerEvidence:
        given = {"url": "http://evidence.example", "token": "secret-token", "on_error": errors.append, **options}
        made.append(AnswerEvidence("support-bot", transport=service, flush_on_exit=False, **given))
        return made[-1]

    yield make
    for client in made:
        client.close(0)


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attempts follow each other at once; that they wait is tested where the wait is decided."""
    monkeypatch.setattr("answer_evidence.transport.time.sleep", lambda _: None)
    monkeypatch.setattr("answer_evidence.delivery.PAUSE_SECONDS_BASE", 0.001)
    monkeypatch.setattr("answer_evidence.delivery.PAUSE_SECONDS_MAX", 0.01)


@pytest.fixture
def host() -> dict[str, Any]:
    """Where a real service is. Without one the test is skipped; e2e/python-package.test.ts has one."""
    url, token = os.environ.get("ANSWER_EVIDENCE_TEST_URL"), os.environ.get("ANSWER_EVIDENCE_TEST_TOKEN")
    if url is None or token is None:
        pytest.skip("ANSWER_EVIDENCE_TEST_URL names no service")
    return {"url": url, "token": token}
