"""Requests, errors and retries of the client."""

from __future__ import annotations

import asyncio
import datetime
import itertools
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import httpx
import pytest
from conftest import FakeService, page, problem

from answer_evidence import (
    AnswerEvidence,
    AsyncAnswerEvidence,
    ConfigurationError,
    ProblemError,
    ResponseError,
    TimeoutError,
    TransportError,
)
from answer_evidence.retry import RETRY_AFTER_SECONDS_MAX, RefusedConnection, plan_retry, read_retry_after
from answer_evidence.times import read_time

Create = Callable[..., AnswerEvidence]


def test_records_under_a_key_that_stays_the_same_in_every_attempt(create: Create, service: FakeService) -> None:
    service.replies = [httpx.ReadTimeout("late"), page(502), problem(503, "overloaded", {"retry-after": "1"})]
    recording = create(fail="closed").record("Open on Sunday?", "Yes.", source_refs=[{"source_name": "hours.md"}])
    bodies = [json.loads(request.content) for request in service.requests]
    assert len(bodies) == 4
    assert {body["idempotency_key"] for body in bodies} == {recording.idempotency_key}
    assert recording.result()["answer"] == {"text": "Yes."}
    assert bodies[0]["source_refs"] == [{"source_name": "hours.md"}]
    assert service.requests[0].headers["authorization"] == "Bearer secret-token"


@pytest.mark.parametrize(
    ("reply", "kind", "code", "attempts"),
    [
        (problem(401, "token_expired"), ProblemError, "token_expired", 1),
        (problem(409, "idempotency_payload_mismatch"), ProblemError, "idempotency_payload_mismatch", 1),
        (problem(503, "overloaded", {"retry-after": "3600"}), ProblemError, "overloaded", 1),
        (page(200), ResponseError, "unexpected_response", 1),
        (problem(500, "content_damaged"), ProblemError, "content_damaged", 1),
        (page(503), ResponseError, "unexpected_response", 4),
        (httpx.ReadTimeout("secret-token"), TimeoutError, "timeout", 4),
        (httpx.ConnectError("secret-token"), TransportError, "unreachable", 4),
    ],
)
def test_an_error_is_typed_and_says_nothing_secret(
    create: Create, service: FakeService, reply: Any, kind: type[Exception], code: str, attempts: int
) -> None:
    service.replies = [reply] * 4
    with pytest.raises(kind) as raised:
        create(fail="closed").record("a secret question", "a secret answer")
    assert getattr(raised.value, "code", None) == code
    assert "secret" not in str(raised.value)
    assert len(service.requests) == attempts


class Pieces(httpx.SyncByteStream):
    """A body that comes in pieces, and may be lost on the way."""

    def __init__(self, pieces: Iterable[bytes], is_lost: bool = False) -> None:
        self.pieces, self.is_lost = pieces, is_lost

    def __iter__(self) -> Iterator[bytes]:
        yield from self.pieces
        if self.is_lost:
            raise httpx.RemoteProtocolError("lost")


def streamed(pieces: Iterable[bytes], is_lost: bool = False) -> Any:
    shown = {"content-type": "application/json"}
    return lambda _: httpx.Response(201, headers=shown, stream=Pieces(pieces, is_lost))


def test_a_body_that_never_ends_is_given_up(create: Create, service: FakeService) -> None:
    service.replies = [streamed(itertools.repeat(b" ")) for _ in range(4)]
    with pytest.raises(TimeoutError):
        create(fail="closed", timeout=0.01).record("a secret question", "a secret answer")
    assert len(service.requests) == 4


