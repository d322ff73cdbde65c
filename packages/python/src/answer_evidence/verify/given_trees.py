"""
Files that were given together (docs/formats/checks.md, "Several files"): the trees that they show, who attested these
and when, and the leaves in them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from .attested import Attested
from .bundle_form import BUNDLE
from .canonical_json import Json, Malformed, read_json
from .cores import micros
from .form import assert_form, format_time
from .given_checks import BY_TRUST, NO_TRUST, NOBODY, assert_signed, skip_some
from .notes import is_ed25519, read_checkpoint, read_note, read_receipt, signers_of
from .outcomes import NotApplicable, Result, Skip, judge
from .run_form import RUN_PROOF
from .signed_trees import Attestation, Conflict, GivenTree
from .stated_times import proven_leaves
from .windows import bound_of
from .witnesses import WitnessPolicy, log_keys_of

# What a file shows of a tree: the object with its checkpoint, and the leaves.
Shown = tuple[Json, list[Json]]


class _Tree(Attested):
    """What files with one checkpoint and the same artefacts show."""

    def __init__(self, shown: Json, trust: Json) -> None:
        self.bundle, self.trust, self.read = shown, trust, None
        self.leaves: list[Json] = []

    def shown_leaves(self) -> list[Json]:
        return self.leaves

    def is_signed(self) -> bool:
        """Receipts are among the files, which need no key but those of Ed25519."""
        _, vkeys = self.checkpoint(), {vkey for _, vkey in self.pinned_keys() if is_ed25519(vkey)}
        return bool(vkeys) and signers_of(self.bundle["checkpoint"], vkeys) == vkeys

    def by_anchors(self) -> Attestation:
        bound = bound_of(*self.confirmed_anchors())
        if bound is None:
            raise Skip("no anchor states a time")
        at, names = bound
        return Attestation(at, [{"kind": "anchor", "name": name} for name in names], False)

    def by_witnesses(self) -> Attestation:
        """The smallest time by which the cosignatures reach the quorum."""
        self.witness_cosignatures()
        policy, note = WitnessPolicy(self.trust["witness_policy"]), self.bundle["checkpoint"]
        logs = [log for log in self.trust["logs"] if log["origin"] == self.bundle["origin"]]
        times = policy.times_by_key(note, log_keys_of({key["vkey"] for log in logs for key in log["keys"]}))
        for at in sorted(times.values()):
            keys = {key for key, time in times.items() if time <= at}
            if policy.is_met(keys):
                names = [name for name, witness in policy.witnesses.items() if witness[3] in keys]
                return Attestation(at * 1_000_000, [{"kind": "witness", "name": name} for name in names], True)
        raise policy.not_reached()


class GivenTrees:
    """Reads files when they are first asked about. What is not signed as the trust file demands shows nothing."""

    def __init__(self, jsons: Iterable[str], notes: Iterable[str], trust: Json) -> None:
        self.jsons, self.notes, self.trust = jsons, notes, trust
        self.opened: tuple[list[GivenTree], dict[str, list[Conflict]]] | None = None

    def trees_of(self, origin: str) -> list[GivenTree]:
        """The trees of a log."""
        return [tree for tree in self._open()[0] if tree.origin == origin]

    def conflicts_of(self, origin: str) -> list[Conflict]:
        """The leaves of a log that contradict each other."""
        return self._open()[1].get(origin, [])

    def _open(self) -> tuple[list[GivenTree], dict[str, list[Conflict]]]:
        if self.opened is None:
            self.opened = self._read()
        return self.opened

    def _read(self) -> tuple[list[GivenTree], dict[str, list[Conflict]]]:
        groups: dict[tuple[str, str, str], _Tree] = {}
        for shown, leaves in [*map(_read_json, self.jsons), *map(_read_checkpoint, self.notes)]:
            if shown is None:
                continue
            key = (shown["origin"], shown["checkpoint"], repr((shown["anchors"], shown.get("renewals"))))
            groups.setdefault(key, _Tree(shown, self.trust)).leaves += leaves
        trees: list[GivenTree] = []
        leaves_of: dict[str, dict[tuple[int, str], int]] = {}
        for tree in groups.values():
            try:
                origin, size, root = tree.checkpoint()
                if not tree.is_signed():
                    continue
            except Malformed:
                # Its own verification says what is wrong with it.
                continue
            trees.append(GivenTree(origin, size, root, _attestations_of(tree)))
            known = leaves_of.setdefault(origin, {})
            for leaf in tree.leaves:
                for index, entry in proven_leaves([leaf], size, root).items():
                    known[(index, leaf["entry"])] = micros(entry["at"])
        return trees, {origin: _find_conflicts(leaves) for origin, leaves in leaves_of.items()}


def judge_checkpoint(note: str, pins: Json | None) -> list[Result]:
    """The outcome of every check of a checkpoint that was kept."""
    shown, _ = _read_checkpoint(note)
    tree = _Tree(shown, NOBODY if pins is None else pins)
    results = [
        judge("checkpoint_signature", lambda: assert_signed(note, pins)),
        judge("witness_cosignatures", tree.witness_cosignatures),
    ]
    return skip_some(results, BY_TRUST, NO_TRUST) if pins is None else results


def notes_of_receipts(receipts: Iterable[str]) -> list[str]:
    """The checkpoints of receipts, of those that can be read."""
    notes = []
    for receipt in receipts:
        try:
            notes.append(read_receipt(receipt)[2])
        except Malformed:
            continue
    return notes


def _attestations_of(tree: _Tree) -> list[Attestation]:
    found = []
    for attest in (tree.by_anchors, tree.by_witnesses):
        try:
            found.append(attest())
        except (Malformed, Skip, NotApplicable):
            continue
    return found


def _read_json(text: str) -> Shown | tuple[None, list[Json]]:
    """What is damaged shows no tree, and fails its own checks."""
    try:
        value = read_json(text)
        if isinstance(value, dict) and value.get("format") == "answer-evidence-reconciliation/v1":
            assert_form(value, RUN_PROOF, "the proof")
            return value, [value["run"]]
        assert_form(value, BUNDLE, "the bundle")
    except Malformed:
        return None, []
    evidence = value.get("evidence", {"accesses": [], "assets": []})
    of_assets = [leaf for asset in evidence["assets"] for leaf in (asset["registered"], *asset["erasures"])]
    return value, [value["record"], *value["events"], *value["attachments"], *evidence["accesses"], *of_assets]


def _read_checkpoint(note: str) -> Shown | tuple[None, list[Json]]:
    try:
        origin, _, _ = read_checkpoint(read_note(note)[0])
    except Malformed:
        return None, []
    return {"origin": origin, "checkpoint": note, "anchors": [], "log_keys": [], "policy": None}, []


def _find_conflicts(leaves: dict[tuple[int, str], int]) -> list[Conflict]:
    """Each leaf against the one before it, of those that any of the files shows."""
    found = []
    in_order = sorted((index, at) for (index, _), at in leaves.items())
    for (before, earlier), (leaf, at) in itertools.pairwise(in_order):
        if before == leaf:
            found.append(Conflict((before, leaf), f"two files show two different leaves {leaf} of one log"))
        # Every leaf between them takes a microsecond.
        elif at < earlier + (leaf - before):
            times = f"{format_time(at)}, which is not later than {format_time(earlier)} of leaf {before}"
            found.append(Conflict((before, leaf), f"leaf {leaf} has the time {times}"))
    return found
