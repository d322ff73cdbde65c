"""Responses of the real service that are about something else than what was sent."""

from __future__ import annotations

import asyncio
import hashlib
import json
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from conftest import FakeService
from test_service import read_trust_file

from answer_evidence import AnswerEvidence, AsyncAnswerEvidence, MismatchError, QueueOptions

Create = Callable[..., AnswerEvidence]
Alter = Callable[[dict[str, Any]], None]


class Swapping(httpx.BaseTransport):
    """A proxy that gives the next caller of a kind what the first one was given, from when it is told to."""

    def __init__(self) -> None:
        self.inner = httpx.HTTPTransport()
        self.first: dict[tuple[str, str], httpx.Response] = {}
        self.is_swapping = False
        # Changes a response on its way.
        self.alter: Alter | None = None

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        kind = (request.method, "/".join("*" if len(part) == 36 else part for part in request.url.path.split("/")))
        if self.is_swapping and kind in self.first and "/tlog/" not in request.url.path:
            return copy_of(self.first[kind])
        response = self.inner.handle_request(request)
        content = response.read()
        if self.alter is not None and b'"receipt"' in content:
            body = json.loads(content)
            self.alter(body)
            content = json.dumps(body).encode()
        named = ("content-type", "evidence-asset-id", "evidence-access-event-id")
        shown = {name: response.headers[name] for name in named if name in response.headers}
        own = httpx.Response(response.status_code, headers=shown, content=content)
        self.first.setdefault(kind, own)
        return copy_of(own)


def copy_of(response: httpx.Response) -> httpx.Response:
    return httpx.Response(response.status_code, headers=response.headers, content=response.content)


class AsyncSwapping(httpx.AsyncBaseTransport):
    """The same for an event loop."""

    def __init__(self, inner: Swapping) -> None:
        self.inner = inner

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        content = await request.aread()
        asked = httpx.Request(request.method, request.url, headers=request.headers, content=content)
        return await asyncio.to_thread(self.inner.handle_request, asked)


@pytest.fixture
def proxy() -> Iterator[Swapping]:
    own = Swapping()
    yield own
    own.inner.close()


CALLS: dict[str, Callable[[Any, list[dict[str, Any]], list[dict[str, Any]]], Any]] = {
    "get": lambda evidence, records, _: evidence.get(records[1]["id"]),
    "correct": lambda evidence, records, _: evidence.correct(records[1]["id"], "No."),
    "void": lambda evidence, records, _: evidence.void(records[1]["id"]),
    "redact": lambda evidence, records, _: evidence.redact(records[1]["id"]),
    "record": lambda evidence, *_: evidence.record("q", "third", idempotency_key=str(uuid.uuid4())),
    "record the same": lambda evidence, *_: evidence.record("q", "a 0"),
    "record for another": lambda evidence, records, _: evidence.record(
        "q", "a 0", idempotency_key=records[0]["idempotency_key"], mode="test"
    ),
    "retrieve": lambda evidence, _, assets: evidence.retrieve(assets[1]["id"]),
    "retrieve the same": lambda evidence, _, assets: evidence.retrieve(assets[0]["id"]),
    "register": lambda evidence, *_: evidence.register(name="c.md", segments=["c"]),
    "upload": lambda evidence, *_: evidence.upload(b"other bytes", name="note.txt"),
    "download": lambda evidence, _, assets: evidence.download(assets[3]["id"]),
    "download the same": lambda evidence, _, assets: evidence.download(assets[2]["id"]),
    "list": lambda evidence, *_: list(evidence.list(idempotency_key="another")),
    "pack": lambda evidence, records, _: evidence.pack([records[1]["id"]]),
    "reconcile": lambda evidence, *_: evidence.reconcile(**run_of("2026-11-02", 2)),
}


# Those that give nothing until they are gone through.
ITERATED = ("list", "download", "download the same")
# What sends nothing that a response could be about, or is made of other operations.
NOT_COMPARED = ("close", "flush", "scope", "add_sources", "answer", "observe_answer", "do_aside", "report")
NO_OPERATIONS = ("application", "host", "environment", "fail", "mask", "timeout", "may_block")


