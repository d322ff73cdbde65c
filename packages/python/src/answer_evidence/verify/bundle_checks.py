"""The checks of a bundle (docs/formats/bundle.md, "Verifying a bundle"). Each returns None for PASS, or raises."""

from __future__ import annotations

import hashlib
import hmac
import itertools

from .bundle_form import EXPIRY_CORE, LINK_CORE, TRACE_CORE, WITHHELD_FORMAT
from .canonical_json import Json, Malformed, canonical
from .cores import core_hash, item_hash, keys_at, micros, read_entry
from .evidence_checks import ERASURE_TYPES, EvidenceChecks
from .form import assert_form, format_time
from .hold_checks import assert_holds
from .notes import assert_receipt_signed, read_checkpoint, read_note, read_receipt
from .outcomes import NotApplicable, Skip, require
from .signed_trees import SignedTrees
from .tiles import Log, Read, root_at
from .tree import leaf_hash, root_of

ATTACHMENT_TYPES = ("trace_attached", "evidence_linked", "text_expired")
TRANSITIONS = {
    "recorded": {"correction_appended": "corrected", "voided": "voided", "retention_extended": "recorded"},
    "corrected": {"correction_appended": "corrected", "voided": "voided", "retention_extended": "corrected"},
    "voided": {"retention_extended": "voided"},
    "redacted": {"retention_extended": "redacted"},
}


