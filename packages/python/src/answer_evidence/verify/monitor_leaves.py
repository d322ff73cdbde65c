"""Whether the leaves that somebody keeps receipts of are in a log."""

from __future__ import annotations

from collections.abc import Sequence

from .canonical_json import Json, Malformed
from .cores import keys_at, micros
from .form import format_time
from .monitor_findings import Finding
from .monitor_kept import KeptLeaf
from .notes import read_receipt, signers_of
from .outcomes import require
from .tile_tree import TileTree
from .tree import leaf_hash, root_of

OTHER_LEAF = "another leaf is in its place"


class KeptLeaves:
    """Kept leaves of the workspace of a log, beside the checkpoint `text` that it shows. Times are microseconds."""

    def __init__(
        self, kept: Sequence[KeptLeaf], trust: Json, origin: str, text: str, tree: TileTree, now: int, grace: int
    ) -> None:
        self.trust, self.origin, self.text, self.tree = trust, origin, text, tree
        self.now, self.grace = now, grace
        workspace = origin.rpartition("/")[0]
        origins = {log["origin"] for log in trust["logs"] if log["origin"].rpartition("/")[0] == workspace}
        self.leaves = [leaf for leaf in kept if leaf.origin in origins | {origin}]

    def find_lost(self) -> list[Finding]:
        """Kept leaves that a log lacks which has gone back or forked: there is nothing to wait for."""
        lost = []
        for leaf in self.leaves:
            kind, findings = self._judge(leaf, None)
            if kind == "newer":
                lost.append(self._missing(leaf, self._newer(leaf)))
            lost += [one for one in findings if one.kind == "missing_entry"]
        return lost

    def examine(self, log: Json, epochs: list[int] | None, findings: list[Finding], notices: list[str]) -> Json:
        """Adds what is wrong, and what its reader should know. Returns the log with what is proven and awaited."""
        proven, newer = [], []
        for leaf in self.leaves:
            if leaf.digest in log["proven"] and leaf.fault is None:
                # What is in a tree that this one extends is in this one.
                proven.append(leaf.digest)
                continue
            kind, found = self._judge(leaf, epochs)
            findings += found
            if kind == "proven":
                proven.append(leaf.digest)
            if kind == "newer":
                newer.append(leaf)
        awaited = log["awaited"]
        if not newer:
            awaited = None
        elif awaited is None or awaited["tree_size"] <= self.tree.size:
            awaited = {"tree_size": min(leaf.size for leaf in newer), "since": format_time(self.now)}
        if awaited is not None and self.now - micros(awaited["since"]) >= self.grace:
            findings += [self._missing(leaf, f"{self._newer(leaf)} since {awaited['since']}") for leaf in newer]
        elif newer:
            notices.append(f"{len(newer)} kept leaves are newer than the checkpoint")
        return {**log, "awaited": awaited, "proven": list(dict.fromkeys(proven))}

    def _judge(self, leaf: KeptLeaf, epochs: list[int] | None) -> tuple[str, list[Finding]]:
        try:
            self._assert_leaf(leaf)
        except Malformed as reason:
            return "wrong", [Finding("invalid_receipt", f"{leaf.name} does not hold: {reason}", leaf.name)]
        is_earlier = leaf.origin != self.origin
        if is_earlier and epochs is None:
            return "undecided", []
        if is_earlier and not any(leaf.size <= epoch for epoch in epochs or []):
            return "wrong", [self._missing(leaf, f"it was signed as {leaf.origin}, and the log goes on without it")]
        if leaf.size > self.tree.size:
            return "newer", []
        comparison = self.tree.compare(leaf.size, leaf.root)
        lost = [] if self._is_there(leaf) else [self._missing(leaf, OTHER_LEAF)]
        if comparison.goes_on:
            return ("wrong" if lost else "proven"), lost
        if is_earlier:
            return "wrong", [self._missing(leaf, f"it was signed as {leaf.origin}")]
        part = f"is not a part of the tree of {self.tree.size} leaves"
        detail = f"the tree of {leaf.size} leaves in which {leaf.name} was given {part}"
        notes = (read_receipt(leaf.receipt)[2], self.text)
        return "wrong", [Finding("fork", detail, None, notes, comparison.prefix), *lost]

    def _is_there(self, leaf: KeptLeaf) -> bool:
        """Whether the log has in the leaf's place what the receipt is about."""
        hash_ = self.tree.leaf(leaf.leaf_index)
        self.tree.assert_leaf(leaf.leaf_index, hash_)
        if leaf.entry is not None:
            return hash_ == leaf_hash(leaf.entry)
        return root_of(leaf.leaf_index, leaf.size, hash_, read_receipt(leaf.receipt)[1]) == leaf.root

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
        return f"it is in a signed tree of {leaf.size} leaves, but the log shows {self.tree.size}"

    @staticmethod
    def _missing(leaf: KeptLeaf, reason: str) -> Finding:
        return Finding("missing_entry", f"leaf {leaf.leaf_index} of {leaf.name} is not in the log: {reason}", leaf.name)
