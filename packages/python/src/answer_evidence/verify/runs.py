"""The decision of a run and its checks (docs/formats/reconciliation.md). A check returns None for PASS, or raises."""

from __future__ import annotations

import functools

from .attested import Attested
from .bundle_form import RECORD_LINE, REFERENCE_LINE
from .canonical_json import Json, canonical, read_json
from .cores import core_hash, keys_at, micros, read_entry
from .form import assert_form
from .notes import read_checkpoint, read_note, read_receipt, signers_of
from .outcomes import NotApplicable, Skip, require
from .tiles import Log, Read, root_at
from .tree import assert_consistent, leaf_hash, root_of

TYPES = [
    "missing_service",
    "unexpected_service",
    "late_service",
    "duplicate_reference",
    "duplicate_service",
    "unanchored_service",
]
FIELDS = ("question", "answer")


def set_of(lines: list[str]) -> Json:
    root = root_at([leaf_hash(line) for line in lines], len(lines))
    return {"size": len(lines), "root": (root or b"").hex()}


def bytes_of(text: str | None) -> tuple[bool, bytes]:
    return (text is not None, (text or "").encode())


def compare(hash_: str | None, commitment: Json, shown: Json) -> str:
    if hash_ is None:
        return "not_given"
    kind, other = hash_.split(":")[0], commitment["hash"].split(":")[0]
    if kind == other:
        return "same" if hash_ == commitment["hash"] else "different"
    if kind == "sha256" and shown["opened"]:
        return "same" if hash_ == shown["equals"] else "different"
    return "not_comparable"


def record_set(core: Json, references: list[Json], records: list[Json]) -> list[Json]:
    """The records that belong to the set: those in the window, and those that a reference names in its lateness."""
    start, end = micros(core["window_start"]), micros(core["window_end"])
    until = end + core["max_lateness_seconds"] * 1_000_000
    names = {reference["reference_id"] for reference in references}

    def belongs(record: Json) -> bool:
        at = micros(record["at"])
        return start <= at < end or (end <= at < until and record["core"][core["match_on"]] in names)

    return sorted(filter(belongs, records), key=lambda record: record["leaf_index"])