class Bundle(EvidenceChecks):
    """A bundle of the format, with what its leaves say was erased."""

    def __init__(
        self,
        bundle: Json,
        trust: Json,
        read: Read | None = None,
        own_receipt: str | None = None,
        given: SignedTrees | None = None,
    ) -> None:
        self.bundle, self.trust = bundle, trust
        self.read, self.own_receipt, self.given = read, own_receipt, given
        self.record, self.events = bundle["record"], bundle["events"]
        self.leaves = [self.record, *self.events, *bundle["attachments"]]
        evidence = bundle.get("evidence", {"accesses": [], "assets": []})
        self.accesses, self.assets = evidence["accesses"], evidence["assets"]
        self.evidence_leaves = [*self.accesses]
        for asset in self.assets:
            self.evidence_leaves += [asset["registered"], *asset["erasures"]]
        self.holds = bundle.get("holds", [])
        redactions = [e["core"]["payload"] for e in self.events if e["core"]["event_type"] == "redacted"]
        self.redacted = bool(redactions)
        self.gone_sources = {i for payload in redactions for i in payload.get("redact_source_ref_ids", [])}
        self.gone_events = {i for payload in redactions for i in payload.get("redact_event_ids", [])}
        self.gone_semantic = any(payload.get("redact_semantic_refs") for payload in redactions)
        self.expired_at = max([-1, *(a["leaf_index"] for a in bundle["attachments"] if self.is_expiry(a))])

    def shown_leaves(self) -> list[Json]:
        return [*self.leaves, *self.evidence_leaves, *self.holds]

    def name_leaf(self, index: int) -> str:
        if index == self.record["leaf_index"]:
            return "the record"
        events = [event["leaf_index"] for event in self.bundle["events"]]
        return f"event {events.index(index) + 1}" if index in events else super().name_leaf(index)

    def is_expiry(self, attachment: Json) -> bool:
        try:
            entry = read_entry(attachment["entry"])
        except Malformed:
            return False
        return bool(entry["type"] == "text_expired" and entry["subject"] == self.record["core"]["id"])

    def compare_text(self, field: str, commitment: Json, shown: Json, leaf_index: int) -> None:
        gone = commitment["text_state"] != "stored" or self.redacted or leaf_index < self.expired_at
        withheld = self.bundle["format"] == WITHHELD_FORMAT
        require((shown is None) == (gone or withheld), "a text is missing, or shown although it is gone or withheld")
        if gone:
            raise NotApplicable("the log says that the text is gone")
        if withheld:
            raise Skip("the bundle withholds the text; one with texts decides this")
        keyed = commitment["hash"].startswith("hmac-")
        require(keyed == (commitment["hash_key_id"] is not None), "a commitment contradicts itself")
        require(keyed or shown["key"] is None, "a plain commitment with a key")
        require(not keyed or shown["key"] is not None, "a text is shown without the key that its commitment needs")
        text = shown["text"].encode()
        if keyed:
            digest = hmac.new(bytes.fromhex(shown["key"]), field.encode() + b"\n" + text, hashlib.sha256)
            actual = "hmac-sha256:" + digest.hexdigest()
        else:
            actual = "sha256:" + hashlib.sha256(text).hexdigest()
        require(actual == commitment["hash"], "the text is not the one committed to")

    def question_commitment(self) -> None:
        shown = self.record["disclosed"]["question"]
        self.compare_text("question", self.record["core"]["question"], shown, self.record["leaf_index"])

    def answer_commitment(self) -> None:
        shown = self.record["disclosed"]["answer"]
        self.compare_text("answer", self.record["core"]["answer"], shown, self.record["leaf_index"])

    def corrections(self) -> None:
        compared = 0
        withheld = None
        for event in self.events:
            core, shown = event["core"], event["disclosed"]["corrected_text"]
            if core["corrected_answer"] is None:
                require(shown is None, "a corrected text that nothing commits to")
                continue
            require(core["event_type"] == "correction_appended", "an answer is corrected by no correction")
            try:
                self.compare_text("answer", core["corrected_answer"], shown, event["leaf_index"])
                compared += 1
            except NotApplicable:
                continue
            except Skip as reason:
                withheld = reason
        if withheld is not None:
            raise withheld
        if compared == 0:
            raise NotApplicable("no corrected text to compare")

    def compare_items(self, committed: list[tuple[str, bool]], shown: Json) -> None:
        """`committed` are pairs of a hash and whether the item is gone."""
        require(len(committed) == len(shown), "not as many items as the record has")
        for (hash_, gone), item in zip(committed, shown, strict=False):
            require((item is None) == gone, "an item is missing, or shown although it is gone")
            require(item is None or item_hash(item) == hash_, "an item is not the one that was recorded")
        if all(item is None for item in shown):
            raise NotApplicable("nothing to compare")

    def source_refs(self) -> None:
        expired = self.record["leaf_index"] < self.expired_at
        refs = self.record["core"]["source_refs"]
        committed = [(ref["hash"], expired or ref["source_ref_id"] in self.gone_sources) for ref in refs]
        self.compare_items(committed, self.record["disclosed"]["source_refs"])

    def semantic_refs(self) -> None:
        gone = self.gone_semantic or self.record["leaf_index"] < self.expired_at
        committed = [(hash_, gone) for hash_ in self.record["core"]["semantic_refs"]]
        self.compare_items(committed, self.record["disclosed"]["semantic_refs"])

    def trace_refs(self) -> None:
        traces = [a for a in self.bundle["attachments"] if read_entry(a["entry"])["type"] == "trace_attached"]
        for trace in traces:
            hash_ = read_entry(trace["entry"])["hash"]
            require(core_hash("trace_attached", trace["core"]) == hash_, "a trace is not the one that was attached")
            assert_form(trace["core"], TRACE_CORE, "the core of an attached trace")
            require(trace["core"]["answer_log_id"] == self.record["core"]["id"], "a trace of another record")
        spans = {(trace["core"]["trace_id"], trace["core"]["span_id"]) for trace in traces}
        require(len(spans) == len(traces), "a span is attached twice")
        if not traces:
            raise NotApplicable("no trace is attached")

    def record_hash(self) -> None:
        actual = core_hash("answer_recorded", self.record["core"])
        require(actual == read_entry(self.record["entry"])["hash"], "the record is not the one that was recorded")

    def event_chain(self) -> None:
        before, leaf_before = read_entry(self.record["entry"])["hash"], self.record["leaf_index"]
        record_id = self.record["core"]["id"]
        earlier: set[str] = set()
        for sequence, event in enumerate(self.events, 1):
            core, entry, shown = event["core"], read_entry(event["entry"]), event["disclosed"]
            require(core["sequence"] == sequence == entry["seq"], "an event is missing or out of order")
            require(core["answer_log_id"] == record_id == entry["subject"], "an event of another record")
            require(core["prev_event_hash"] == before, "an event does not follow the one before it")
            require(core_hash("lifecycle_event", core) == entry["hash"], "an event was altered")
            require(core["id"] == entry["id"], "an entry names another event")
            require(event["leaf_index"] > leaf_before, "an event stands before what it follows")
            require(
                earlier >= set(core["payload"].get("redact_event_ids", [])), "an event that is not earlier is redacted"
            )
            if (approval := core.get("approval")) is not None:
                by, actor = approval["approved_by"], core["actor"]
                require((approval["approval_id"] is None) == (by is None), "an approval names only half of its pair")
                is_own = by is not None and (by["kind"], by["id"]) == (actor["kind"], actor["id"])
                require(not is_own, "who asked for an event approved it")
            redacted = core["id"] in self.gone_events
            gone = redacted or event["leaf_index"] < self.expired_at
            for hash_, item in (
                (core["reason_hash"], shown["reason"]),
                (core["payload_rest_hash"], shown["payload_rest"]),
            ):
                if item is None:
                    require(hash_ is None or gone, "a reason or payload is missing")
                else:
                    require(not redacted, "a reason or payload is shown although it is gone")
                    require(hash_ == item_hash(item), "a reason or payload is not the one that was recorded")
            before, leaf_before = entry["hash"], event["leaf_index"]
            earlier.add(core["id"])
        if not self.events:
            raise NotApplicable("the record has no event")

    def event_completeness(self) -> None:
        _, size, root = self.checkpoint()
        if self.read is None:
            raise Skip("it needs the log: a later correction, void or redaction could have been left out")
        log = Log(self.read, size, root)
        log.assert_root()
        shown = {leaf["leaf_index"]: leaf["entry"] for leaf in self.leaves}
        for index, entry in enumerate(log.read_entries):
            if entry is not None and entry["subject"] == self.record["core"]["id"]:
                require(shown.get(index) == canonical(entry), "the log has an entry about the record that is not shown")
        for index in shown:
            entry = log.read_entries[index] if index < size else {}
            held = entry is None or entry.get("subject") == self.record["core"]["id"]
            require(held, "an entry is shown that the log does not have")
        log.assert_whole("a later correction, void or redaction could stand there")

    def checkpoint_consistency(self) -> None:
        origin, size, root = self.checkpoint()
        trees = [] if self.given is None else self.given.trees_of(origin)
        others = [tree for tree in trees if tree.size < size or (tree.size == size and tree.root != root)]
        if not others:
            raise NotApplicable("no other checkpoint of the log was given")
        undecided = set()
        for tree in others:
            relation = self.continues(tree)
            require(relation is not False, f"a given file shows another tree of {tree.size} leaves of this log")
            if relation is None:
                undecided.add(tree.size)
        if undecided:
            sizes = ", ".join(map(str, sorted(undecided)))
            raise Skip(f"whether it continues the trees of sizes {sizes} needs the log, or a quorum for both")

    def receipt(self) -> None:
        if self.own_receipt is None:
            raise NotApplicable("no receipt was given")
        own_origin, own_size, own_root = self.checkpoint()
        index, hashes, note = read_receipt(self.own_receipt)
        origin, size, root = read_checkpoint(read_note(note)[0])
        pinned = [log for log in self.trust["logs"] if log["origin"] == origin]
        require(origin == own_origin or pinned, "the receipt is of another log")
        require(index == self.record["leaf_index"], "the receipt is of another leaf")
        included = root_of(index, size, leaf_hash(self.record["entry"]), hashes) == root
        require(included, "the record is not in the tree of the receipt")
        vkeys = {vkey for log in pinned for _, vkey in keys_at(log["keys"], size)}
        assert_receipt_signed(note, vkeys)
        if origin != own_origin:
            raise Skip("the receipt is of an earlier name of the log, whose trees are not compared")
        if size == own_size:
            require(root == own_root, "the log has signed two trees of one size")
            return
        if self.read is None or size > own_size:
            raise Skip("the receipt holds; whether both trees are of one log needs the log")
        log = Log(self.read, own_size, own_root)
        log.assert_root()
        before = root_at(log.hashes, size)
        if before is None:
            raise Skip("the receipt holds; the log lacks hashes of its tree")
        require(before == root, "the log does not extend the tree of the receipt")

    def status_derivation(self) -> None:
        status = "recorded"
        for event in self.events:
            kind = event["core"]["event_type"]
            allowed = {**TRANSITIONS[status], "redacted": "redacted"}
            require(kind in allowed, "an event that the status does not allow")
            status = allowed[kind]
        require(status == self.bundle["status"], "the events lead to another status")

    def leaf_entry(self) -> None:
        record_id = self.record["core"]["id"]
        leaves = self.shown_leaves()
        for position, leaf in enumerate(leaves):
            entry = read_entry(leaf["entry"])
            kind, seq, subject = entry["type"], 0, record_id
            if position == 0:
                require(kind == "answer_recorded", "the record's entry is of another type")
            elif position <= len(self.events):
                require(kind == "lifecycle_event", "an event's entry is of another type")
                seq = leaf["core"]["sequence"]
            elif position < len(self.leaves):
                require(kind in ATTACHMENT_TYPES, "an attachment's entry is of another type")
            elif position < len(leaves) - len(self.holds):
                subject = leaf["core"].get("asset_id")
            else:
                subject, seq = self.bundle["workspace_id"], leaf["core"].get("version")
            rebuilt = {"v": 1, "type": kind, "id": leaf["core"].get("id"), "subject": subject, "seq": seq}
            rebuilt.update(hash=core_hash(kind, leaf["core"]), at=entry["at"])
            require(canonical(rebuilt) == leaf["entry"], "an entry is not that of its object")
            require(leaf_hash(leaf["entry"]).hex() == leaf["leaf_hash"], "a leaf hash is wrong")
        for leaf in self.accesses:
            require(read_entry(leaf["entry"])["type"] == "evidence_accessed", "an access's entry is of another type")
        for asset in self.assets:
            kinds = [read_entry(leaf["entry"])["type"] for leaf in [asset["registered"], *asset["erasures"]]]
            require(kinds[0] == "evidence_registered", "an asset's entry is of another type")
            require(set(kinds[1:]) <= set(ERASURE_TYPES), "an erasure's entry is of another type")
        require(min(self.leaves, key=lambda leaf: leaf["leaf_index"]) is self.record, "something is before the record")
        for attachment in self.bundle["attachments"]:
            self.compare_attachment(attachment)
        assert_holds(self.bundle)
        ordered = sorted(leaves, key=lambda leaf: leaf["leaf_index"])
        for first, second in itertools.pairwise(ordered):
            require(first["leaf_index"] < second["leaf_index"], "two leaves have one index")
            before, after = read_entry(first["entry"])["at"], read_entry(second["entry"])["at"]
            # Each leaf between them takes a microsecond.
            between = second["leaf_index"] - first["leaf_index"]
            held = micros(after) - micros(before) >= between
            require(held, f"a leaf of {after} follows one of {before}, {between} before it: its time is too early")

    def compare_attachment(self, attachment: Json) -> None:
        entry, core = read_entry(attachment["entry"]), attachment["core"]
        if entry["type"] == "evidence_linked":
            assert_form(core, LINK_CORE, "the core of a link")
            require(core["answer_log_id"] == self.record["core"]["id"], "a link of another record")
        if entry["type"] != "text_expired":
            return
        assert_form(core, EXPIRY_CORE, "the core of an expiry")
        require(core["answer_log_id"] == self.record["core"]["id"], "an expiry of another record")
        end = self.retention_before(attachment["leaf_index"])
        is_over = micros(core["retained_until"]) == end < micros(entry["at"])
        require(is_over, f"an expiry of {entry['at']}, but the retention ends at {format_time(end)}")

    def merkle_inclusion(self) -> None:
        _, size, root = self.checkpoint()
        for leaf in self.shown_leaves():
            index, hashes, note = read_receipt(leaf["proof"])
            require(note == self.bundle["checkpoint"], "a proof leads to another checkpoint")
            require(index == leaf["leaf_index"], "a proof is of another leaf")
            require(root_of(index, size, leaf_hash(leaf["entry"]), hashes) == root, "a leaf is not in the tree")
