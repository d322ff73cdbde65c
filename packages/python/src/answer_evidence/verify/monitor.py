"""One look at a log from outside (docs/formats/monitor.md): what is wrong beside what was verified before."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .canonical_json import Json, Malformed
from .cores import keys_at, micros
from .form import format_time
from .leaf_file import LeafFile
from .monitor_findings import Finding, Looked, find_stall
from .monitor_kept import KeptLeaf
from .monitor_leaves import KeptLeaves
from .new_entries import NOTHING_READ, NewEntries
from .notes import read_checkpoint, read_note, read_vkey, signers_of
from .outcomes import require
from .stated_times import YoungestLeaf, assert_not_before
from .tile_tree import TileTree
from .tiles import Read
from .weaker import describe_policy_changes
from .witnesses import WitnessPolicy, log_keys_of

ADVICE = "compare the new key's fingerprint with the log's owner, and use a new trust file (`trust export`)"


class Watch:
    """A log, and what a look at it is made of. Times are microseconds since 1970."""

    def __init__(
        self, source: str, read: Read, trust: Json, known: Json | None, leaves: LeafFile, keep: Callable[[Json], None]
    ) -> None:
        self.source, self.read, self.trust, self.known = source, read, trust, known
        # The places of the leaves that were read, and what makes durable what has been verified so far.
        self.leaf_file, self.keep = leaves, keep
        self.now = 0
        self.stall: int | None = None
        self.grace = 0
        self.kept: Sequence[KeptLeaf] = ()

    def look(self) -> Looked:
        """Looks once. Raises LogUnreachable."""
        stalled = find_stall(self.known, self.now, self.stall)
        served = self.read("checkpoint")
        if served is None:
            if self.known is not None:
                return Looked(self.known, [Finding("rollback", "the log no longer shows a checkpoint"), *stalled], [])
            return Looked(None, [], ["the log has not published a checkpoint yet"])
        finding = self._open(served)
        if finding is not None:
            return Looked(self.known, [finding, *stalled], [])
        try:
            self.tree = TileTree(self.read, self.size, self.root)
            kept, grace = self.kept, self.grace
            self.leaves = KeptLeaves(kept, self.trust, self.origin, self.text, self.tree, self.now, grace)
            return self._follow(stalled)
        except Malformed as reason:
            return Looked(self.known, [Finding("invalid_log", str(reason)), *stalled], [])

    def _open(self, served: bytes) -> Finding | None:
        """Reads the checkpoint and its signatures. Returns what keeps it from being believed."""
        try:
            self.text = served.decode()
            note_text, signatures = read_note(self.text)
            self.origin, self.size, self.root = read_checkpoint(note_text)
        except (Malformed, UnicodeDecodeError) as reason:
            return Finding("invalid_log", f"the checkpoint cannot be read: {reason}")
        self.pins = [key for log in self.trust["logs"] if log["origin"] == self.origin for key in log["keys"]]
        if not self.pins:
            return Finding("unknown_key", f"the trust file does not name the log {self.origin}")
        vkeys = {vkey for _, vkey in keys_at(self.pins, self.size)}
        own = [key_id for name, key_id, _ in signatures if name == self.origin]
        known = {read_vkey(vkey)[1] for vkey in vkeys}
        self.strangers = sum(key_id not in known for key_id in own)
        try:
            require(vkeys, f"the trust file has no key of this log for a tree of {self.size} leaves")
            self.absent = len(vkeys - signers_of(self.text, vkeys))
        except Malformed as reason:
            kind = "invalid_log" if set(own) <= known and len(own) == len(known) else "unknown_key"
            announced = self._describe_unpinned(self.known) if self.known is not None else None
            more = f"; {announced}" if announced and kind == "unknown_key" else ""
            return Finding(kind, f"the checkpoint of {self.size} leaves is not verified: {reason}{more}")
        return None

    def _follow(self, stalled: list[Finding]) -> Looked:
        known, at = self.known, format_time(self.now)
        if known is None:
            return self._examine(self._begin([]))
        origin, size, root = read_checkpoint(read_note(known["checkpoint"])[0])
        is_renamed = origin != self.origin
        if is_renamed and any(earlier["origin"] == self.origin for earlier in known["earlier"]):
            return self._refuse(self._rolled_back(known, size, f" under its earlier name {self.origin}"), stalled)
        if not is_renamed and self.size < size:
            return self._refuse(self._rolled_back(known, size, ""), stalled)
        comparison = self.tree.compare(size, root) if self.size >= size else None
        # Under another name a tree of the same size lacks the leaf that opens it.
        goes_on = comparison is not None and comparison.goes_on and not (is_renamed and self.size == size)
        prefix = None if comparison is None else comparison.prefix
        notes = (known["checkpoint"], self.text)
        if not goes_on and is_renamed:
            lost = f"without some of the {size} leaves that were verified as {origin}"
            detail = f"the log goes on as {self.origin}, with {self.size} leaves, and {lost}"
            log = self._begin([*known["earlier"], {"origin": origin, "tree_size": 0}])
            return Looked(log, [Finding("rollback", detail, None, notes, prefix)], [])
        if not goes_on:
            detail = f"the log has signed two different trees of {size} leaves"
            if self.size > size:
                begins = f"does not begin with the tree of {size} leaves that it signed before"
                detail = f"the log has signed a tree of {self.size} leaves that {begins}"
            return self._refuse(Finding("fork", detail, None, notes, prefix), stalled)
        log = {**known, "checkpoint": self.text}
        if self.size > size:
            log["grown_at"] = at
        if is_renamed:
            log["earlier"] = [*known["earlier"], {"origin": origin, "tree_size": size}]
        return self._examine(log)

    def _begin(self, earlier: list[Json]) -> Json:
        log = {"source": self.source, "checkpoint": self.text, "grown_at": format_time(self.now)}
        after: Json = {"uncosigned_since": None, "awaited": None, "proven": []}
        return {**log, "earlier": earlier, **NOTHING_READ, **after}

    def _rolled_back(self, known: Json, size: int, name: str) -> Finding:
        detail = f"the log shows {self.size} leaves{name}, but it has signed {size}"
        return Finding("rollback", detail, None, (self.text, known["checkpoint"]))

    def _refuse(self, finding: Finding, stalled: list[Finding]) -> Looked:
        return Looked(self.known, [finding, *self.leaves.find_lost(), *stalled], [])

    def _examine(self, log: Json) -> Looked:
        """Everything about a checkpoint that continues what was verified before."""
        findings: list[Finding] = []
        notices: list[str] = []
        self.keep(log)
        reading = NewEntries(log, self.read, self.tree, self.leaf_file, self.keep)
        try:
            reading.read_all()
            notices += describe_policy_changes(reading.policy_changes)
        except Malformed as reason:
            findings.append(Finding("invalid_log", str(reason)))
        log = reading.log
        read = log["entries"]["tree_size"]
        is_read = read == self.size
        if is_read:
            self._judge_keys(log, findings, notices)
        else:
            notices.append(f"{read} of {self.size} entries have been read")
        log = self._cosignatures(log, findings, notices)
        log = self.leaves.examine(log, log["epochs"] if is_read else None, findings, notices)
        return Looked(log, [*findings, *find_stall(log, self.now, self.stall)], notices)

    def _judge_keys(self, log: Json, findings: list[Finding], notices: list[str]) -> None:
        for leaf in [leaf for pin in self.pins for leaf in _leaves_of(pin)]:
            if leaf < self.size and leaf not in log["key_changes"]:
                said = f"the trust file says that leaf {leaf} changes the keys of {self.origin}, but the log does not"
                findings.append(Finding("unknown_key", said))
        for earlier in log["earlier"]:
            if not any(leaf >= earlier["tree_size"] for leaf in log["epochs"]):
                said = f"the log goes on as {self.origin}, but no entry says that {earlier['origin']} got another name"
                findings.append(Finding("unknown_key", said))
                break
        announced = self._describe_unpinned(log)
        if announced is not None:
            notices.append(announced)
            return
        if self.strangers:
            said = "a key that neither the trust file nor the log names has signed the checkpoint"
            findings.append(Finding("unknown_key", f"{said} of {self.size} leaves"))
        if self.absent:
            said = f"a key of the trust file has not signed the checkpoint of {self.size} leaves"
            findings.append(Finding("unknown_key", f"{said}, and the log has not retired it"))

    def _describe_unpinned(self, log: Json) -> str | None:
        since = log["epochs"][-1] if log["epochs"] else 0
        pinned = {leaf for pin in self.pins for leaf in _leaves_of(pin)}
        leaves = [leaf for leaf in log["key_changes"] if leaf > since and leaf not in pinned]
        if not leaves:
            return None
        named = ", ".join(map(str, leaves))
        return (
            f"the log has announced a change of its keys that the trust file does not know, at leaf {named}; {ADVICE}"
        )

    def _cosignatures(self, log: Json, findings: list[Finding], notices: list[str]) -> Json:
        text = self.trust["witness_policy"]
        policy = None if text is None else WitnessPolicy(text)
        if policy is None or policy.quorum == "none":
            return {**log, "uncosigned_since": None}
        since = log["uncosigned_since"] or format_time(self.now)
        try:
            cosigners = policy.cosigners_of(self.text) - log_keys_of({key["vkey"] for key in self.pins})
        except Malformed as reason:
            said = f"a cosignature in the name of a witness does not hold: {reason}"
            findings.append(Finding("missing_cosignature", said))
            return {**log, "uncosigned_since": since}
        read, at = log["entries"]["tree_size"], log["entries"].get("last_at")
        youngest = None if at is None else YoungestLeaf(f"leaf {read - 1}", at)
        try:
            for name, seconds in policy.times_of(self.text):
                assert_not_before(f"the cosignature of {name}", seconds * 1_000_000, youngest)
        except Malformed as reason:
            findings.append(Finding("missing_cosignature", str(reason)))
            return {**log, "uncosigned_since": since}
        if policy.is_met(cosigners):
            return {**log, "uncosigned_since": None}
        names = [name for name, witness in policy.witnesses.items() if witness[3] in cosigners]
        counted = f"cosigned by {', '.join(names) if names else 'no witness'}"
        if self.now - micros(since) < self.grace:
            notices.append(f"{counted} so far, which is not the quorum")
        else:
            findings.append(Finding("missing_cosignature", f"no quorum since {since}: {counted}"))
        return {**log, "uncosigned_since": since}


def _leaves_of(pin: Json) -> list[int]:
    """The leaves at which a pin says that its key begins and ends. The first key of a name has no leaf of its own."""
    first, last = pin["first_tree_size"], pin["last_tree_size"]
    return [*([first - 1] if first else []), *([] if last is None else [last])]
