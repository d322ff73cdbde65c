"""The checks of a run (docs/formats/reconciliation.md, "Verifying a run"). Each returns None for PASS, or raises."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple

from .attested import Attested
from .canonical_json import Json, Malformed, canonical, read_json
from .cores import core_hash, keys_at, micros, read_entry
from .decision import FIELDS, decide, record_set, set_of
from .form import assert_form
from .notes import assert_receipt_signed, read_checkpoint, read_note, read_receipt
from .outcomes import NotApplicable, Skip, require
from .run_form import RECORD_LINE, REFERENCE_LINE, RUN_PROOF
from .signed_trees import SignedTrees
from .tiles import Log, Read
from .tree import assert_consistent, leaf_hash, root_of


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


def in_window(proof: str, references: str) -> tuple[str, int]:
    """The lines of a list that are in the window of a run, since a list may cover more, and how many are not."""
    try:
        core = read_json(proof)["run"]["core"]
        start, end = core["window_start"], core["window_end"]
        lines = references.splitlines(keepends=True)
        inside = [line for line in lines if start <= read_json(line.rstrip("\n"))["occurred_at"] < end]
    except (Malformed, KeyError, TypeError):
        # What is wrong with them is said by the checks.
        return references, 0
    return "".join(inside), len(lines) - len(inside)


class EarlierRun(NamedTuple):
    """A run that names records of this one: the text of its proof, and the references that it was asked with."""

    proof: str
    references: list[Json]


class Run(Attested):
    """A proof of the format, with the files that it is checked with. Of its checkpoint it shows what a bundle shows."""

    def __init__(
        self,
        proof: Json,
        asked: list[Json],
        records: list[str],
        trust: Json,
        read: Read | None = None,
        given: SignedTrees | None = None,
        earlier: Sequence[EarlierRun] = (),
        found: list[str] | None = None,
    ) -> None:
        self.read, self.given = read, given
        self.earlier, self.found = earlier, found
        self.proof, self.bundle, self.trust = proof, proof, trust
        self.core = proof["run"]["core"]
        self.asked, self.record_lines = asked, records

    def shown_leaves(self) -> list[Json]:
        return [self.bundle["run"]]

    def name_leaf(self, index: int) -> str:
        return "the run"

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
        runs = {run.core["run_id"]: run for run in reversed([self._read_earlier(earlier) for earlier in self.earlier])}
        missing = set()
        for record in named:
            run = runs.get(record["named_earlier"])
            if run is None:
                missing.add(record["named_earlier"])
                continue
            names = {reference["reference_id"] for reference in run.asked}
            require(record["core"][self.core["match_on"]] in names, "an earlier run does not name the record")
        if missing:
            raise Skip(f"these earlier runs are not at hand: {', '.join(sorted(missing))}")
        self._assert_logged(list(runs.values()))

    def _read_earlier(self, earlier: EarlierRun) -> Run:
        """An earlier run, whose proof holds. Raises Malformed."""
        proof = read_json(earlier.proof)
        assert_form(proof, RUN_PROOF, "the proof of an earlier run")
        run = Run(proof, earlier.references, [], self.trust)
        require(proof["origin"] == self.proof["origin"], "an earlier run is of another log")
        same = all(run.core[name] == self.core[name] for name in ("application_key", "environment", "match_on"))
        require(same, "an earlier run is of another application, environment or value")
        is_before = proof["run"]["leaf_index"] < self.core["snapshot"]["tree_size"]
        require(is_before, "an earlier run was not completed before this one")
        lines = sorted(map(canonical, earlier.references), key=lambda line: line.encode())
        require(set_of(lines) == run.core["references"], "the references of an earlier run are others")
        for check in (run.leaf_entry, run.merkle_inclusion, run.statement, run.checkpoint_signature):
            check()
        self._assert_logged([run], is_open=True)
        return run

    def _assert_logged(self, runs: Sequence[Run], is_open: bool = False) -> None:
        """Raises Malformed where the log has another leaf than a run says, and Skip where it lacks the leaf."""
        if self.read is None:
            return
        _, size, root = self.checkpoint()
        log = Log(self.read, size, root)
        log.assert_root()
        for run in runs:
            shown = run.proof["run"]
            logged = log.entries[shown["leaf_index"]] if shown["leaf_index"] < size else None
            require(logged is None or logged == shown["entry"].encode(), "an earlier run is not at its leaf of the log")
            if logged is None and not is_open:
                raise Skip("the log lacks the leaf of an earlier run")

    def findings(self) -> None:
        lines = [canonical(finding) for finding in self.decided[0]]
        require(set_of(lines) == self.core["findings"], "the findings are others")
        require(self.found is None or self.found == lines, "the file of findings has others")

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
        assert_receipt_signed(self.proof["note"], vkeys)

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
