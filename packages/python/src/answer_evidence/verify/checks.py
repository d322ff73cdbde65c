"""Verifies what is handed out: bundles, receipts, the proofs of runs, and logs. Opens no connection by itself."""

from __future__ import annotations

from collections.abc import Sequence

from .bundle_checks import Bundle
from .bundle_form import BUNDLE, TRUST
from .canonical_json import Json, Malformed, read_json
from .cores import read_entry
from .form import Form, assert_form
from .given_checks import BY_TRUST, NO_TRUST, NOBODY, skip_some
from .given_trees import GivenTrees
from .notes import read_checkpoint, read_note, read_receipt, read_vkey, signers_of
from .outcomes import Result, judge, require
from .rekor import read_log_keys
from .run_form import RUN_PROOF
from .runs import EarlierRun, Run, read_references
from .tiles import PublishedLog, Read
from .tree import leaf_hash, root_of
from .windows import BundleVerification, RunVerification, describe_bundle, describe_malformed, describe_run
from .witnesses import WitnessPolicy
from .x509 import read_pins

CHECKS = (
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
    "log_order",
    "merkle_inclusion",
    "checkpoint_signature",
    "checkpoint_consistency",
    "receipt",
    "evidence_binding",
    "witness_cosignatures",
    "external_anchor",
    "anchored",
)

RUN_CHECKS = (
    "references",
    "records",
    "record_leaves",
    "earlier_runs",
    "findings",
    "counts",
    "statement",
    "leaf_entry",
    "log_order",
    "merkle_inclusion",
    "checkpoint_signature",
    "checkpoint_consistency",
    "witness_cosignatures",
    "external_anchor",
    "anchored",
)


def verify_bundle(
    bundle: str, trust: str | None, *, log: Read | None = None, receipt: str | None = None
) -> list[Result]:
    """
    The outcome of every check of a proof bundle, given as texts. `log` reads a log (`read_folder`, `read_url`), and
    `receipt` is the one that was kept when the answer was recorded. Without a trust file, checks that need one are
    SKIP. Raises Malformed for a trust file that is not one.
    """
    return examine_bundle(bundle, trust, log=log, receipt=receipt).results


def examine_bundle(
    bundle: str,
    trust: str | None,
    *,
    log: Read | None = None,
    receipt: str | None = None,
    given: GivenTrees | None = None,
) -> BundleVerification:
    """
    The same with what the checks speak of: the tree, the keys, whether it is anchored, and the window in which the
    record came into the log.
    """
    pins = NOBODY if trust is None else read_trust(trust)
    value: Json = None
    try:
        value = read_json(bundle)
        assert_form(value, BUNDLE, "the bundle")
        checks = Bundle(value, pins, log, receipt, given)
    except Malformed as reason:
        return describe_malformed(value, _fail_all(CHECKS, reason))
    results = [judge(name, getattr(checks, name)) for name in CHECKS]
    described = describe_bundle(checks, results)
    return described._replace(results=skip_some(results, BY_TRUST, NO_TRUST)) if trust is None else described


def verify_reconciliation(
    proof: str,
    references: str,
    records: str,
    trust: str | None,
    *,
    log: Read | None = None,
    given: GivenTrees | None = None,
    earlier: Sequence[tuple[str, str]] = (),
    findings: str | None = None,
) -> list[Result]:
    """
    The outcome of every check of a run; see `examine_run`.
    """
    found = examine_run(proof, references, records, trust, log=log, given=given, earlier=earlier, findings=findings)
    return found.results


def examine_run(
    proof: str,
    references: str,
    records: str,
    trust: str | None,
    *,
    log: Read | None = None,
    given: GivenTrees | None = None,
    earlier: Sequence[tuple[str, str]] = (),
    findings: str | None = None,
) -> RunVerification:
    """
    The outcome of every check of a run. References and records are the lines of docs/formats/reconciliation.md, "The
    three sets", each with a line feed. `earlier` are the proofs of earlier runs with their references, and `findings`
    is the file of findings, where they are at hand. Raises Malformed for a trust file or a list that is not one.
    """
    pins = NOBODY if trust is None else read_trust(trust)
    asked, held = _references(references), _lines(records)
    before = [EarlierRun(text, _references(lines)) for text, lines in earlier]
    found = None if findings is None else _lines(findings)
    try:
        value = _read(proof, RUN_PROOF, "the proof")
        run = Run(value, asked, held, pins, log, given, before, found)
    except Malformed as reason:
        return RunVerification(None, _fail_all(RUN_CHECKS, reason), None, None, [])
    results = [judge(name, getattr(run, name)) for name in RUN_CHECKS]
    described = describe_run(run, results)
    return described._replace(results=skip_some(results, BY_TRUST, NO_TRUST)) if trust is None else described


def _references(text: str) -> list[Json]:
    require(not text or text.endswith("\n"), "the last line of the references is not ended")
    return read_references(_lines(text))


def verify_receipt(receipt: str, entry: str, vkeys: str | list[str]) -> list[Result]:
    """The outcome of every check of a receipt over an entry, under keys of the log. Raises Malformed for a bad key."""
    keys = [vkeys] if isinstance(vkeys, str) else vkeys
    names = {read_vkey(vkey)[0] for vkey in keys}

    def inclusion() -> None:
        index, hashes, note = read_receipt(receipt)
        _, size, root = read_checkpoint(read_note(note)[0])
        require(root_of(index, size, leaf_hash(entry), hashes) == root, "the entry is not in the tree")

    def signature() -> None:
        note = read_receipt(receipt)[2]
        signers_of(note, keys)
        require({read_checkpoint(read_note(note)[0])[0]} == names, "the checkpoint is of another log")

    return [
        judge("leaf_entry", lambda: read_entry(entry)),
        judge("merkle_inclusion", inclusion),
        judge("checkpoint_signature", signature),
    ]


def verify_log(log: Read, vkey: str) -> list[Result]:
    """The outcome of every check of a log. Raises LogUnreachable, and Malformed for a checkpoint that is not one."""
    published = PublishedLog(log, vkey)
    names = ("checkpoint_signature", "merkle_root", "log_order", "hash_tiles")
    return [judge(name, getattr(published, name)) for name in names]


def read_trust(text: str) -> Json:
    """
    A trust file. Raises Malformed for one of another form, and for one of which a pin cannot be read, whether or not it
    would be needed: a pin that is passed over demands nothing.
    """
    pins = _read(text, TRUST, "the trust file")
    for log in pins["logs"]:
        for key in log["keys"]:
            read_vkey(key["vkey"])
    if pins["witness_policy"] is not None:
        WitnessPolicy(pins["witness_policy"])
    anchors = [anchor["certificate_pem"] for anchor in pins.get("anchors", [])]
    for pem in [*pins["tsa_roots"], *(pem for pem in anchors if pem is not None)]:
        read_pins(pem)
    for anchor in pins.get("anchors", []):
        if "log_keys" in anchor:
            read_log_keys(anchor["log_keys"])
    return pins


def _read(text: str, form: Form, what: str) -> Json:
    value = read_json(text)
    assert_form(value, form, what)
    return value


def _lines(text: str) -> list[str]:
    return text.split("\n")[:-1]


def _fail_all(names: tuple[str, ...], reason: Malformed) -> list[Result]:
    return [Result(name, "FAIL", str(reason)) for name in names]
