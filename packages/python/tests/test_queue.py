"""What the queue holds, sends, and promises."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from conftest import FakeService, page, problem

from answer_evidence import (
    AnswerEvidence,
    AsyncAnswerEvidence,
    ConfigurationError,
    QueueError,
    QueueOptions,
    TimeoutError,
    TransportError,
)

Create = Callable[..., AnswerEvidence]
SECONDS_MAX = 60


def codes(errors: list[Exception]) -> list[str]:
    return [getattr(error, "code", "") for error in errors]


def test_sends_what_waits_and_flush_says_that_nothing_is_left(create: Create, service: FakeService) -> None:
    evidence = create()
    recordings = [evidence.record("q", f"a{n}") for n in range(50)]
    assert evidence.flush(SECONDS_MAX) == 0
    assert sorted(service.answers) == sorted(f"a{n}" for n in range(50))
    assert recordings[7].result(SECONDS_MAX)["answer"] == {"text": "a7"}


def test_goes_on_after_an_outage_and_reports_it(create: Create, service: FakeService, errors: list[Exception]) -> None:
    service.replies = [
        httpx.ConnectError("down"),
        page(502),
        problem(503, "overloaded"),
        problem(401, "token_expired"),
        problem(500, "content_damaged"),
    ]
    evidence = create(queue=QueueOptions(concurrency=1))
    assert evidence.record("q", "a").result(SECONDS_MAX)["answer"] == {"text": "a"}
    assert codes(errors) == ["unreachable", "unexpected_response", "overloaded", "token_expired", "content_damaged"]


def test_gives_up_what_is_refused_for_good_and_sends_the_next(
    create: Create, service: FakeService, errors: list[Exception]
) -> None:
    service.replies = [problem(422, "schema_violation")]
    evidence = create(queue=QueueOptions(concurrency=1))
    refused = evidence.record("q", "refused")
    assert evidence.record("q", "taken").result(SECONDS_MAX)
    assert getattr(refused.recorded.exception(SECONDS_MAX), "code", "") == "schema_violation"
    assert codes(errors) == ["schema_violation"]


class Held:
    """Keeps the service from responding until it is let go."""

    def __init__(self, service: FakeService) -> None:
        self.service, self.begun, self.released = service, threading.Event(), threading.Event()

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.begun.set()
        assert self.released.wait(SECONDS_MAX)
        return self.service.record(request)


def test_a_full_queue_drops_throws_or_waits(create: Create, service: FakeService, errors: list[Exception]) -> None:
    held = Held(service)
    service.replies = [held]
    dropping = create(queue=QueueOptions(max=1, overflow="drop"))
    dropping.record("q", "first")
    assert held.begun.wait(SECONDS_MAX)
    assert isinstance(dropping.record("q", "dropped").recorded.exception(0), QueueError)
    assert codes(errors) == ["queue_full"]
    held.released.set()
    assert dropping.flush(SECONDS_MAX) == 0

    held = Held(service)
    service.replies = [held]
    throwing = create(queue=QueueOptions(max=1, overflow="throw"))
    throwing.record("q", "second")
    assert held.begun.wait(SECONDS_MAX)
    with pytest.raises(QueueError, match="full"):
        throwing.record("q", "thrown")
    held.released.set()
    assert throwing.flush(SECONDS_MAX) == 0

    held = Held(service)
    service.replies = [held]
    waiting = create(queue=QueueOptions(max=1, overflow="wait"))
    waiting.record("q", "third")
    threading.Timer(0.05, held.released.set).start()
    waiting.record("q", "fourth")
    assert waiting.flush(SECONDS_MAX) == 0
    assert sorted(service.answers) == ["first", "fourth", "second", "third"]


def test_says_what_is_lost_when_it_is_closed(create: Create, service: FakeService, errors: list[Exception]) -> None:
    service.replies = [problem(401, "token_expired")] * 1_000
    evidence = create()
    recording = evidence.record("q", "a")
    evidence.close(0.05)
    with pytest.raises(QueueError, match="after `close`"):
        evidence.record("q", "later")
    assert getattr(recording.recorded.exception(SECONDS_MAX), "code", "") == "queue_abandoned"
    assert "queue_abandoned" in codes(errors)


def test_with_fail_open_an_observer_never_raises(create: Create, errors: list[Exception]) -> None:
    create(mask=lambda _text, _place: 1 / 0).observe_answer("q", "a")
    assert codes(errors) == ["unexpected"]
    with pytest.raises(ZeroDivisionError):
        create(fail="closed", mask=lambda _text, _place: 1 / 0).observe_answer("q", "a")


@pytest.mark.parametrize("failure", [httpx.ConnectError("down"), problem(500, "content_damaged")])
def test_a_folder_holds_what_a_process_promised_and_the_next_sends_it_once(
    create: Create, service: FakeService, tmp_path: Path, failure: Any
) -> None:
    service.replies = [failure] * 1_000
    first = create(queue=QueueOptions(folder=tmp_path))
    key = first.record("q", "kept", idempotency_key="msg-1").idempotency_key
    first.close(0)
    files = [path for path in tmp_path.iterdir() if path.suffix == ".json"]
    assert [json.loads(path.read_text())["idempotency_key"] for path in files] == [key]
    assert os.name == "nt" or files[0].stat().st_mode & 0o077 == 0
    service.replies = []
    assert create(queue=QueueOptions(folder=tmp_path)).flush(SECONDS_MAX) == 0
    assert service.answers == ["kept"]
    assert [path.name for path in tmp_path.iterdir()] == ["rejected"]


def test_a_folder_keeps_aside_what_is_damaged_or_refused(
    create: Create, service: FakeService, errors: list[Exception], tmp_path: Path
) -> None:
    (tmp_path / "000000000000001-a.json").write_text('{"cut')
    service.replies = [problem(422, "schema_violation")]
    evidence = create(queue=QueueOptions(folder=tmp_path, concurrency=1))
    evidence.record("q", "refused")
    assert evidence.flush(SECONDS_MAX) == 0
    assert sorted(codes(errors)) == ["queue_damaged", "schema_violation"]
    assert len(list((tmp_path / "rejected").iterdir())) == 4


def test_a_folder_that_cannot_be_used_is_said_at_once(create: Create, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(QueueError) as raised:
        create(queue=QueueOptions(folder=tmp_path / "file"))
    assert raised.value.code == "queue_unwritable"
    with pytest.raises(ConfigurationError, match="fail closed"):
        create(queue=QueueOptions(folder=tmp_path), fail="closed")


PROMISE = """
import sys
from answer_evidence import AnswerEvidence, QueueOptions
evidence = AnswerEvidence("support-bot", url="http://127.0.0.1:9", token="t",
                          on_error=lambda _: None, queue=QueueOptions(folder=sys.argv[1]))
