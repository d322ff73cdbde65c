"""The command `monitor`: each finding has its code, and its state goes on from round to round."""

from __future__ import annotations

import base64
import gzip
import hashlib
import http.server
import json
import shutil
import threading
from pathlib import Path
from typing import Any, cast

import pytest

from answer_evidence.verify import cli
from answer_evidence.verify.notes import read_checkpoint, read_note
from answer_evidence.verify.tiles import root_at
from answer_evidence.verify.tree import assert_consistent, leaf_hash, prove_prefix

FROZEN = Path(__file__).resolve().parents[3] / "e2e/frozen/v1"
TRUST = FROZEN / "trust/trust.json"
RECEIPTS = FROZEN / "receipts"


class World:
    """A copy of a log, a trust file and a state."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.log, self.state = folder, folder / "log", folder / "state.json"
        self.trust = folder / "trust.json"
        shutil.copytree(FROZEN / "tlog", self.log)
        shutil.copy(TRUST, self.trust)

    def run(self, *more: object) -> int:
        arguments = ["monitor", self.log, "--state", self.state, "--trust", self.trust, "--once", *more]
        return cli.main([str(argument) for argument in arguments])

    def change(self, path: Path, name: str, value: Any) -> None:
        content = json.loads(path.read_text())
        within = content["logs"][0] if path == self.state else content
        within[name] = value
        path.write_text(json.dumps(content))

    def show_earlier(self) -> None:
        """Shows the checkpoint of the oldest receipt."""
        note = (RECEIPTS / "plain.tlog-proof").read_text().split("\n\n", 1)[1]
        (self.log / "checkpoint").write_text(note)
        size = int(note.split("\n")[1])
        whole = max((self.log / "tile/entries/000.p").iterdir(), key=lambda tile: int(tile.name))
        content, end = whole.read_bytes(), 0
        for _ in range(size):
            end += 2 + int.from_bytes(content[end : end + 2], "big")
        (whole.parent / str(size)).write_bytes(content[:end])

    def keep(self, name: str) -> Path:
        folder = self.folder / "kept"
        folder.mkdir(exist_ok=True)
        for ending in ("tlog-proof", "entry"):
            shutil.copy(RECEIPTS / f"{name}.{ending}", folder)
        return folder


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def test_an_honest_log_passes_from_round_to_round(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    world.show_earlier()
    assert world.run("--json") == 0
    first = json.loads(capsys.readouterr().out)
    shutil.copy(FROZEN / "tlog/checkpoint", world.log / "checkpoint")
    assert world.run("--json", "--receipts", world.keep("plain")) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["format"] == "answer-evidence-monitor-report/v1"
    assert (report["outcome"], report["findings"]) == ("ok", [])
    assert report["tree_size"] > first["tree_size"]
    assert len(json.loads(world.state.read_text())["logs"][0]["proven"]) == 1
    assert world.run() == 0
    assert f": {report['tree_size']} leaves" in capsys.readouterr().out


def test_a_fork_is_4_in_each_round_and_leaves_its_evidence(world: World) -> None:
    assert world.run() == 0
    note = json.loads(world.state.read_text())["logs"][0]["checkpoint"]
    lines = note.split("\n")
    world.change(world.state, "checkpoint", "\n".join([*lines[:2], "A" * 43 + "=", *lines[3:]]))
    assert world.run() == world.run() == 4
    (kept,) = Path(f"{world.state}.evidence").iterdir()
    assert json.loads(kept.read_text())["format"] == "answer-evidence-finding/v1"


def test_the_evidence_of_a_fork_of_two_sizes_convinces_a_third_party(world: World) -> None:
    world.show_earlier()
    assert world.run() == 0
    note = json.loads(world.state.read_text())["logs"][0]["checkpoint"]
    lines = note.split("\n")
    world.change(world.state, "checkpoint", "\n".join([*lines[:2], "A" * 43 + "=", *lines[3:]]))
    shutil.copy(FROZEN / "tlog/checkpoint", world.log / "checkpoint")
    assert world.run() == 4
    (kept,) = Path(f"{world.state}.evidence").iterdir()
    evidence = json.loads(kept.read_text())
    (_, first, other), (_, second, root) = (read_checkpoint(read_note(one)[0]) for one in evidence["checkpoints"])
    prefix = evidence["prefix"]
    begins, proof = bytes.fromhex(prefix["root_hash"]), [bytes.fromhex(hash_) for hash_ in prefix["proof"]]
    assert prefix["tree_size"] == first < second
    assert_consistent(first, second, begins, root, proof)
    assert begins != other


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 8, 13])
def test_a_proof_of_each_prefix_leads_to_the_whole(size: int) -> None:
    hashes: list[bytes | None] = [leaf_hash(str(n)) for n in range(size)]

    def root(start: int, end: int) -> bytes:
        return root_at(hashes[start:end], end - start) or b""

    for first in range(1, size + 1):
        proof = prove_prefix(first, size, root)
        assert_consistent(first, size, root(0, first), root(0, size), proof)


def test_hashes_that_are_missing_are_no_fork(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    world.show_earlier()
    assert world.run() == 0
    shutil.copy(FROZEN / "tlog/checkpoint", world.log / "checkpoint")
    for folder in ("tile/entries", "tile/0"):
        shutil.rmtree(world.log / folder)
    assert world.run() == 10
    assert "FORK" not in capsys.readouterr().out


def test_a_rollback_is_5(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    assert world.run() == 0
    world.show_earlier()
    assert world.run() == 5
    assert "ROLLBACK  evidence.example/" in capsys.readouterr().out
    (world.log / "checkpoint").unlink()
    assert world.run() == 5


def test_a_key_that_is_not_trusted_is_6(world: World) -> None:
    assert world.run() == 0
    logs = json.loads(TRUST.read_text())["logs"]
    world.change(world.trust, "logs", [{**log, "origin": "log.example/other"} for log in logs])
    assert world.run() == 6
    announced = [{**key, "first_tree_size": 2} for key in logs[0]["keys"]]
    world.change(world.trust, "logs", [{**logs[0], "keys": announced}, *logs[1:]])
    assert world.run() == 6


def test_an_entry_that_the_log_owes_is_7(world: World) -> None:
    world.show_earlier()
    world.change(world.trust, "witness_policy", None)
    kept = world.keep("both")
    assert world.run("--receipts", kept) == 0
    assert world.run("--receipts", kept, "--grace", "0s") == 7
    shutil.copy(FROZEN / "tlog/checkpoint", world.log / "checkpoint")
    assert world.run("--receipts", kept, "--grace", "0s") == 0


def test_a_quorum_that_is_not_reached_is_8(world: World) -> None:
    raw = b"\x04" + b"\x0f" * 32
    key_id = hashlib.sha256(b"one.example\n" + raw).hexdigest()[:8]
    vkey = f"one.example+{key_id}+{base64.b64encode(raw).decode()}"
    world.change(world.trust, "witness_policy", f"witness one {vkey}\nquorum one\n")
    assert world.run() == 0
    assert world.run("--grace", "0s") == 8


def test_a_log_that_does_not_grow_is_9_whether_or_not_it_is_there(world: World) -> None:
    assert world.run("--stall", "24h") == 0
    world.change(world.state, "grown_at", "2020-01-01T00:00:00.000000Z")
    assert world.run("--stall", "24h") == 9
    assert world.run() == 0


def test_a_log_that_does_not_serve_what_it_signed_is_10(world: World) -> None:
    path = max((world.log / "tile/entries/000.p").iterdir(), key=lambda tile: int(tile.name))
    content = path.read_bytes()
    path.write_bytes(content.replace(b'"seq":0', b'"seq":1', 1))
    assert world.run() == 10
    path.unlink()
    assert world.run() == 10


def keep_response(world: World, kept: Path, **changes: Any) -> dict[str, Any]:
    """Keeps the response to a create, and returns its record."""
    replies = json.loads(gzip.decompress((FROZEN / "replies.json.gz").read_bytes()))
    entry = (RECEIPTS / "plain.entry").read_text()
    record = json.loads(replies[f"/api/answer-audit-logs/{json.loads(entry)['id']}"])
    response = {**record, "receipt": (RECEIPTS / "plain.tlog-proof").read_text(), **changes}
    (kept / "a.json").write_text(json.dumps(response))
    return cast("dict[str, Any]", record)


def create_of(record: dict[str, Any]) -> dict[str, Any]:
    names = ["application_key", "environment", "idempotency_key", "mode", "external_trace_id", "external_message_id"]
    names += ["actor_id_hash", "session_id_hash", "semantic_refs", "source_refs", "evidence_access_event_ids"]
    texts = {name: {"hash": record[name]["hash"]} for name in ("question", "answer")}
    return {**{name: record[name] for name in names if record[name] is not None}, **texts}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({}, None),
        ({"idempotency_key": None}, None),
        ({"answer": {"text": "The large one."}}, ": /answer/"),
        ({"idempotency_key": "msg-2"}, ": /idempotency_key differs"),
        ({"application_key": "sales-bot"}, ": /application_key differs"),
        ({"evidence_access_event_ids": ["0199f3c2-0000-7000-8000-000000000001"]}, ": /evidence_access_event_ids"),
        ({"answer": None}, " is not the body of a create"),
        ({"question": 1}, " is not the body of a create"),
    ],
)
def test_a_response_is_compared_with_the_request_beside_it(
    world: World, capsys: pytest.CaptureFixture[str], change: dict[str, Any], words: str | None
) -> None:
    kept = world.keep("plain")
    request = {**create_of(keep_response(world, kept)), **change}
    (kept / "a.request.json").write_text(json.dumps(request))
    assert world.run("--receipts", kept) == (0 if words is None else 11)
    shown = capsys.readouterr().out
    assert words is None or f"the request kept beside it{words}" in shown


def test_a_response_is_compared_with_its_own_entry(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    kept = world.keep("plain")
    record = keep_response(world, kept)
    assert world.run("--receipts", kept) == 0
    for changes in ({"record_hash": "sha256:" + "0" * 64}, {"answer": {**record["answer"], "text": "Another."}}):
        keep_response(world, kept, **changes)
        assert world.run("--receipts", kept) == 11
        assert "it is not about its own entry or texts: /" in capsys.readouterr().out


def test_a_kept_file_that_does_not_hold_is_11(world: World) -> None:
    kept = world.keep("plain")
    entry = kept / "plain.entry"
    entry.write_text(entry.read_text().replace('"seq":0', '"seq":1'))
    assert world.run("--receipts", kept) == 11
    (kept / "damaged.json").write_text("{")
    assert world.run("--receipts", kept) == 11
    shutil.copy(FROZEN / "bundles/corrected.json", kept / "bundle.json")
    entry.unlink()
    (kept / "damaged.json").unlink()
    assert world.run("--receipts", kept) == 0


def test_a_host_that_does_not_respond_is_3(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["monitor", "http://127.0.0.1:9/tlog/demo", "--state", world.state, "--trust", world.trust, "--once"]
    assert cli.main([str(argument) for argument in arguments]) == 3
    assert "unreachable  http://127.0.0.1:9/tlog/demo: the log did not respond" in capsys.readouterr().out


def test_what_cannot_be_used_is_2(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    world.state.write_text("{}")
    assert world.run() == 2
    assert "is not a state file of this monitor" in capsys.readouterr().err
    assert world.state.read_text() == "{}"
    world.state.unlink()
    assert world.run("--interval", "0s") == 2
    assert world.run("--webhook", "secret") == 2
    assert "secret" not in capsys.readouterr().err


def test_a_webhook_is_told_once_of_what_goes_on(world: World) -> None:
    told: list[bytes] = []

    class Hook(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            told.append(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Hook)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        hook = f"http://127.0.0.1:{server.server_port}/secret"
        assert world.run("--webhook", hook) == 0
        world.change(world.state, "grown_at", "2020-01-01T00:00:00.000000Z")
        assert world.run("--webhook", hook, "--stall", "1d") == world.run("--webhook", hook, "--stall", "1d") == 9
    finally:
        server.shutdown()
        server.server_close()
    assert [json.loads(report)["findings"][0]["kind"] for report in told] == ["stall"]