def test_each_operation_is_compared() -> None:
    compared = {name.split()[0] for name in CALLS}
    for client in (AnswerEvidence, AsyncAnswerEvidence):
        public = {name for name in dir(client) if not name.startswith("_")}
        assert public - {*NOT_COMPARED, *NO_OPERATIONS} == compared, client


def run_of(day: str, references: int) -> dict[str, Any]:
    at = f"{day}T10:00:00Z"
    window = {"window_start": f"{day}T00:00:00Z", "window_end": f"{day}T23:00:00Z", "match_on": "idempotency_key"}
    return {**window, "references": [{"reference_id": f"r{n}", "occurred_at": at} for n in range(references)]}


def prepare(evidence: AnswerEvidence) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Makes a first response of each kind."""
    records = [evidence.record("q", f"a {n}", idempotency_key=str(uuid.uuid4())).result() for n in range(3)]
    assets = [evidence.register(name="a.md", segments=["a"]), evidence.register(name="b.md", segments=["b"])]
    evidence.get(records[0]["id"])
    evidence.correct(records[0]["id"], "Yes.")
    evidence.retrieve(assets[0]["id"])
    assets += [evidence.upload(f"bytes {n}".encode(), name="note.txt") for n in range(2)]
    with evidence.download(assets[2]["id"]) as pieces:
        assert b"".join(pieces) == b"bytes 0"
    assert len(list(evidence.list())) == 3
    evidence.pack([records[0]["id"]])
    evidence.reconcile(**run_of("2026-11-01", 1))
    return records, assets


@pytest.mark.parametrize("is_trusting", [True, False])
def test_refuses_what_another_was_told(
    host: dict[str, Any], proxy: Swapping, tmp_path: Path, is_trusting: bool
) -> None:
    trust = {"trust": read_trust_file(host), "checkpoints": tmp_path} if is_trusting else {}
    options: dict[str, Any] = {**host, **trust, "transport": proxy, "async_transport": AsyncSwapping(proxy)}
    application = f"mismatch-{uuid.uuid4()}"
    with AnswerEvidence(application, fail="closed", **options) as evidence:
        records, assets = prepare(evidence)
        proxy.is_swapping = True
        for name, call in CALLS.items():
            with pytest.raises(MismatchError) as raised:
                given = call(evidence, records, assets)
                if name.startswith("download"):
                    given.__enter__()
            assert raised.value.code == "response_mismatch", name
            assert raised.value.fields and all(field.startswith("/") for field in raised.value.fields), name

        async def use() -> None:
            async with AsyncAnswerEvidence(application, fail="closed", **options) as own:
                for call in (call for name, call in CALLS.items() if name not in (*ITERATED, "retrieve the same")):
                    with pytest.raises(MismatchError):
                        await call(own, records, assets)
                with pytest.raises(MismatchError):
                    [one async for one in own.list(idempotency_key="another")]
                with pytest.raises(MismatchError):
                    async with own.download(assets[3]["id"]):
                        pass

        asyncio.run(use())
    kept = [json.loads(path.read_text()) for path in tmp_path.glob("mismatch-*.json")]
    assert bool(kept) == is_trusting
    assert all(one["format"] == "answer-evidence-mismatch/v1" and one["fields"] for one in kept)
    assert not is_trusting or records[0]["receipt"] in [one["receipt"] for one in kept]


def test_a_queue_resolves_nothing_and_keeps_the_answer(host: dict[str, Any], proxy: Swapping, tmp_path: Path) -> None:
    told: list[str] = []
    queue = QueueOptions(folder=tmp_path)
    options: dict[str, Any] = {**host, "transport": proxy, "on_error": lambda error: told.append(error.code)}
    with AnswerEvidence("mismatch", queue=queue, on_recorded=lambda _: told.append("recorded"), **options) as evidence:
        assert evidence.record("q", "No.").result(60)["answer"]["text"] == "No."
        proxy.is_swapping = True
        second = evidence.record("q", "Yes, entirely.")
        assert isinstance(second.recorded.exception(60), MismatchError)
        assert evidence.flush(60) == 0
    assert told == ["recorded", "response_mismatch"]
    (text, reason) = sorted((tmp_path / "rejected").iterdir())
    assert json.loads(text.read_text())["idempotency_key"] == second.idempotency_key
    assert "/idempotency_key" in reason.read_text() and "entirely" not in reason.read_text()


def set_at(*path: str, value: Any) -> Alter:
    def alter(record: dict[str, Any]) -> None:
        at: Any = record
        for name in path[:-1]:
            at = at[name]
        at[path[-1]] = value

    return alter


KEYED = "hmac-sha256:" + "0" * 64


@pytest.mark.parametrize(
    ("alter", "field"),
    [
        (set_at("application_key", value="other"), "/application_key"),
        (set_at("environment", value="staging"), "/environment"),
        (set_at("session_id_hash", value="3f9a"), "/session_id_hash"),
        (set_at("answer", "hash", value="sha256:" + hashlib.sha256(b"No.").hexdigest()), "/answer/hash"),
        (set_at("answer", "hash", value=KEYED), "/answer/hash_key_id"),
        (set_at("question", "hash_key_id", value="k1"), "/question/hash_key_id"),
        (set_at("answer", "text", value="No."), "/answer/text"),
        (set_at("record_hash", value="sha256:" + "0" * 64), "/ledger/entry"),
        (set_at("id", value=str(uuid.uuid4())), "/ledger/entry"),
        (set_at("ledger", "entry", value="{"), "/ledger/entry"),
        (set_at("ledger", "leaf_index", value=0), "/receipt"),
        (set_at("ledger", "origin", value="log.example/other"), "/receipt"),
        (lambda record: record.pop("idempotency_key"), "/idempotency_key"),
        (lambda record: record["answer"].pop("hash"), "/answer/hash"),
    ],
)
def test_refuses_a_record_that_is_not_whole(host: dict[str, Any], proxy: Swapping, alter: Alter, field: str) -> None:
    options: dict[str, Any] = {**host, "trust": read_trust_file(host), "transport": proxy, "fail": "closed"}
    if field == "/receipt":
        # It is seen without trust, too.
        del options["trust"]
    with AnswerEvidence("mismatch", **options) as evidence:
        proxy.alter = alter
        with pytest.raises(MismatchError) as raised:
            evidence.record("q", "Yes.")
    assert field in raised.value.fields
    assert "Yes." not in str(raised.value)


def test_compares_what_left_after_masking_and_hashes_that_were_sent(host: dict[str, Any]) -> None:
    options: dict[str, Any] = {**host, "trust": read_trust_file(host), "fail": "closed"}
    with AnswerEvidence("mismatch", mask=lambda text, _: text.replace("Anna", "[name]"), **options) as evidence:
        record = evidence.record("I am Anna", "Hello Anna \U0001f600", environment="staging", mode="live").result()
        assert record["answer"]["text"] == "Hello [name] \U0001f600"
        assert evidence.correct(record["id"].upper(), "Bye Anna", reason="Anna asked")["status"] == "corrected"
        assert len(evidence.get(record["id"])["events"]) == 1
        # The same create again is the same record, with its events.
        again = evidence.record(
            "I am Anna",
            "Hello Anna \U0001f600",
            environment="staging",
            mode="live",
            idempotency_key=record["idempotency_key"],
        )
        assert again.result()["id"] == record["id"]


def test_a_response_without_members_is_missed_only_where_receipts_are_verified(
    create: Create, service: FakeService
) -> None:
    service.replies = [lambda _: httpx.Response(201, json={"id": "1"})]
    assert create(fail="closed").record("q", "a").result() == {"id": "1"}
    service.replies = [lambda _: httpx.Response(201, json={"id": "1", "idempotency_key": "another"})]
    with pytest.raises(MismatchError, match="/idempotency_key differ"):
        create(fail="closed").record("q", "a")