for n in range(10_000):
    evidence.record("q", f"answer {n}", idempotency_key=f"msg-{n}")
    print(n, flush=True)
"""


def test_nothing_that_was_promised_is_lost_by_sigkill_nor_doubled(
    create: Create, service: FakeService, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", PROMISE, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        promised = [int(process.stdout.readline()) for _ in range(20)]
        process.send_signal(signal.SIGKILL if os.name != "nt" else signal.SIGTERM)
        promised += [int(line) for line in process.stdout]
    assert create(queue=QueueOptions(folder=tmp_path)).flush(SECONDS_MAX) == 0
    assert {f"answer {n}" for n in promised} <= set(service.answers)
    assert len(service.answers) == len(set(service.answers))
    assert len(service.answers) - len(promised) <= 1


EXIT = """
import httpx
from answer_evidence import AnswerEvidence
sent = []
def handle(request):
    print(request.content.decode(), flush=True)
    return httpx.Response(201, json={"id": "1"})
evidence = AnswerEvidence("support-bot", url="http://x.example", token="t", transport=httpx.MockTransport(handle))
evidence.record("q", "the last answer")
"""


def test_the_end_of_the_process_waits_for_the_queue() -> None:
    ended = subprocess.run([sys.executable, "-c", EXIT], capture_output=True, text=True, check=True)
    assert "the last answer" in ended.stdout
    assert ended.stderr == ""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_forked_process_sends_its_own_answers(create: Create, service: FakeService) -> None:
    evidence = create()
    evidence.record("q", "of the parent").result(SECONDS_MAX)
    child = os.fork()
    if child == 0:
        evidence.record("q", "of the child")
        os._exit(0 if evidence.flush(SECONDS_MAX) == 0 and "of the child" in service.answers else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert evidence.record("q", "of the parent again").result(SECONDS_MAX)


def test_waiting_for_room_does_not_hold_up_the_event_loop(service: FakeService) -> None:
    held = Held(service)
    service.replies = [held]

    async def use() -> None:
        options: dict[str, Any] = {"url": "http://evidence.example", "token": "t", "transport": service}
        queue = QueueOptions(max=1, overflow="wait")
        async with AsyncAnswerEvidence("support-bot", queue=queue, flush_on_exit=False, **options) as own:
            await own.record("q", "first")
            second = asyncio.create_task(own.record("q", "second"))
            await asyncio.sleep(0.05)
            assert not second.done()
            held.released.set()
            assert (await (await second))["answer"] == {"text": "second"}

    asyncio.run(use())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_child_is_not_told_what_its_parent_waits_for(create: Create, service: FakeService) -> None:
    held = Held(service)
    service.replies = [held]
    evidence = create()
    waiting, settled = evidence.record("q", "waits"), evidence.record("q", "settled")
    assert settled.result(SECONDS_MAX)
    child = os.fork()
    if child == 0:
        try:
            waiting.result()
        except QueueError as error:
            os._exit(0 if error.code == "queue_forked" and settled.result()["answer"] == {"text": "settled"} else 1)
        os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    with pytest.raises(TimeoutError, match="it stays in the queue"):
        waiting.result(0.01)
    held.released.set()
    assert waiting.result(SECONDS_MAX)


def test_who_waits_too_long_is_told_why_the_newest_attempt_failed() -> None:
    failed = threading.Event()
    with AnswerEvidence("app", url="http://127.0.0.1:9", token="t", on_error=lambda _: failed.set()) as evidence:
        recording = evidence.record("q", "a")
        assert failed.wait(SECONDS_MAX)
        with pytest.raises(TimeoutError, match="the newest attempt failed: no connection") as raised:
            recording.result(0.01)
        assert isinstance(raised.value.__cause__, TransportError)
        evidence.close(0)


def test_who_stops_waiting_does_not_take_the_answer_back(create: Create, service: FakeService) -> None:
    held = Held(service)
    service.replies = [held]
    evidence = create()
    recording = evidence.record("q", "a")

    async def use() -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(recording, 0.01)

    asyncio.run(use())
    held.released.set()
    assert evidence.flush(SECONDS_MAX) == 0
    assert (recording.result()["answer"], len(service.requests)) == ({"text": "a"}, 1)


def test_is_told_its_record_where_another_process_sent_the_file(
    create: Create, service: FakeService, tmp_path: Path
) -> None:
    first = create(queue=QueueOptions(folder=tmp_path, concurrency=1))
    held = Held(service)
    service.replies = [held]
    begun = first.record("q", "first")
    assert held.begun.wait(SECONDS_MAX)
    second = first.record("q", "second")
    assert create(queue=QueueOptions(folder=tmp_path)).flush(SECONDS_MAX) == 0
    held.released.set()
    assert second.result(SECONDS_MAX)["answer"] == {"text": "second"}
    assert begun.result(SECONDS_MAX)["answer"] == {"text": "first"}
    assert sorted(service.answers) == ["first", "second"]
