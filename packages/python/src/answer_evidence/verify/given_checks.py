"""What is verified beside bundles and proofs: a receipt with what is at hand, and a log by its own checkpoint."""

from __future__ import annotations

from .canonical_json import Json, Malformed
from .cores import keys_at, read_entry
from .notes import assert_receipt_signed, assert_signers, read_checkpoint, read_note, read_receipt
from .outcomes import Result, Skip, judge, require
from .tiles import PublishedLog
from .tree import leaf_hash, root_of

NOBODY: Json = {"format": "answer-evidence-trust/v1", "logs": [], "witness_policy": None, "tsa_roots": []}
NO_TRUST = "who signed this was not verified: give a trust file"
NO_SETS = "it needs your own list and the record set of the run: see `reconcile verify`"
BY_TRUST = {"checkpoint_signature", "receipt", "witness_cosignatures", "external_anchor", "anchored"}
BY_SETS = {"references", "records", "record_leaves", "earlier_runs", "findings", "counts"}


def assert_signed(note: str, pins: Json | None, is_receipt: bool = False) -> None:
    """
    Raises Malformed unless every key of the log at this size signed a checkpoint, of Ed25519 where it is that of a
    receipt, and Skip without a trust file.
    """
    origin, size, _ = read_checkpoint(read_note(note)[0])
    if pins is None:
        raise Skip(NO_TRUST)
    logs = [log for log in pins["logs"] if log["origin"] == origin]
    require(logs, "the trust file does not name this log")
    vkeys = {vkey for log in logs for _, vkey in keys_at(log["keys"], size)}
    require(vkeys, "the trust file has no key of this log for this size")
    if is_receipt:
        assert_receipt_signed(note, vkeys)
    else:
        assert_signers(note, vkeys)


def judge_receipt(receipt: str, entry: str | None, pins: Json | None) -> list[Result]:
    """The outcome of every check of a receipt. Without its entry, and without a trust file, what needs them is SKIP."""

    def leaf_entry() -> None:
        if entry is None:
            raise Skip("a receipt is of an entry: give the file of the entry, or the log")
        read_entry(entry)

    def inclusion() -> None:
        index, hashes, note = read_receipt(receipt)
        origin, size, root = read_checkpoint(read_note(note)[0])
        if entry is None:
            raise Skip(f"leaf {index} of {origin}: its entry is not at hand, or the log")
        require(root_of(index, size, leaf_hash(entry), hashes) == root, "the entry is not in the tree")

    return [
        judge("leaf_entry", leaf_entry),
        judge("merkle_inclusion", inclusion),
        judge("checkpoint_signature", lambda: assert_signed(read_receipt(receipt)[2], pins, is_receipt=True)),
    ]


def judge_log(log: PublishedLog, pins: Json | None) -> list[Result]:
    """The outcome of every check of a log."""
    names = ("merkle_root", "log_order", "hash_tiles")
    signature = judge("checkpoint_signature", lambda: assert_signed(log.note, pins))
    return [signature, *(judge(name, getattr(log, name)) for name in names)]


def entries_of(log: PublishedLog, results: list[Result]) -> list[str | None]:
    """The entries of a log; none where it is not verified, so that nothing is found in a log of somebody else."""
    if any(result.outcome == "FAIL" for result in results):
        return []
    try:
        return [None if entry is None else entry.decode() for entry in log.log.entries]
    except (Malformed, UnicodeDecodeError):
        return []


def skip_some(results: list[Result], names: set[str], reason: str) -> list[Result]:
    """These checks are not decided. What is not of its format fails everywhere, whatever else was given."""
    if all(result.outcome == "FAIL" for result in results):
        return results
    # Without a receipt of one's own nobody's keys are asked.
    decided = {"receipt"} if any(result[:2] == ("receipt", "NA") for result in results) else set()
    hidden = names - decided
    return [Result(result.check, "SKIP", reason) if result.check in hidden else result for result in results]
