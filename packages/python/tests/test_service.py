"""The client against the real service."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import uuid
from pathlib import Path
from typing import Any

import httpx
import pytest

from answer_evidence import AnswerEvidence, AsyncAnswerEvidence, ProblemError, QueueOptions, VerificationError
from answer_evidence.verify import LogUnreachable, Result, read_url, verify_bundle, verify_receipt


def read(host: dict[str, Any], path: str) -> Any:
    response = httpx.get(host["url"] + path, headers={"Authorization": f"Bearer {host['token']}"})
    return response.raise_for_status().json()


@pytest.fixture
def trust(host: dict[str, Any]) -> dict[str, Any]:
    return read_trust_file(host)


def read_trust_file(host: dict[str, Any]) -> dict[str, Any]:
    """The trust file of the workspace."""
    keys = read(host, "/api/trust/keys")
    pinned = [{name: key[name] for name in ("vkey", "first_tree_size", "last_tree_size")} for key in keys["items"]]
    logs = [{"origin": keys["origin"], "keys": pinned}]
    form: dict[str, Any] = {
        "format": "answer-evidence-trust/v1",
        "witness_policy": None,
        "tsa_roots": [],
        "anchors": [],
    }
    return {**form, "logs": logs, "anchors_required": 0}


def test_records_and_changes_with_every_receipt_verified(
    host: dict[str, Any], trust: dict[str, Any], tmp_path: Path
) -> None:
    application = f"python-{uuid.uuid4()}"
    options: dict[str, Any] = {**host, "trust": trust, "checkpoints": tmp_path / "checkpoints"}
    with AnswerEvidence(application, **options) as evidence:
        first = evidence.record("Open on Sunday?", "Yes.", source_refs=[{"source_name": "hours.md"}]).result(60)
        # Trees that grow: each receipt is compared with the tree of the one before.
        ids = [evidence.record("Again?", f"Yes, {n}.").result(60)["id"] for n in range(5)]
        assert evidence.correct(first["id"], "No.", reason="it was July")["status"] == "corrected"
        assert evidence.void(ids[0])["status"] == "voided"
        redacted = evidence.redact(ids[1], reason_code="privacy")
        assert (redacted["status"], redacted["answer"]["text"]) == ("redacted", None)
        assert [record["id"] for record in evidence.list(size=2)] == [*reversed(ids), first["id"]]
        assert len(evidence.get(first["id"])["events"]) == 1
    entry = first["ledger"]["entry"]
    vkeys = [key["vkey"] for key in trust["logs"][0]["keys"]]
    assert {result.outcome for result in verify_receipt(first["receipt"], entry, vkeys)} == {"PASS"}
    bundle = json.dumps(read(host, f"/api/trust/proofs/answers/{first['id']}"), ensure_ascii=False)
    log = read_url(f"{host['url']}/tlog/{trust['logs'][0]['origin'].split('/')[-2]}", host["token"])
    results = verify_bundle(bundle, json.dumps(trust), receipt=first["receipt"], log=log)
    outcomes = {name: outcome for name, outcome, _ in results}
    assert outcomes["answer_commitment"] == outcomes["merkle_inclusion"] == outcomes["event_chain"] == "PASS"
    assert [result for result in results if result.check == "event_completeness"] == [
        Result("event_completeness", "PASS", "")
    ]
    assert "FAIL" not in outcomes.values()
    with pytest.raises(LogUnreachable, match="401"):
        read_url(f"{host['url']}/tlog/demo")("checkpoint")


def test_refuses_a_receipt_that_contradicts_what_was_seen(
    host: dict[str, Any], trust: dict[str, Any], tmp_path: Path
) -> None:
    folder = tmp_path / "checkpoints"
    options: dict[str, Any] = {**host, "trust": trust, "checkpoints": folder, "fail": "closed"}
    with AnswerEvidence("support-bot", **options) as evidence:
        evidence.record("q", f"a {uuid.uuid4()}")
        (remembered,) = folder.iterdir()
        remembered.write_text(remembered.read_text().replace("\n\n", "\nextension\n\n"))
        with pytest.raises(VerificationError) as raised:
            evidence.record("q", f"a {uuid.uuid4()}")
        assert raised.value.code == "receipt_unproven"
    for log in trust["logs"]:
        log["origin"] = "evidence.example/other/log"
    shutil.rmtree(folder)
    with AnswerEvidence("support-bot", **options) as evidence, pytest.raises(VerificationError) as raised:
        evidence.record("q", f"a {uuid.uuid4()}")
    assert raised.value.code == "receipt_untrusted"


def test_keeps_evidence_and_binds_what_is_retrieved(host: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "faq.md").write_text("# Returns\n\n30 days.\n")
    with AnswerEvidence("support-bot", fail="closed", **host) as evidence:
        asset = evidence.upload(tmp_path / "faq.md", attributes={"edition": 3})
        assert (asset["name"], asset["application_key"]) == ("faq.md", "support-bot")
        with evidence.scope(idempotency_key=f"msg-{uuid.uuid4()}"):
            passages = evidence.retrieve(asset["id"], purpose="an answer")
            record = evidence.record("How long?", "30 days.").result()
        assert record["evidence_access_event_ids"] == [passages["access_event_id"]]
        with evidence.download(asset["id"], byte_range=(2, 7)) as pieces:
            assert b"".join(pieces) == b"Returns"
        assert evidence.register(segments=["a passage"], record_id=record["id"])["segment_count"] == 1


def test_makes_packs_with_texts_and_without(host: dict[str, Any]) -> None:
    with AnswerEvidence(f"python-{uuid.uuid4()}", **host) as evidence:
        made = evidence.record("Open on Sunday?", "A text of the pack.").result(60)
        whole = evidence.pack([made["id"]])
        assert whole.startswith(b"<!doctype html>") and made["id"].encode() in whole
        assert b"A text of the pack." in whole
        assert b"A text of the pack." not in evidence.pack([made["id"]], withhold_texts=True)
        assert b"A text of the pack." in evidence.pack([made["id"]], reason="Prüfung: 1", reason_code="audit")
        assert evidence.get(made["id"], reason="Prüfung: 2")["answer"]["text"] == "A text of the pack."
        with pytest.raises(ProblemError) as without_words:
            evidence.get(made["id"], reason=" ")
        assert (without_words.value.status, without_words.value.code) == (422, "schema_violation")
        with pytest.raises(ProblemError) as refused:
            evidence.pack([str(uuid.uuid4())])
        assert (refused.value.status, refused.value.code) == (404, "not_found")

    async def ask() -> bytes:
        async with AsyncAnswerEvidence("python", **host) as evidence:
            return await evidence.pack(iter([made["id"]]), withhold_texts=True)

    assert b"A text of the pack." not in asyncio.run(ask())


def test_reconciles(host: dict[str, Any]) -> None:
    application = f"python-{uuid.uuid4()}"
    with AnswerEvidence(application, fail="closed", **host) as evidence:
        record = evidence.record("q", "a", idempotency_key="msg-1").result()
        at = record["created_at"]
        run = evidence.reconcile(
            window_start=f"{at[:10]}T00:00:00Z",
            window_end=f"{at[:10]}T23:59:59Z",
            match_on="idempotency_key",
            references=[{"reference_id": name, "occurred_at": at} for name in ("msg-1", "msg-2")],
            timeout=120,
        )
    assert (run["status"], run["counts"]["matched"], run["counts"]["missing_service"]) == ("completed", 1, 1)


def test_the_asynchronous_client_does_all_of_it(host: dict[str, Any], trust: dict[str, Any]) -> None:
    async def use() -> None:
        async with AsyncAnswerEvidence(f"python-{uuid.uuid4()}", trust=trust, **host) as evidence:
            recordings = await asyncio.gather(*(evidence.record("q", f"a{n}") for n in range(5)))
            records = await asyncio.gather(*recordings)
            assert {record["id"] for record in records} == {record["id"] async for record in evidence.list(size=2)}
            corrected = await evidence.correct(records[0]["id"], "b")
            assert (await evidence.void(records[1]["id"]))["status"] == "voided"
            assert (await evidence.redact(records[2]["id"]))["status"] == "redacted"
            assert (await evidence.get(corrected["id"]))["status"] == "corrected"
            asset = await evidence.upload(b"bytes", name="note.txt")
            assert (await evidence.retrieve(asset["id"]))["access_event_id"]
            async with evidence.download(asset["id"]) as pieces:
                assert b"".join([piece async for piece in pieces]) == b"bytes"
            assert (await evidence.register(segments=["a passage"]))["segment_count"] == 1
            with pytest.raises(ProblemError) as raised:
                await evidence.get(str(uuid.uuid4()))
            assert (raised.value.code, raised.value.status) == ("not_found", 404)

    asyncio.run(use())


def test_a_wrong_token_is_said_once_the_queue_meets_it(host: dict[str, Any], tmp_path: Path) -> None:
    told: list[str] = []
    options: dict[str, Any] = {
        "url": host["url"],
        "token": "no-token",
        "on_error": lambda error: told.append(error.code),
    }
    with AnswerEvidence("support-bot", queue=QueueOptions(folder=tmp_path), **options) as evidence:
        key = evidence.record("q", "kept").idempotency_key
        evidence.close(5)
    assert told[0] in ("token_malformed", "unauthenticated")
    with AnswerEvidence("support-bot", queue=QueueOptions(folder=tmp_path), **host) as evidence:
        assert evidence.flush(60) == 0
        assert [record["idempotency_key"] for record in evidence.list(idempotency_key=key)] == [key]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_children_are_told_of_their_own_answers_and_share_a_folder_of_checkpoints(
    host: dict[str, Any], trust: dict[str, Any], tmp_path: Path
) -> None:
    told = tmp_path / "told"
    told.mkdir()
    options: dict[str, Any] = {**host, "trust": trust, "checkpoints": tmp_path / "checkpoints", "fail": "closed"}
    with AnswerEvidence(f"python-{uuid.uuid4()}", **options) as evidence:
        assets = [evidence.register(segments=[f"passage {n}"])["id"] for n in range(4)]
        evidence.record("q", "of the parent")
        children = []
        for n in range(4):
            child = os.fork()
            if child == 0:
                own = [
                    (
                        evidence.record("q", f"a {n} {i}").result()["answer"]["text"],
                        evidence.retrieve(assets[n])["segments"][0]["text"],
                    )
                    for i in range(5)
                ]
                (told / str(n)).write_text(json.dumps(own))
                os._exit(0)
            children.append(child)
        assert [os.waitpid(child, 0)[1] for child in children] == [0] * 4
        for n in range(4):
            assert json.loads((told / str(n)).read_text()) == [[f"a {n} {i}", f"passage {n}"] for i in range(5)]
        (remembered,) = (tmp_path / "checkpoints").iterdir()
        newest = max(one["ledger"]["leaf_index"] for one in evidence.list())
        assert int(remembered.read_text().split("\n")[1]) > newest
        # The parent's connection is as it was.
        assert evidence.record("q", "of the parent again").result()["answer"]["text"] == "of the parent again"
