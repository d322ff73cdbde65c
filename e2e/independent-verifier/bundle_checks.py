"""The checks of a bundle (docs/formats/bundle.md, "Verifying a bundle"). Each returns None for PASS, or raises."""

import datetime
import hashlib
import hmac
import re

from bundle_form import ENTRY, EVIDENCE_CORES, EXPIRY_CORE, LINK_CORE, TRACE_CORE, assert_form
from canonical_json import Malformed, canonical, read_json
from notes import read_base64, read_checkpoint, read_note, read_receipt, signers_of
from timestamps import is_stamped
from tree import leaf_hash, root_of
from witnesses import WitnessPolicy, log_keys_of


class Skip(Exception):
    """It applies and cannot be decided with what is at hand."""


class NotApplicable(Exception):
    """It does not apply."""


def require(condition, sentence):
    if not condition:
        raise Malformed(sentence)


def micros(time):
    """Microseconds since 1970. Raises Malformed for a time that does not exist."""
    try:
        since = datetime.datetime.strptime(time, "%Y-%m-%dT%H:%M:%S.%fZ") - datetime.datetime(1970, 1, 1)
    except ValueError as error:
        raise Malformed("a time does not exist") from error
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


def core_hash(kind, core):
    return "sha256:" + hashlib.sha256(("answer-evidence/%s/v1\n" % kind + canonical(core)).encode()).hexdigest()


def item_hash(disclosed):
    salted = b"answer-evidence/item/v1\n" + bytes.fromhex(disclosed["salt"])
    return "sha256:" + hashlib.sha256(salted + canonical(disclosed["item"]).encode()).hexdigest()


def read_entry(text):
    entry = read_json(text)
    assert_form(entry, ENTRY, "an entry")
    require(entry["v"] == 1 and canonical(entry) == text, "an entry is not in canonical form")
    return entry


ATTACHMENT_TYPES = ("trace_attached", "evidence_linked", "text_expired")
ERASURE_TYPES = ("evidence_redacted", "evidence_expired")
TRANSITIONS = {
    "recorded": {"correction_appended": "corrected", "voided": "voided", "retention_extended": "recorded"},
    "corrected": {"correction_appended": "corrected", "voided": "voided", "retention_extended": "corrected"},
    "voided": {"retention_extended": "voided"},
    "redacted": {"retention_extended": "redacted"},
}