def decide(core: Json, references: list[Json], lines: list[Json]) -> tuple[list[Json], Json]:
    """The findings and the counts of a run. Lines of records that do not belong to the set are left out."""
    records = record_set(core, references, lines)
    end = micros(core["window_end"])
    lateness = core["max_lateness_seconds"] * 1_000_000
    decided = micros(core["decided_at"])
    counts = dict.fromkeys(core["counts"], 0)
    findings = []

    def find(kind: str, reference: str | None, record: str | None, **detail: Json) -> None:
        counts[kind] += 1
        findings.append({"type": kind, "reference_id": reference, "answer_log_id": record, "detail": detail})

    def facts(record: Json) -> Json:
        return {"created_at": record["at"], "record_status": record["status"]}

    groups: dict[str, list[Json]] = {}
    by_value: dict[str, list[Json]] = {}
    for reference in references:
        groups.setdefault(reference["reference_id"], []).append(reference)
    for record in records:
        by_value.setdefault(record["core"][core["match_on"]], []).append(record)
    counts["references"], counts["records"] = len(references), len(records)
    for name, group in groups.items():
        group.sort(key=lambda r: (r["occurred_at"], bytes_of(r["question_hash"]), bytes_of(r["answer_hash"])))
        first, occurred = group[0], group[0]["occurred_at"]
        counts["repeated_references"] += len(group) - 1
        if len(group) > 1:
            times = sorted({reference["occurred_at"] for reference in group})[:10]
            find(
                "duplicate_reference",
                name,
                None,
                times=len(group),
                occurred_at=times,
                differ=any(r != first for r in group),
            )
        named = by_value.get(name, [])
        if not named:
            find(
                "missing_service",
                name,
                None,
                reason="no_record",
                occurred_at=occurred,
                provisional=decided < end + lateness,
            )
            continue
        compared = [{f: compare(first[f + "_hash"], r["core"][f], r[f]) for f in FIELDS} for r in named]
        at = next((n for n, how in enumerate(compared) if "different" not in how.values()), 0)
        own, how = named[at], compared[at]
        own_id = own["core"]["id"]
        for n, other in enumerate(named):
            if n != at:
                find(
                    "duplicate_service",
                    name,
                    other["core"]["id"],
                    first_answer_log_id=own_id,
                    **facts(other),
                    **compared[n],
                )
        if "different" in how.values():
            counts["hash_mismatches"] += 1
            find(
                "missing_service",
                name,
                own_id,
                reason="hash_mismatch",
                occurred_at=occurred,
                **facts(own),
                fields=[f for f in FIELDS if how[f] == "different"],
                referenced={f: first[f + "_hash"] for f in FIELDS},
                recorded={f: own["core"][f]["hash"] for f in FIELDS},
            )
            continue
        counts["matched"] += 1
        counts["hashes_not_comparable"] += "not_comparable" in how.values()
        above = micros(own["at"]) - micros(occurred) - lateness
        if above > 0:
            late = {"max_lateness_seconds": core["max_lateness_seconds"], "late_by_seconds": -(-above // 1_000_000)}
            find("late_service", name, own_id, occurred_at=occurred, **facts(own), **late)
        anchored = core["anchored_tree_size"]
        if anchored is not None and own["leaf_index"] >= anchored:
            place = {"leaf_index": own["leaf_index"], "anchored_tree_size": anchored}
            find("unanchored_service", name, own_id, **facts(own), **place)
    for record in records:
        value = record["core"][core["match_on"]]
        if value in groups:
            continue
        if record["named_earlier"] is not None:
            counts["named_earlier"] += 1
        else:
            find(
                "unexpected_service",
                None,
                record["core"]["id"],
                match_value=value,
                **facts(record),
                provisional=decided < end,
            )

    def order(found: Json) -> tuple[int, tuple[bool, bytes], tuple[bool, bytes]]:
        return TYPES.index(found["type"]), bytes_of(found["reference_id"]), bytes_of(found["answer_log_id"])

    return sorted(findings, key=order), counts


def read_references(lines: list[str]) -> list[Json]:
    """The caller's own list. Raises Malformed for a line that is not the canonical text of a reference."""
    read = []
    for line in lines:
        reference = read_json(line)
        assert_form(reference, REFERENCE_LINE, "a reference")
        micros(reference["occurred_at"])
        require(canonical(reference) == line, "a reference is not in canonical form")
        read.append(reference)
    return read


class Run(Attested):
    """A proof of the format, with the files that it is checked with. Of its checkpoint it shows what a bundle shows."""

    def __init__(
        self, proof: Json, asked: list[Json], records: list[str], trust: Json, read: Read | None = None
    ) -> None:
        self.read = read
        self.proof, self.bundle, self.trust = proof, proof, trust
        self.core = proof["run"]["core"]
        self.asked, self.record_lines = asked, records

    def shown_leaves(self) -> list[Json]:
        return [self.bundle["run"]]

    @functools.cached_property
    def stored(self) -> list[Json]:
        """The records of the set, each with its entry as `read`, and its time as `at`."""
        read = []
        for line in self.record_lines:
            record = read_json(line)
            assert_form(record, RECORD_LINE, "a record of the set")
            require(canonical(record) == line, "a record is not in canonical form")
            entry = read_entry(record["entry"])
            read.append({**record, "read": entry, "at": entry["at"]})
        return read

    @functools.cached_property
    def decided(self) -> tuple[list[Json], Json]:
        return decide(self.core, self.asked, self.stored)

    def references(self) -> None:
        for reference in self.asked:
            inside = self.core["window_start"] <= reference["occurred_at"] < self.core["window_end"]
            require(inside, "a reference is outside of the window")
        lines = sorted(map(canonical, self.asked), key=lambda line: line.encode())
        require(set_of(lines) == self.core["references"], "the references are others")

    def records(self) -> None:
        core, last = self.core, -1
        until = micros(core["window_end"]) + core["max_lateness_seconds"] * 1_000_000
        for record in self.stored:
            own, entry = record["core"], record["read"]
            require(last < record["leaf_index"] < core["snapshot"]["tree_size"], "a record is out of order")
            last = record["leaf_index"]
            same = all(own[name] == core[name] for name in ("application_key", "environment"))
            require(same, "a record is of another application or environment")
            expected = {"v": 1, "type": "answer_recorded", "id": own["id"], "subject": own["id"], "seq": 0}
            expected |= {"hash": core_hash("answer_recorded", own), "at": entry["at"]}
            require(entry == expected, "an entry is not that of its core")
            require(micros(core["window_start"]) <= micros(entry["at"]) < until, "a record is of another time")
            for field in FIELDS:
                opened, keyed = record[field]["opened"], own[field]["hash"].startswith("hmac-")
                require(keyed or not opened, "a plain commitment was opened")
                require(opened or record[field]["equals"] is None, "a text equals a hash and was not opened")
        require(set_of(self.record_lines) == core["records"], "the records are others")
        belonging = record_set(core, self.asked, self.stored)
        require(len(belonging) == len(self.stored), "a record of the set is neither of the window nor named")

    def record_leaves(self) -> None:
        if not self.stored:
            raise NotApplicable("the record set is empty")
        if self.read is None:
            raise Skip("the log itself is not at hand")
        # The leaves are those of this checkpoint, whatever origin the proof states besides.
        _, size, root = read_checkpoint(read_note(self.proof["checkpoint"])[0])
        require(self.core["snapshot"]["tree_size"] <= size, "the snapshot is larger than the tree that is signed")
        log = Log(self.read, size, root)
        log.assert_root()
        before = log.read_entries[: self.core["snapshot"]["tree_size"]]
        changed = {entry["subject"] for entry in before if entry and entry["type"] == "lifecycle_event"}
        for record in self.stored:
            logged = log.entries[record["leaf_index"]]
            if logged is None:
                continue
            require(logged == record["entry"].encode(), "an entry of the set is not at its leaf")
            is_changed = record["core"]["id"] in changed or record["status"] == "recorded"
            require(is_changed or log.missing, "a record has another status than its events in the log lead to")
        log.assert_whole("what happened to a record could stand there")

    def earlier_runs(self) -> None:
        named = [record for record in self.stored if record["named_earlier"] is not None]
        own = {reference["reference_id"] for reference in self.asked}
        for record in named:
            value = record["core"][self.core["match_on"]]
            require(value is not None and value not in own, "a record cannot need an earlier run")
        if not named:
            raise NotApplicable("no record needs an earlier run")
        raise Skip("the earlier runs are not at hand")

    def findings(self) -> None:
        require(set_of([canonical(f) for f in self.decided[0]]) == self.core["findings"], "the findings are others")

    def counts(self) -> None:
        require(self.decided[1] == self.core["counts"], "the counts are others")

    def statement(self) -> None:
        core, (text, _) = self.core, read_note(self.proof["note"])
        sets = [f"{n} {core[n]['size']} {core[n]['root']}" for n in ("references", "records", "findings")]
        tree = f"tree {core['snapshot']['tree_size']} {core['snapshot']['root_hash']}"
        head = ["answer-evidence/reconciliation/v1", self.proof["origin"], core["run_id"]]
        lines = [*head, core_hash("reconciliation_completed", core), *sets, tree, ""]
        require(text == "\n".join(lines), "the statement is not made of the core")
        logs = [log for log in self.trust["logs"] if log["origin"] == self.proof["origin"]]
        require(logs, "the trust file does not name this log")
        vkeys = {vkey for log in logs for _, vkey in keys_at(log["keys"], self.checkpoint()[1])}
        require(vkeys and signers_of(self.proof["note"], vkeys) == vkeys, "a key of this size has not signed")

    def leaf_entry(self) -> None:
        run = self.proof["run"]
        entry = read_entry(run["entry"])
        expected = {"v": 1, "type": "reconciliation_completed", "id": self.core["id"], "seq": 0}
        expected |= {"subject": self.proof["workspace_id"], "hash": core_hash("reconciliation_completed", self.core)}
        require(entry == {**expected, "at": entry["at"]}, "the entry is not that of the core")
        require(leaf_hash(run["entry"]).hex() == run["leaf_hash"], "the leaf hash is another")

    def merkle_inclusion(self) -> None:
        run = self.proof["run"]
        index, hashes, note = read_receipt(run["proof"])
        require(note == self.proof["checkpoint"] and index == run["leaf_index"], "the receipt is of something else")
        _, size, root = self.checkpoint()
        require(root_of(index, size, leaf_hash(run["entry"]), hashes) == root, "the run is not in the tree")

    def checkpoint_consistency(self) -> None:
        snapshot, anchored = self.core["snapshot"], self.core["anchored_tree_size"]
        require(snapshot["tree_size"] <= self.proof["run"]["leaf_index"], "the run stands in its own tree")
        require(anchored is None or anchored <= snapshot["tree_size"], "more is anchored than there is")
        _, size, root = self.checkpoint()
        hashes = [bytes.fromhex(hash_) for hash_ in self.proof["consistency"]]
        assert_consistent(snapshot["tree_size"], size, bytes.fromhex(snapshot["root_hash"]), root, hashes)
