"""The check of the evidence that a record binds (docs/formats/bundle.md, "Evidence")."""

from __future__ import annotations

import hashlib

from .attested import Attested
from .bundle_form import EVIDENCE_CORES
from .canonical_json import Json, canonical
from .cores import micros, read_entry
from .form import assert_form, format_time
from .outcomes import NotApplicable, require
from .tiles import Log, Read
from .tree import leaf_hash, root_of

ERASURE_TYPES = ("evidence_redacted", "evidence_expired")


class EvidenceChecks(Attested):
    """Accesses, assets and erasures, as a bundle shows them."""

    read: Read | None
    record: Json
    events: Json
    accesses: list[Json]
    assets: list[Json]
    gone_sources: set[str]

    def retention_before(self, leaf_index: int) -> int:
        """The end of the record's retention, with the extensions that stand before a leaf."""
        before = [event["core"] for event in self.events if event["leaf_index"] < leaf_index]
        extensions = [event["payload"] for event in before if event["event_type"] == "retention_extended"]
        ends = [payload["retain_until"] for payload in extensions if "retain_until" in payload]
        return max(micros(time) for time in [self.record["core"]["retention_until"], *ends])

    def compare_evidence_expiry(self, asset: Json, expiry: Json) -> None:
        end = micros(expiry["core"]["retained_until"])
        stated, at = expiry["core"]["retained_until"], read_entry(expiry["entry"])["at"]
        require(end < micros(at), f"an expiry of evidence of {at}, but its retention ends at {stated}")
        until = asset["retention_until"]
        require(end >= micros(until), f"an expiry of evidence states {stated}, but its asset's retention is {until}")
        if self.record["leaf_index"] < expiry["leaf_index"]:
            own = self.retention_before(expiry["leaf_index"])
            said = f"an expiry of evidence states {stated}, but the record's retention ends at {format_time(own)}"
            require(end >= own, said)

    def evidence_binding(self) -> None:
        core = self.record["core"]
        for access in self.accesses:
            shown = access["core"]
            assert_form(shown, EVIDENCE_CORES["evidence_accessed"], "the core of an access")
            require(shown["application_key"] == core["application_key"], "an access is of another application")
            require(access["leaf_index"] < self.record["leaf_index"], "an access came after the record")
        shown = {access["core"]["id"] for access in self.accesses}
        require(shown == set(core["evidence_access_event_ids"]), "other accesses than the record names")
        for asset in self.assets:
            self.compare_asset(asset)
        accessed = {access["core"]["asset_id"] for access in self.accesses}
        require(accessed == {asset["registered"]["core"]["asset_id"] for asset in self.assets}, "other assets")
        if not shown:
            raise NotApplicable("the record names no access event")
        for access in self.accesses:
            if access["core"]["source_ref_id"] in self.gone_sources:
                require(self.is_gone(access["core"]), "what was redacted with the record has no tombstone")
        self.assert_erasures_shown()

    def assert_erasures_shown(self) -> None:
        """With the log at hand, no erasure of what was accessed is left out. Raises Skip where the log lacks parts."""
        if self.read is None:
            return
        _, size, root = self.checkpoint()
        log = Log(self.read, size, root)
        log.assert_root()
        for asset in self.assets:
            shown = {erasure["leaf_index"] for erasure in asset["erasures"]}
            asset_id = asset["registered"]["core"]["asset_id"]
            for index, entry in enumerate(log.read_entries):
                if entry is not None and entry["subject"] == asset_id and entry["type"] in ERASURE_TYPES:
                    require(index in shown, "the log has an erasure that is not shown")
        log.assert_whole("an erasure of the evidence could stand there")

    def compare_asset(self, asset: Json) -> None:
        leaf, core = asset["registered"]["leaf_index"], asset["registered"]["core"]
        assert_form(core, EVIDENCE_CORES["evidence_registered"], "the core of an asset")
        require(core["application_key"] == self.record["core"]["application_key"], "an asset of another application")
        event_ids = {event["core"]["id"] for event in self.events if event["core"]["event_type"] == "redacted"}
        for erasure in asset["erasures"]:
            gone = erasure["core"]
            assert_form(gone, EVIDENCE_CORES[read_entry(erasure["entry"])["type"]], "the core of an erasure")
            require(
                gone["asset_id"] == core["asset_id"] and leaf < erasure["leaf_index"], "an erasure of another asset"
            )
            require(all(index < core["segment_count"] for index in gone.get("segments") or []), "no such segment")
            if "retained_until" in gone:
                self.compare_evidence_expiry(core, erasure)
            if gone.get("answer_log_id") == self.record["core"]["id"]:
                require(gone["event_id"] in event_ids, "an erasure by an event that is not there")
        named = set()
        for access in self.accesses:
            if access["core"]["asset_id"] != core["asset_id"]:
                continue
            require(leaf < access["leaf_index"], "an access before its asset")
            named |= set(access["core"]["segments"] or [])
            if access["core"]["access"] == "download":
                before = [e for e in asset["erasures"] if e["leaf_index"] < access["leaf_index"]]
                require(not before, "a download of an original that was gone")
        require(all(index < core["segment_count"] for index in named), "no such segment")
        indexes = [segment["index"] for segment in asset["segments"]]
        require(named <= set(indexes) and len(set(indexes)) == len(indexes), "a segment is missing, or shown twice")
        for segment in asset["segments"]:
            self.compare_segment(core, segment)

    def compare_segment(self, core: Json, segment: Json) -> None:
        require(core["segments_root"] is not None, "a segment of an asset without any")
        entry = canonical({"segment_id": segment["segment_id"], "hash": segment["hash"]})
        proof = [bytes.fromhex(hash_) for hash_ in segment["proof"]]
        root = root_of(segment["index"], core["segment_count"], leaf_hash(entry), proof)
        require("sha256:" + root.hex() == core["segments_root"], "a segment is not in its asset")
        if segment["disclosed"] is None:
            return
        salt, text = bytes.fromhex(segment["disclosed"]["salt"]), segment["disclosed"]["text"].encode()
        digest = hashlib.sha256(b"answer-evidence/segment/v1\n" + salt + hashlib.sha256(text).digest())
        require("sha256:" + digest.hexdigest() == segment["hash"], "a segment is another text")
        gone = self.is_gone({"asset_id": core["asset_id"], "segments": [segment["index"]]})
        require(not gone, "a segment is shown that is gone")

    def is_gone(self, accessed: Json) -> bool:
        """Whether erasures that are shown take all that was accessed; `segments` is None for everything."""
        erasures = [
            erasure["core"].get("segments")
            for asset in self.assets
            if asset["registered"]["core"]["asset_id"] == accessed["asset_id"]
            for erasure in asset["erasures"]
        ]
        if None in erasures:
            return True
        gone = {index for segments in erasures for index in segments}
        return accessed["segments"] is not None and set(accessed["segments"]) <= gone