def test_a_body_that_is_larger_than_any_is_given_up(
    create: Create, service: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("answer_evidence.transport.BODY_BYTES_MAX", 1000)
    service.replies = [streamed([b" " * 600] * 2)]
    with pytest.raises(ResponseError, match="larger than any"):
        create(fail="closed").record("a secret question", "a secret answer")


def test_a_body_that_is_lost_on_the_way_is_asked_for_again(create: Create, service: FakeService) -> None:
    service.replies = [streamed([b'{"id":'], is_lost=True), problem(408, "request_timeout")]
    create(fail="closed").record("q", "a")
    assert (len(service.requests), service.answers) == (3, ["a"])


@pytest.mark.parametrize("body", [b"[]", b"null", b"{}", b'"id"', b"{", b"\xff"])
def test_json_that_is_not_the_services_is_no_record(create: Create, service: FakeService, body: bytes) -> None:
    service.replies = [streamed([body])]
    with pytest.raises(ResponseError):
        create(fail="closed").record("q", "a")
    service.replies = [streamed([body])]
    with pytest.raises(ResponseError):
        list(create().list())


def test_does_not_repeat_an_access_whose_response_was_lost(create: Create, service: FakeService) -> None:
    service.replies = [httpx.ReadTimeout("late")]
    with pytest.raises(TimeoutError):
        create().retrieve("asset")
    assert len(service.requests) == 1


def test_does_not_follow_a_redirect_with_the_token(create: Create, service: FakeService) -> None:
    service.replies = [lambda _: httpx.Response(302, headers={"location": "http://elsewhere.example/"})]
    with pytest.raises(ResponseError):
        create().get("018f")
    assert [request.url.host for request in service.requests] == ["evidence.example"]


def test_waits_as_long_as_it_is_asked_and_longer_each_time() -> None:
    overloaded = ProblemError(503, {"code": "overloaded"}, 20.0)
    assert plan_retry(overloaded, True, 1) == 20.0
    assert plan_retry(ProblemError(503, {"code": "overloaded"}, RETRY_AFTER_SECONDS_MAX + 1), True, 1) is None
    unreachable = RefusedConnection("no")
    waits = [plan_retry(unreachable, False, attempt) or 0.0 for attempt in (1, 2, 3)]
    assert [0.125 <= waits[0] <= 0.25, 0.25 <= waits[1] <= 0.5, 0.5 <= waits[2] <= 1.0] == [True] * 3
    assert plan_retry(unreachable, True, 4) is None
    assert plan_retry(TransportError("lost"), False, 1) is None
    dated = httpx.Headers({"date": "Sat, 21 Nov 2026 10:00:00 GMT", "retry-after": "Sat, 21 Nov 2026 10:00:07 GMT"})
    assert read_retry_after(dated) == 7.0
    assert read_retry_after(httpx.Headers({"retry-after": "soon"})) is None


@pytest.mark.parametrize(
    "options",
    [
        {"url": ""},
        {"url": "evidence.example"},
        {"url": "https://user:password@evidence.example"},
        {"token": "secret-token\n"},
        {"token": ""},
        {"fail": "sometimes"},
        {"trust": "/no/such/file"},
        {"checkpoints": "folder"},
    ],
)
def test_refuses_options_that_cannot_be_meant(
    create: Create, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ANSWER_EVIDENCE_URL", "ANSWER_EVIDENCE_TOKEN", "SERVICE_REGISTRY", "SERVICE_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ConfigurationError) as raised:
        create(**options)
    assert "secret" not in str(raised.value) and "password" not in str(raised.value)


def test_takes_the_host_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANSWER_EVIDENCE_URL", "https://evidence.example/")
    monkeypatch.setenv("ANSWER_EVIDENCE_TOKEN", "secret-token")
    with AnswerEvidence("support-bot", flush_on_exit=False) as evidence:
        assert evidence.host.url == "https://evidence.example"
        assert "secret" not in repr(evidence.host)


def test_an_answer_has_only_fields_of_the_api(create: Create) -> None:
    with pytest.raises(TypeError, match="no field sources"):
        create().record("q", "a", sources=[])


def test_lists_page_by_page(create: Create, service: FakeService) -> None:
    def reply(items: list[str], cursor: str | None) -> Callable[[httpx.Request], httpx.Response]:
        return lambda _: httpx.Response(200, json={"items": [{"id": one} for one in items], "next_cursor": cursor})

    service.replies = [reply(["1", "2"], "next"), reply(["3"], None)]
    assert [record["id"] for record in create().list(status="recorded", size=2)] == ["1", "2", "3"]
    queries = [dict(request.url.params) for request in service.requests]
    assert queries[0] == {"application_key": "support-bot", "status": "recorded", "size": "2"}
    assert queries[1] == {**queries[0], "cursor": "next"}


def test_masks_every_text_before_it_leaves(create: Create, service: FakeService) -> None:
    places: list[str] = []

    def mask(text: str, place: str) -> str:
        places.append(place)
        return text.replace("Anna", "[name]")

    evidence = create(fail="closed", mask=mask)
    evidence.record("I am Anna", "Hello Anna", source_refs=[{"name": "Anna.md"}], semantic_refs=[{"of": ["Anna"]}])
    service.replies = [lambda _: httpx.Response(201, json={"id": "1"})]
    evidence.correct("1", "Bye Anna", reason="Anna asked")
    assert b"Anna" not in b"".join(request.content for request in service.requests)
    assert sorted(set(places)) == ["answer", "corrected_answer", "question", "reason", "semantic_ref", "source_ref"]


def test_binds_what_a_request_found_to_its_answers(create: Create, service: FakeService) -> None:
    evidence = create(fail="closed")
    retrieved = {"source_ref": {"source_ref_id": "s1"}, "access_event_id": "e1"}
    service.replies = [lambda _: httpx.Response(200, json=retrieved)]
    with evidence.scope(idempotency_key="msg-1", question="What is asked?", actor_id_hash="h"):
        evidence.retrieve("asset")
        evidence.add_sources({"source_name": "faq"})
        evidence.observe_answer("a prompt with more", "one")
        evidence.record("q", "two", source_refs=[{"source_name": "own"}])
    first, second = service.records.values()
    assert [first["idempotency_key"], second["idempotency_key"]] == ["msg-1", "msg-1:2"]
    assert first["question"] == {"text": "What is asked?"}
    assert first["source_refs"] == [{"source_ref_id": "s1"}, {"source_name": "faq"}]
    assert first["evidence_access_event_ids"] == ["e1"]
    assert second["source_refs"][-1] == {"source_name": "own"}
    evidence.record("q", "three")
    assert "source_refs" not in list(service.records.values())[2]


def test_the_asynchronous_client_does_the_same(service: FakeService) -> None:
    async def handle(request: httpx.Request) -> httpx.Response:
        return service.handle_request(request)

    async def use() -> None:
        options: dict[str, Any] = {"url": "http://evidence.example", "token": "t", "fail": "closed"}
        transport = httpx.MockTransport(handle)
        async with AsyncAnswerEvidence(
            "support-bot", async_transport=transport, flush_on_exit=False, **options
        ) as evidence:
            recording = await evidence.record("q", "a", idempotency_key="msg-1")
            assert (await recording)["idempotency_key"] == "msg-1"
            service.replies = [problem(403, "scope_missing")]
            with pytest.raises(ProblemError, match="scope_missing"):
                await evidence.get("1")

    asyncio.run(use())
    assert service.answers == ["a"]


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("2026-11-28t01:00:00z", "2026-11-28T01:00:00+00:00"),
        ("2026-11-28T01:00:00.1234567890Z", "2026-11-28T01:00:00.123456+00:00"),
        ("2016-12-31T18:59:60.5-05:00", "2016-12-31T19:00:00.500000-05:00"),
        (datetime.datetime(2026, 11, 28, 1, tzinfo=datetime.timezone.utc), "2026-11-28T01:00:00+00:00"),
        (datetime.datetime(2026, 11, 28, 1), None),
        ("2026-11-28", None),
        ("2026-02-30T01:00:00Z", None),
        (7, None),
    ],
)
def test_reads_every_time_of_rfc_3339(given: Any, read: str | None) -> None:
    time = read_time(given)
    assert (time and time.isoformat()) == read


def test_sends_a_datetime_as_a_time(create: Create, service: FakeService) -> None:
    evidence, at = create(fail="closed"), datetime.datetime(2026, 11, 28, 1, tzinfo=datetime.timezone.utc)
    evidence.record("q", "a", retention_until=at, source_refs=[{"read_at": at}])
    sent = json.loads(service.requests[0].content)
    assert (sent["retention_until"], sent["source_refs"]) == (at.isoformat(), [{"read_at": at.isoformat()}])
    service.replies = [lambda _: httpx.Response(200, json={"items": [], "next_cursor": None})]
    assert list(evidence.list(created_after=at)) == []
    assert service.requests[1].url.params["created_after"] == at.isoformat()
    service.replies = [lambda _: httpx.Response(200, json={"id": "1", "status": "completed", "references": 1})]
    evidence.reconcile(window_start=at, window_end=at, references=[{"reference_id": "r", "occurred_at": at}])
    assert json.loads(service.requests[2].content)["references"][0]["occurred_at"] == at.isoformat()
