"""What stands outside of a log: its keys, witnesses and anchors (docs/formats/trust.md)."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from .canonical_json import Json, Malformed
from .cores import keys_at, micros
from .notes import assert_signers, is_ed25519, read_base64, read_checkpoint, read_note
from .outcomes import NotApplicable, Skip, require
from .rekor import Entry, verify_entry
from .renewals import is_renewed_in_time
from .signed_trees import GivenTree, SignedTrees
from .stated_times import YoungestLeaf, assert_not_before, proven_leaves
from .tiles import Log, Read, root_at
from .timestamps import Stamp, verify_stamp
from .witnesses import WitnessPolicy, log_keys_of


class Confirmed(NamedTuple):
    """
    An anchor that is believed, and the time that it states, if it states one. `party` vouches for it: the anchor, or
    without pins of anchors a certificate.
    """

    anchor_id: str
    gen_time: int | None
    party: str | bytes


class Attested:
    """Something with a checkpoint, and with anchors over it: a bundle, or the proof of a run."""

    bundle: Json
    trust: Json
    read: Read | None
    given: SignedTrees | None = None

    def log_order(self) -> None:
        origin, size, root = self.checkpoint()
        conflicts = [] if self.given is None else self.given.conflicts_of(origin)
        own = set(proven_leaves(self.shown_leaves(), size, root)) if conflicts else set()
        for conflict in conflicts:
            require(own.isdisjoint(conflict.leaves), f"the files contradict each other: {conflict.detail}")
        if self.read is None:
            raise Skip("it needs the log: a leaf may have a time that the leaves beside it contradict")
        Log(self.read, size, root).assert_order(proven_leaves(self.shown_leaves(), size, root))

    def shown_leaves(self) -> list[Json]:
        raise NotImplementedError

    def name_leaf(self, index: int) -> str:
        """What messages call a leaf that is shown."""
        return f"leaf {index}"

    def youngest(self) -> YoungestLeaf | None:
        """The youngest leaf that is known to be under the checkpoint."""
        _, size, root = self.checkpoint()
        shown = proven_leaves(self.shown_leaves(), size, root)
        known = [YoungestLeaf(self.name_leaf(index), entry["at"]) for index, entry in shown.items()]
        if self.read is not None:
            try:
                log = Log(self.read, size, root)
                log.assert_root()
                entries = enumerate(log.read_entries)
                known += [YoungestLeaf(f"leaf {n}", entry["at"]) for n, entry in entries if entry is not None]
            except Malformed:
                # A log that does not lead to the checkpoint fails the checks that read it, and says nothing here.
                pass
        return max(known, key=lambda leaf: micros(leaf.at), default=None)

    def continues(self, tree: GivenTree) -> bool | None:
        """
        Whether the tree begins with another one that is not larger: by their roots, by the log, or because a quorum of
        the same witnesses attested both. None where nothing shows it.
        """
        _, size, root = self.checkpoint()
        before = root if tree.size == size else self._root_of(tree.size)
        if before is not None:
            return before == tree.root
        if not any(attestation.is_quorum for attestation in tree.attested):
            return None
        try:
            self.witness_cosignatures()
        except (Malformed, Skip, NotApplicable):
            return None
        return True

    def _root_of(self, tree_size: int) -> bytes | None:
        """A log that does not lead to the checkpoint fails the checks that read it, and says nothing here."""
        if self.read is None:
            return None
        _, size, root = self.checkpoint()
        log = Log(self.read, size, root)
        try:
            log.assert_root()
            return root_at(log.hashes, tree_size)
        except Malformed:
            return None

    def merkle_inclusion(self) -> None:
        raise NotImplementedError

    def checkpoint(self) -> tuple[str, int, bytes]:
        origin, size, root = read_checkpoint(read_note(self.bundle["checkpoint"])[0])
        require(origin == self.bundle["origin"], "the checkpoint is of another log")
        return origin, size, root

    def pinned_keys(self) -> list[tuple[int, str]]:
        """The keys of the trust file, each with its first size, that must have signed the checkpoint."""
        origin, size, _ = self.checkpoint()
        logs = [log for log in self.trust["logs"] if log["origin"] == origin]
        return [pin for log in logs for pin in keys_at(log["keys"], size)]

    def checkpoint_signature(self) -> None:
        origin, size, _ = self.checkpoint()
        require([log for log in self.trust["logs"] if log["origin"] == origin], "the trust file does not name this log")
        pinned = set(self.pinned_keys())
        require(pinned, "the trust file has no key of this log for this size")
        named = sorted(pin for pin in pinned if is_ed25519(pin[1]))
        require(named == sorted(keys_at(self.bundle["log_keys"], size)), "the bundle names other keys")
        assert_signers(self.bundle["checkpoint"], {vkey for _, vkey in pinned})

    def witness_cosignatures(self) -> None:
        text = self.trust["witness_policy"]
        policy = None if text is None else WitnessPolicy(text)
        if policy is None or policy.quorum == "none":
            asked = (self.bundle["policy"] or {}).get("witness_policy", "quorum none\n")
            if WitnessPolicy(asked).quorum != "none":
                raise Skip("the workspace asks for witnesses, and the trust file names none")
            raise NotApplicable("no policy asks for witnesses")
        origin, _, _ = self.checkpoint()
        for name, seconds in policy.times_of(self.bundle["checkpoint"]):
            assert_not_before(f"the cosignature of {name}", seconds * 1_000_000, self.youngest())
        vkeys = {key["vkey"] for log in self.trust["logs"] if log["origin"] == origin for key in log["keys"]}
        cosigners = policy.cosigners_of(self.bundle["checkpoint"]) - log_keys_of(vkeys)
        if not policy.is_met(cosigners):
            raise policy.not_reached()

    def external_anchor(self) -> None:
        self.confirmed_anchors()

    def confirmed_anchors(self) -> tuple[int, list[Confirmed]]:
        """How many anchors are needed, and those that are confirmed. Raises as the check does if these are too few."""
        shown = self.bundle["anchors"]
        pinned = self.trust.get("anchors")
        is_pinned, roots = pinned is not None, "\n".join(self.trust["tsa_roots"])
        if pinned is None:
            pins = [anchor for anchor in shown if roots and anchor["type"] == "rfc3161"]
            pinned = [{**pin, "required": False, "certificate_pem": roots} for pin in pins]
        if not pinned:
            if shown or (self.bundle["policy"] or {}).get("anchors"):
                raise Skip("the workspace has anchors, and the trust file pins none")
            raise NotApplicable("no policy asks for an external anchor")
        self.checkpoint()
        external = [pin for pin in pinned if pin["type"] != "file"]
        if not external:
            raise Skip("a file on the machine of the service is not outside of it")
        found = [(pin, self.confirmation_of(pin)) for pin in external]
        # What calls itself two anchors may be one token twice: without pins only the certificates are ours.
        confirmed = [
            Confirmed(pin["anchor_id"], one.gen_time, pin["anchor_id"] if is_pinned else one.pin)
            for pin, one in found
            if one is not None
        ]
        needed = max(1, self.trust.get("anchors_required", 0))
        counted = len(confirmed) if is_pinned else len({one.party for one in confirmed})
        if counted < needed or any(pin["required"] and one is None for pin, one in found):
            names = {(pin["anchor_id"], pin["type"]) for pin in external}
            outside = [one for one in shown if one["type"] != "file"]
            others = [one["anchor_id"] for one in outside if (one["anchor_id"], one["type"]) not in names]
            unpinned = "".join(f"; {other} is not pinned by the trust file" for other in others if is_pinned)
            raise Skip(f"the anchors that are demanded are not confirmed yet{unpinned}")
        return needed, confirmed

    def confirmation_of(self, pin: Json) -> Stamp | Entry | None:
        """What an anchor's token or entry states; None for an anchor that is not confirmed."""
        name = (pin["anchor_id"], pin["type"])
        shown = [one["artefact"] for one in self.bundle["anchors"] if (one["anchor_id"], one["type"]) == name]
        # What lies in a bucket can be compared there alone.
        if not shown or pin["type"] not in ("rfc3161", "rekor"):
            return None
        text = read_note(self.bundle["checkpoint"])[0]
        if pin["type"] == "rekor":
            return verify_entry(text, read_base64(shown[0]), pin["log_keys"])
        require(pin["certificate_pem"] is not None, "the trust file has no certificate for an anchor")
        digest = hashlib.sha256(text.encode()).digest()
        try:
            stamp = verify_stamp(digest, read_base64(shown[0]), pin["certificate_pem"])
        except Malformed:
            if self.is_retired(pin):
                return None
            raise
        assert_not_before(f"the token of {pin['anchor_id']}", stamp.gen_time, self.youngest())
        in_time = is_renewed_in_time(text, stamp, self.bundle.get("renewals", []), self.roots_of)
        return stamp if in_time else None

    def is_retired(self, pin: Json) -> bool:
        """Whether roots alone are pinned, and the bundle's policy does not name an anchor: it may be gone."""
        policy = self.bundle["policy"]
        if "anchors" in self.trust or policy is None:
            return False
        return all((one["id"], one["type"]) != (pin["anchor_id"], pin["type"]) for one in policy["anchors"])

    def roots_of(self, anchor_id: str) -> str | None:
        """The certificates that renewals by an anchor lead to; None for one that is not pinned."""
        if "anchors" not in self.trust:
            return "\n".join(self.trust["tsa_roots"])
        pins = (pin for pin in self.trust["anchors"] if (pin["anchor_id"], pin["type"]) == (anchor_id, "rfc3161"))
        pin = next(pins, None)
        return None if pin is None else pin["certificate_pem"]

    def anchored(self) -> None:
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