class Bundle:
    """A bundle of the format, with what its leaves say was erased."""

    def __init__(self, bundle, trust):
        self.bundle, self.trust = bundle, trust
        self.record, self.events = bundle["record"], bundle["events"]
        self.leaves = [self.record, *self.events, *bundle["attachments"]]
        evidence = bundle.get("evidence", {"accesses": [], "assets": []})
        self.accesses, self.assets = evidence["accesses"], evidence["assets"]
        self.evidence_leaves = [*self.accesses]
        for asset in self.assets:
            self.evidence_leaves += [asset["registered"], *asset["erasures"]]
        redactions = [e["core"]["payload"] for e in self.events if e["core"]["event_type"] == "redacted"]
        self.redacted = bool(redactions)
        self.gone_sources = {i for payload in redactions for i in payload.get("redact_source_ref_ids", [])}
        self.gone_events = {i for payload in redactions for i in payload.get("redact_event_ids", [])}
        self.gone_semantic = any(payload.get("redact_semantic_refs") for payload in redactions)
        self.expired_at = max([-1, *(a["leaf_index"] for a in bundle["attachments"] if self.is_expiry(a))])

    def is_expiry(self, attachment):
        try:
            entry = read_entry(attachment["entry"])
        except Malformed:
            return False
        return entry["type"] == "text_expired" and entry["subject"] == self.record["core"]["id"]

    def compare_text(self, field, commitment, shown, leaf_index):
        gone = commitment["text_state"] != "stored" or self.redacted or leaf_index < self.expired_at
        require((shown is None) == gone, "a text is missing, or shown although it is gone")
        if shown is None:
            raise NotApplicable("the log says that the text is gone")
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

    def question_commitment(self):
        shown = self.record["disclosed"]["question"]
        self.compare_text("question", self.record["core"]["question"], shown, self.record["leaf_index"])

    def answer_commitment(self):
        shown = self.record["disclosed"]["answer"]
        self.compare_text("answer", self.record["core"]["answer"], shown, self.record["leaf_index"])

    def corrections(self):
        outcomes = []
        for event in self.events:
            core, shown = event["core"], event["disclosed"]["corrected_text"]
            if core["corrected_answer"] is None:
                require(shown is None, "a corrected text that nothing commits to")
                continue
            require(core["event_type"] == "correction_appended", "an answer is corrected by no correction")
            try:
                self.compare_text("answer", core["corrected_answer"], shown, event["leaf_index"])
                outcomes.append(None)
            except (Skip, NotApplicable) as outcome:
                outcomes.append(outcome)
        for outcome in outcomes:
            if isinstance(outcome, Skip):
                raise outcome
        if None not in outcomes:
            raise NotApplicable("no corrected text to compare")

    def compare_items(self, committed, shown):
        """`committed` are pairs of a hash and whether the item is gone."""
        require(len(committed) == len(shown), "not as many items as the record has")
        for (hash_, gone), item in zip(committed, shown):
            require((item is None) == gone, "an item is missing, or shown although it is gone")
            require(item is None or item_hash(item) == hash_, "an item is not the one that was recorded")
        if all(item is None for item in shown):
            raise NotApplicable("nothing to compare")

    def source_refs(self):
        expired = self.record["leaf_index"] < self.expired_at
        refs = self.record["core"]["source_refs"]
        committed = [(ref["hash"], expired or ref["source_ref_id"] in self.gone_sources) for ref in refs]
        self.compare_items(committed, self.record["disclosed"]["source_refs"])

    def semantic_refs(self):
        gone = self.gone_semantic or self.record["leaf_index"] < self.expired_at
        committed = [(hash_, gone) for hash_ in self.record["core"]["semantic_refs"]]
        self.compare_items(committed, self.record["disclosed"]["semantic_refs"])

    def trace_refs(self):
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

    def record_hash(self):
        actual = core_hash("answer_recorded", self.record["core"])
        require(actual == read_entry(self.record["entry"])["hash"], "the record is not the one that was recorded")

    def event_chain(self):
        before, leaf_before = read_entry(self.record["entry"])["hash"], self.record["leaf_index"]
        record_id, earlier = self.record["core"]["id"], set()
        for sequence, event in enumerate(self.events, 1):
            core, entry, shown = event["core"], read_entry(event["entry"]), event["disclosed"]
            require(core["sequence"] == sequence == entry["seq"], "an event is missing or out of order")
            require(core["answer_log_id"] == record_id == entry["subject"], "an event of another record")
            require(core["prev_event_hash"] == before, "an event does not follow the one before it")
            require(core_hash("lifecycle_event", core) == entry["hash"], "an event was altered")
            require(core["id"] == entry["id"], "an entry names another event")
            require(event["leaf_index"] > leaf_before, "an event stands before what it follows")
            require(earlier >= set(core["payload"].get("redact_event_ids", [])), "an event that is not earlier is redacted")
            redacted = core["id"] in self.gone_events
            gone = redacted or event["leaf_index"] < self.expired_at
            for hash_, item in ((core["reason_hash"], shown["reason"]), (core["payload_rest_hash"], shown["payload_rest"])):
                if item is None:
                    require(hash_ is None or gone, "a reason or payload is missing")
                else:
                    require(not redacted, "a reason or payload is shown although it is gone")
                    require(hash_ == item_hash(item), "a reason or payload is not the one that was recorded")
            before, leaf_before = entry["hash"], event["leaf_index"]
            earlier.add(core["id"])
        if not self.events:
            raise NotApplicable("the record has no event")

    def event_completeness(self):
        self.checkpoint()
        raise Skip("it needs the log: a later correction, void or redaction could have been left out")

    def status_derivation(self):
        status = "recorded"
        for event in self.events:
            kind = event["core"]["event_type"]
            status = "redacted" if kind == "redacted" else TRANSITIONS[status].get(kind)
            require(status is not None, "an event that the status does not allow")
        require(status == self.bundle["status"], "the events lead to another status")

    def leaf_entry(self):
        record_id = self.record["core"]["id"]
        leaves = [*self.leaves, *self.evidence_leaves]
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
            else:
                subject = leaf["core"].get("asset_id")
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
        ordered = sorted(leaves, key=lambda leaf: leaf["leaf_index"])
        for first, second in zip(ordered, ordered[1:]):
            require(first["leaf_index"] < second["leaf_index"], "two leaves have one index")
            require(read_entry(first["entry"])["at"] < read_entry(second["entry"])["at"], "times do not ascend")

    def compare_attachment(self, attachment):
        entry, core = read_entry(attachment["entry"]), attachment["core"]
        if entry["type"] == "evidence_linked":
            assert_form(core, LINK_CORE, "the core of a link")
            require(core["answer_log_id"] == self.record["core"]["id"], "a link of another record")
        if entry["type"] != "text_expired":
            return
        assert_form(core, EXPIRY_CORE, "the core of an expiry")
        require(core["answer_log_id"] == self.record["core"]["id"], "an expiry of another record")
        end = self.retention_before(attachment["leaf_index"])
        require(micros(core["retained_until"]) == end < micros(entry["at"]), "an expiry before the retention had passed")

    def retention_before(self, leaf_index):
        """The end of the record's retention, with the extensions that stand before a leaf."""
        before = [event["core"] for event in self.events if event["leaf_index"] < leaf_index]
        extensions = [event["payload"] for event in before if event["event_type"] == "retention_extended"]
        ends = [payload["retain_until"] for payload in extensions if "retain_until" in payload]
        return max(micros(time) for time in [self.record["core"]["retention_until"], *ends])

    def compare_evidence_expiry(self, asset, expiry):
        end = micros(expiry["core"]["retained_until"])
        require(end < micros(read_entry(expiry["entry"])["at"]), "an expiry of evidence before its retention had passed")
        require(end >= micros(asset["retention_until"]), "an expiry of evidence before the asset's retention")
        if self.record["leaf_index"] < expiry["leaf_index"]:
            own = self.retention_before(expiry["leaf_index"])
            require(end >= own, "an expiry of evidence before the record's retention")

    def checkpoint(self):
        origin, size, root = read_checkpoint(read_note(self.bundle["checkpoint"])[0])
        require(origin == self.bundle["origin"], "the checkpoint is of another log")
        return origin, size, root

    def merkle_inclusion(self):
        _, size, root = self.checkpoint()
        for leaf in [*self.leaves, *self.evidence_leaves]:
            index, hashes, note = read_receipt(leaf["proof"])
            require(note == self.bundle["checkpoint"], "a proof leads to another checkpoint")
            require(index == leaf["leaf_index"], "a proof is of another leaf")
            require(root_of(index, size, leaf_hash(leaf["entry"]), hashes) == root, "a leaf is not in the tree")

    def checkpoint_signature(self):
        origin, size, _ = self.checkpoint()
        logs = [log for log in self.trust["logs"] if log["origin"] == origin]
        require(logs, "the trust file does not name this log")
        pinned = {pin for log in logs for pin in keys_at(log["keys"], size)}
        require(pinned, "the trust file has no key of this log for this size")
        require(sorted(pinned) == sorted(keys_at(self.bundle["log_keys"], size)), "the bundle names other keys")
        vkeys = {vkey for _, vkey in pinned}
        require(signers_of(self.bundle["checkpoint"], vkeys) == vkeys, "a key of this size has not signed")

    def evidence_binding(self):
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

    def compare_asset(self, asset):
        leaf, core = asset["registered"]["leaf_index"], asset["registered"]["core"]
        assert_form(core, EVIDENCE_CORES["evidence_registered"], "the core of an asset")
        require(core["application_key"] == self.record["core"]["application_key"], "an asset of another application")
        event_ids = {event["core"]["id"] for event in self.events if event["core"]["event_type"] == "redacted"}
        for erasure in asset["erasures"]:
            gone = erasure["core"]
            assert_form(gone, EVIDENCE_CORES[read_entry(erasure["entry"])["type"]], "the core of an erasure")
            require(gone["asset_id"] == core["asset_id"] and leaf < erasure["leaf_index"], "an erasure of another asset")
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

    def compare_segment(self, core, segment):
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

    def is_gone(self, accessed):
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

    def witness_cosignatures(self):
        text = self.trust["witness_policy"]
        policy = None if text is None else WitnessPolicy(text)
        if policy is None or policy.quorum == "none":
            asked = (self.bundle["policy"] or {}).get("witness_policy", "quorum none\n")
            if WitnessPolicy(asked).quorum != "none":
                raise Skip("the workspace asks for witnesses, and the trust file names none")
            raise NotApplicable("no policy asks for witnesses")
        origin, _, _ = self.checkpoint()
        vkeys = {key["vkey"] for log in self.trust["logs"] if log["origin"] == origin for key in log["keys"]}
        cosigners = policy.cosigners_of(self.bundle["checkpoint"]) - log_keys_of(vkeys)
        if not policy.is_met(cosigners):
            raise Skip("the cosignatures do not reach the quorum")

    def external_anchor(self):
        shown = self.bundle["anchors"]
        pinned = self.trust.get("anchors")
        if pinned is None:
            roots = "\n".join(self.trust["tsa_roots"])
            pins = [anchor for anchor in shown if roots and anchor["type"] == "rfc3161"]
            pinned = [{**pin, "required": False, "certificate_pem": roots} for pin in pins]
            # What calls itself two anchors may be one token twice: only the certificates are the verifier's own.
            confirmations = lambda of: len({self.pin_of(pin, roots) for pin in of})
        else:
            confirmations = len
        if not pinned:
            if shown or (self.bundle["policy"] or {}).get("anchors"):
                raise Skip("the workspace has anchors, and the trust file pins none")
            raise NotApplicable("no policy asks for an external anchor")
        self.checkpoint()
        external = [pin for pin in pinned if pin["type"] != "file"]
        if not external:
            raise Skip("a file on the machine of the service is not outside of it")
        confirmed = [pin for pin in external if self.is_confirmed(pin)]
        needed = max(1, self.trust.get("anchors_required", 0))
        if confirmations(confirmed) < needed or any(pin["required"] and pin not in confirmed for pin in external):
            raise Skip("the anchors that are demanded are not confirmed yet")

    def artefacts_of(self, pin):
        name = (pin["anchor_id"], pin["type"])
        return [one["artefact"] for one in self.bundle["anchors"] if (one["anchor_id"], one["type"]) == name]

    def is_confirmed(self, pin):
        shown = self.artefacts_of(pin)
        # What lies in a bucket can be compared there alone.
        if not shown or pin["type"] != "rfc3161":
            return False
        require(pin["certificate_pem"] is not None, "the trust file has no certificate for an anchor")
        text = read_note(self.bundle["checkpoint"])[0]
        held = is_stamped(text, read_base64(shown[0]), pin["certificate_pem"])
        require(held, "a time-stamp does not hold")
        return True

    def pin_of(self, pin, roots):
        """The first of the pinned certificates that this anchor's token leads to by itself."""
        certificates = re.findall("-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----\n?", roots, re.DOTALL)
        text, token = read_note(self.bundle["checkpoint"])[0], read_base64(self.artefacts_of(pin)[0])
        return next((one for one in certificates if is_stamped(text, token, one)), roots)

    def anchored(self):
        pinned = self.trust.get("anchors")
        is_file_alone = bool(pinned) and all(pin["type"] == "file" for pin in pinned)
        undecided = None
        try:
            self.external_anchor()
        except Skip as reason:
            undecided = reason
        if is_file_alone:
            raise NotApplicable("no policy asks for an external anchor")
        # Anyone can have an invented log time-stamped: what these two raise is the failure of this check too.
        self.checkpoint_signature()
        self.merkle_inclusion()
        try:
            self.witness_cosignatures()
        except NotApplicable:
            pass
        except Skip as reason:
            undecided = undecided or reason
        if undecided is not None:
            raise undecided


def keys_at(keys, size):
    """Pairs of first size and vkey of the keys that are the log's at a size."""
    return [
        (key["first_tree_size"], key["vkey"])
        for key in keys
        if key["first_tree_size"] <= size and (key["last_tree_size"] is None or size <= key["last_tree_size"])
    ]
