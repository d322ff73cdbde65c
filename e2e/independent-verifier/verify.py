#!/usr/bin/env python3
"""Verifies proof bundles and receipts, from docs/formats alone: Python's standard library and the openssl command.

    verify.py bundle <bundle.json> <trust.json>
    verify.py receipt <file.tlog-proof> <entry.txt> <vkey>
    verify.py log <folder of tiles> <vkey>
    verify.py run <proof.json> <references> <records> <trust.json>

References and records are the lines of docs/formats/reconciliation.md, "The three sets", each with a line feed.

Prints one outcome per check. Exits with 0 when none is FAIL, with 1 when one is, with 2 when called wrongly.
"""

import sys

sys.dont_write_bytecode = True

from bundle_checks import Bundle, NotApplicable, Skip, read_entry, require
from bundle_form import BUNDLE, RUN_PROOF, TRUST, assert_form
from canonical_json import Malformed, read_json
from notes import read_checkpoint, read_note, read_receipt, read_vkey, signers_of
from runs import Run
from tiles import Log
from tree import leaf_hash, root_of

CHECKS = [
    "question_commitment",
    "answer_commitment",
    "corrections",
    "source_refs",
    "semantic_refs",
    "trace_refs",
    "record_hash",
    "event_chain",
    "event_completeness",
    "status_derivation",
    "leaf_entry",
    "merkle_inclusion",
    "checkpoint_signature",
    "evidence_binding",
    "witness_cosignatures",
    "external_anchor",
    "anchored",
]


RUN_CHECKS = [
    "references",
    "records",
    "record_leaves",
    "earlier_runs",
    "findings",
    "counts",
    "statement",
    "leaf_entry",
    "merkle_inclusion",
    "checkpoint_signature",
    "checkpoint_consistency",
    "witness_cosignatures",
    "external_anchor",
    "anchored",
]


def outcome_of(check):
    try:
        check()
        return "PASS", ""
    except Skip as reason:
        return "SKIP", str(reason)
    except NotApplicable as reason:
        return "NA", str(reason)
    except Malformed as reason:
        return "FAIL", str(reason)
    except Exception as error:  # Whatever a bundle makes go wrong is that check's failure and hides no other.
        return "FAIL", "the check could not be made (%s)" % type(error).__name__


def verify_bundle(bundle_text, trust_text):
    trust = read_json(trust_text)
    assert_form(trust, TRUST, "the trust file")
    try:
        bundle = read_json(bundle_text)
        assert_form(bundle, BUNDLE, "the bundle")
    except Malformed as reason:
        return [(name, "FAIL", str(reason)) for name in CHECKS]
    checks = Bundle(bundle, trust)
    results = [(name, *outcome_of(getattr(checks, name))) for name in CHECKS]
    return results


def verify_run(proof_text, references_text, records_text, trust_text):
    trust = read_json(trust_text)
    assert_form(trust, TRUST, "the trust file")
    try:
        proof = read_json(proof_text)
        assert_form(proof, RUN_PROOF, "the proof")
    except Malformed as reason:
        return [(name, "FAIL", str(reason)) for name in RUN_CHECKS]
    checks = Run(proof, references_text.split("\n")[:-1], records_text.split("\n")[:-1], trust)
    return [(name, *outcome_of(getattr(checks, name))) for name in RUN_CHECKS]


def verify_receipt(receipt_text, entry_text, vkey):
    read_vkey(vkey)

    def inclusion():
        index, hashes, note = read_receipt(receipt_text)
        _, size, root = read_checkpoint(read_note(note)[0])
        require(root_of(index, size, leaf_hash(entry_text), hashes) == root, "the entry is not in the tree")

    def signature():
        note = read_receipt(receipt_text)[2]
        signers_of(note, {vkey})
        origin = read_checkpoint(read_note(note)[0])[0]
        require(origin == read_vkey(vkey)[0], "the checkpoint is of another log")

    checks = [("leaf_entry", lambda: read_entry(entry_text)), ("merkle_inclusion", inclusion)]
    checks.append(("checkpoint_signature", signature))
    return [(name, *outcome_of(check)) for name, check in checks]


def verify_log(folder, vkey):
    log = Log(folder, vkey)
    names = ("checkpoint_signature", "merkle_root", "hash_tiles")
    return [(name, *outcome_of(getattr(log, name))) for name in names]


def read_text(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def main(arguments):
    try:
        if len(arguments) == 3 and arguments[0] == "bundle":
            results = verify_bundle(read_text(arguments[1]), read_text(arguments[2]))
        elif len(arguments) == 4 and arguments[0] == "receipt":
            results = verify_receipt(read_text(arguments[1]), read_text(arguments[2]), arguments[3])
        elif len(arguments) == 3 and arguments[0] == "log":
            results = verify_log(arguments[1], arguments[2])
        elif len(arguments) == 5 and arguments[0] == "run":
            results = verify_run(*(read_text(path) for path in arguments[1:]))
        else:
            print(__doc__, file=sys.stderr)
            return 2
    except (OSError, UnicodeDecodeError, Malformed) as error:
        print("verify.py: %s" % error, file=sys.stderr)
        return 2
    for name, outcome, reason in results:
        print("%-4s  %s%s" % (outcome, name, ": " + reason if reason else ""))
    return 1 if any(outcome == "FAIL" for _, outcome, _ in results) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
