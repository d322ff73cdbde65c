"""One look at a log from outside (docs/formats/monitor.md): what is wrong beside what was verified before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from .canonical_json import Json, Malformed
from .cores import keys_at, micros
from .monitor_kept import KeptLeaf
from .notes import read_checkpoint, read_note, read_receipt, read_vkey, signers_of
from .order import find_fault
from .outcomes import require
from .stated_times import assert_not_before
from .tiles import Log, Read, root_at
from .tree import leaf_hash, prove_prefix, root_of
from .weaker import describe_policy_changes
from .witnesses import WitnessPolicy, log_keys_of

EXIT_CODES = {
    "fork": 4,
    "rollback": 5,
    "unknown_key": 6,
    "missing_entry": 7,
    "missing_cosignature": 8,
    "stall": 9,
    "invalid_log": 10,
    "invalid_receipt": 11,
}
ADVICE = "compare the new key's fingerprint with the log's owner, and use a new trust file (`trust export`)"
OTHER_LEAF = "another leaf is in its place"


class Finding(NamedTuple):
    """Something that is wrong with a log, or with a kept file. `notes`: two signed ones that contradict each other."""

    kind: str
    detail: str
    leaf: str | None = None
    notes: tuple[str, str] | None = None
    prefix: Json | None = None


class Looked(NamedTuple):
    """What a look came to. `log` is what is verified now, None when nothing ever was."""

    log: Json | None
    findings: list[Finding]
    notices: list[str]


class Watch:
    """A log, and what a look at it is made of. Times are microseconds since 1970."""

    def __init__(
        self, source: str, read: Read, trust: Json, known: Json | None, now: int, format_time: Callable[[int], str]
    ) -> None:
        self.source, self.read, self.trust, self.known = source, read, trust, known
        self.now, self.format_time = now, format_time
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
            self.log = Log(self.read, self.size, self.root)
            self.log.assert_root()
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
        known, at = self.known, self.format_time(self.now)
        if known is None:
            return self._examine(self._begin([]), [])
        origin, size, root = read_checkpoint(read_note(known["checkpoint"])[0])
        is_renamed = origin != self.origin
        if is_renamed and any(earlier["origin"] == self.origin for earlier in known["earlier"]):
            return self._refuse(self._rolled_back(known, size, f" under its earlier name {self.origin}"), stalled)
        if not is_renamed and self.size < size:
            return self._refuse(self._rolled_back(known, size, ""), stalled)
        goes_on = self.size >= size and self._root_of(0, size) == root
        notes = (known["checkpoint"], self.text)
        if not goes_on and is_renamed:
            lost = f"without some of the {size} leaves that were verified as {origin}"
            detail = f"the log goes on as {self.origin}, with {self.size} leaves, and {lost}"
            log = self._begin([*known["earlier"], {"origin": origin, "tree_size": 0}])
            return Looked(log, [Finding("rollback", detail, None, notes, self._prefix(size))], [])
        if not goes_on:
            detail = f"the log has signed two different trees of {size} leaves"
            if self.size > size:
                begins = f"does not begin with the tree of {size} leaves that it signed before"
                detail = f"the log has signed a tree of {self.size} leaves that {begins}"
            return self._refuse(Finding("fork", detail, None, notes, self._prefix(size)), stalled)
        log = {**known, "checkpoint": self.text}
        if self.size > size:
            log["grown_at"] = at
        if is_renamed:
            log["earlier"] = [*known["earlier"], {"origin": origin, "tree_size": size}]
        return self._examine(log, known["key_changes"])

    def _root_of(self, start: int, end: int) -> bytes:
        """Raises Malformed where hashes are missing: what is not served is no contradiction."""
        root = root_at(self.log.hashes[start:end], end - start)
        if root is None:
            raise Malformed(f"hashes of the tree of {self.size} leaves are missing")
        return root

    def _prefix(self, size: int) -> Json | None:
        """The tree of a smaller size that this one begins with; None where there is none."""
        if not 0 < size < self.size:
            return None
        proof = [hash_.hex() for hash_ in prove_prefix(size, self.size, self._root_of)]
        return {"tree_size": size, "root_hash": self._root_of(0, size).hex(), "proof": proof}

    def _begin(self, earlier: list[Json]) -> Json:
        nothing = {"tree_size": 0, "frontier": []}
        log = {"source": self.source, "checkpoint": self.text, "grown_at": self.format_time(self.now)}
        after: Json = {"uncosigned_since": None, "awaited": None, "proven": []}
        return {**log, "earlier": earlier, "entries": nothing, "key_changes": [], "epochs": [], **after}

    def _rolled_back(self, known: Json, size: int, name: str) -> Finding:
        detail = f"the log shows {self.size} leaves{name}, but it has signed {size}"
        return Finding("rollback", detail, None, (self.text, known["checkpoint"]))

    def _refuse(self, finding: Finding, stalled: list[Finding]) -> Looked:
        """Kept leaves that such a log lacks are lost: there is nothing to wait for."""
        lost = []
        for leaf in self._own_leaves():
            kind, findings = self._judge_leaf(leaf, None)
            if kind == "newer":
                lost.append(self._missing(leaf, self._newer(leaf)))
            lost += [one for one in findings if one.kind == "missing_entry"]
        return Looked(self.known, [finding, *lost, *stalled], [])

    def _examine(self, log: Json, before: list[int]) -> Looked:
        findings: list[Finding] = []
        notices: list[str] = []
        is_read = False
        try:
            entries = self.log.read_entries
            missing = [path for path in dict.fromkeys(self.log.missing) if path.startswith("tile/entries/")]
            require(not missing, f"the given log lacks {', '.join(missing[:3])}")
            fault = find_fault(entries)
            require(fault is None, fault or "")
            of_type = {
                name: [n for n, entry in enumerate(entries) if entry is not None and entry["type"] == name]
                for name in ("ledger_key_changed", "epoch_opened", "trust_policy_changed")
            }
            read_before = log["entries"]["tree_size"]
            log = {
                **log,
                "entries": {"tree_size": self.size, "frontier": frontier_of(self.log.hashes), **_last_time(entries)},
                "key_changes": of_type["ledger_key_changed"],
                "epochs": of_type["epoch_opened"],
            }
            is_read = True
            changed = [leaf for leaf in of_type["trust_policy_changed"] if leaf >= read_before]
            notices += describe_policy_changes(changed)
        except Malformed as reason:
            findings.append(Finding("invalid_log", str(reason)))
        if is_read:
            self._judge_keys(log, findings, notices)
        log = self._cosignatures(log, findings, notices)
        log = self._leaves(log, log["epochs"] if is_read else None, findings, notices)
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
        since = log["uncosigned_since"] or self.format_time(self.now)
        try:
            cosigners = policy.cosigners_of(self.text) - log_keys_of({key["vkey"] for key in self.pins})
        except Malformed as reason:
            said = f"a cosignature in the name of a witness does not hold: {reason}"
            findings.append(Finding("missing_cosignature", said))
            return {**log, "uncosigned_since": since}
        try:
            for name, seconds in policy.times_of(self.text):
                assert_not_before(f"the cosignature of {name}", seconds * 1_000_000, log["entries"].get("last_at"))
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

    def _own_leaves(self) -> list[KeptLeaf]:
        workspace = self.origin.rpartition("/")[0]
        origins = {log["origin"] for log in self.trust["logs"] if log["origin"].rpartition("/")[0] == workspace}
        return [leaf for leaf in self.kept if leaf.origin in origins | {self.origin}]

    def _leaves(self, log: Json, epochs: list[int] | None, findings: list[Finding], notices: list[str]) -> Json:
        proven, newer = [], []
        for leaf in self._own_leaves():
            if leaf.digest in log["proven"] and leaf.fault is None:
                # What is in a tree that this one extends is in this one.
                proven.append(leaf.digest)
                continue
            kind, found = self._judge_leaf(leaf, epochs)
            findings += found
            if kind == "proven":
                proven.append(leaf.digest)
            if kind == "newer":
                newer.append(leaf)
        awaited = log["awaited"]
        if not newer:
            awaited = None
        elif awaited is None or awaited["tree_size"] <= self.size:
            awaited = {"tree_size": min(leaf.size for leaf in newer), "since": self.format_time(self.now)}
        if awaited is not None and self.now - micros(awaited["since"]) >= self.grace:
            findings += [self._missing(leaf, f"{self._newer(leaf)} since {awaited['since']}") for leaf in newer]
        elif newer:
            notices.append(f"{len(newer)} kept leaves are newer than the checkpoint")
        return {**log, "awaited": awaited, "proven": list(dict.fromkeys(proven))}

    def _judge_leaf(self, leaf: KeptLeaf, epochs: list[int] | None) -> tuple[str, list[Finding]]:
        try:
            self._assert_leaf(leaf)
        except Malformed as reason:
            return "wrong", [Finding("invalid_receipt", f"{leaf.name} does not hold: {reason}", leaf.name)]
        is_earlier = leaf.origin != self.origin
        if is_earlier and epochs is None:
            return "undecided", []
        if is_earlier and not any(leaf.size <= epoch for epoch in epochs or []):
            return "wrong", [self._missing(leaf, f"it was signed as {leaf.origin}, and the log goes on without it")]
        if leaf.size > self.size:
            return "newer", []
        hash_ = self.log.hashes[leaf.leaf_index]
        if hash_ is None:
            return "undecided", []
        if leaf.entry is not None:
            is_there = hash_ == leaf_hash(leaf.entry)
        else:
            is_there = root_of(leaf.leaf_index, leaf.size, hash_, read_receipt(leaf.receipt)[1]) == leaf.root
        lost = [] if is_there else [self._missing(leaf, OTHER_LEAF)]
        if root_at(self.log.hashes, self.size) is None:
            return ("undecided" if is_there else "wrong"), lost
        if self._root_of(0, leaf.size) == leaf.root:
            return ("proven" if is_there else "wrong"), lost
        if is_earlier:
            return "wrong", [self._missing(leaf, f"it was signed as {leaf.origin}")]
        part = f"is not a part of the tree of {self.size} leaves"
        detail = f"the tree of {leaf.size} leaves in which {leaf.name} was given {part}"
        notes = (read_receipt(leaf.receipt)[2], self.text)
        return "wrong", [Finding("fork", detail, None, notes, self._prefix(leaf.size)), *lost]

    def _assert_leaf(self, leaf: KeptLeaf) -> None:
        require(leaf.fault is None, leaf.fault or "")
        index, hashes, note = read_receipt(leaf.receipt)
        keys = [key for log in self.trust["logs"] if log["origin"] == leaf.origin for key in log["keys"]]
        vkeys = {vkey for _, vkey in keys_at(keys, leaf.size)}
        require(vkeys, f"the trust file has no key of this log for a tree of {leaf.size} leaves")
        signers_of(note, vkeys)
        # Without the entry any leaf shows whether the proof has the length that its place asks for.
        hash_ = leaf.root if leaf.entry is None else leaf_hash(leaf.entry)
        root = root_of(index, leaf.size, hash_, hashes)
        require(leaf.entry is None or root == leaf.root, "the proof leads to another root")

    def _newer(self, leaf: KeptLeaf) -> str:
        return f"it is in a signed tree of {leaf.size} leaves, but the log shows {self.size}"

    @staticmethod
    def _missing(leaf: KeptLeaf, reason: str) -> Finding:
        return Finding("missing_entry", f"leaf {leaf.leaf_index} of {leaf.name} is not in the log: {reason}", leaf.name)


def find_stall(log: Json | None, now: int, stall: int | None) -> list[Finding]:
    """Whether a log has not been seen to grow for too long, for whatever reason."""
    if log is None or stall is None or now - micros(log["grown_at"]) < stall:
        return []
    size = read_checkpoint(read_note(log["checkpoint"])[0])[1]
    return [Finding("stall", f"the log has not grown since {log['grown_at']}; it has {size} leaves")]


def frontier_of(hashes: list[bytes | None]) -> list[str]:
    """The roots of the perfect subtrees that the size is the sum of, the largest first, in hex."""
    frontier, start, size = [], 0, len(hashes)
    for bit in reversed(range(size.bit_length())):
        width = 1 << bit
        if size & width:
            root = root_at(hashes[start : start + width], width)
            require(root is not None, "hashes of the log are missing")
            frontier.append((root or b"").hex())
            start += width
    return frontier


def _last_time(entries: Sequence[Json | None]) -> Json:
    last = entries[-1] if entries else None
    return {} if last is None else {"last_at": last["at"]}


def _leaves_of(pin: Json) -> list[int]:
    """The leaves at which a pin says that its key begins and ends. The first key of a name has no leaf of its own."""
    first, last = pin["first_tree_size"], pin["last_tree_size"]
    return [*([first - 1] if first else []), *([] if last is None else [last])]
