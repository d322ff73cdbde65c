"""The command `answer-evidence-verify`. It opens no connection unless it is given the log as a URL."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import sys
from collections.abc import Sequence

from .arguments import parse
from .canonical_json import Malformed, read_json
from .checks import CHECKS, RUN_CHECKS, examine_bundle, examine_run, verify_log, verify_receipt
from .conformance import judge_lines
from .given_files import is_evidence, sort_files
from .monitor_command import run_monitor
from .outcomes import LogUnreachable, Result, require, show
from .packs import PACK_CHECKS
from .runs import in_window
from .tiles import Read, read_folder, read_url
from .verify_files import JSON_OUTPUTS, FilesVerifier, print_json, print_results, print_verified
from .windows import BundleVerification, RunVerification

# A bundle of this size is beyond what a record can have. It is refused before it is read.
FILE_BYTES_MAX = 128 * 1024 * 1024

ALL_CHECKS = {*CHECKS, *RUN_CHECKS, *PACK_CHECKS, "merkle_root", "hash_tiles"}


class Refused(Exception):
    """A file that nothing can be verified with."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command, and returns its exit code."""
    options = parse(list(sys.argv[1:] if arguments is None else arguments))
    if options.command == "conformance":
        for line in judge_lines(sys.stdin.buffer):
            print(line)
        return 0
    if not options.quiet:
        return _run(options)
    with open(os.devnull, "w", encoding="utf-8") as nowhere, contextlib.redirect_stdout(nowhere):
        return _run(options)


def _run(options: argparse.Namespace) -> int:
    try:
        if options.command == "monitor":
            return run_monitor(options, _text, _token_for)
        if options.command == "verify":
            return _verify_files(options)
        examined: BundleVerification | RunVerification | None = None
        if options.command in ("run", "reconcile verify"):
            examined = _examine_run(options)
        elif options.command == "bundle":
            examined = _examine(options)
        results = _verify(options) if examined is None else examined.results
    except Unreadable as fault:
        print(show(str(fault)), file=sys.stderr)
        return 1
    except LogUnreachable as error:
        print(f"answer-evidence-verify: {error}", file=sys.stderr)
        return 3
    except (OSError, UnicodeDecodeError, ValueError, Malformed, Refused) as error:
        print(f"answer-evidence-verify: {error}", file=sys.stderr)
        return 2
    if options.output in JSON_OUTPUTS:
        print_json(_shape(options.command, results, examined), options.output)
    else:
        print_results(results, options.summary, examined, getattr(options, "language", "en"))
    return _settle(results, options)


class Unreadable(Exception):
    """Evidence that cannot be read, which is evidence that failed, and not a command that was given wrongly."""


def _evidence_text(path: str) -> str:
    try:
        text = _bytes(path).decode()
        value = read_json(text)
        named = isinstance(value, dict) and value.get("format")
        require(named == "answer-evidence-reconciliation/v1", "its format is not that of the proof of a run")
        return text
    except (Malformed, UnicodeDecodeError) as reason:
        raise Unreadable(f"FAIL  {path} is not the proof of a run: {reason}") from None


def _shape(
    command: str, results: list[Result], examined: BundleVerification | RunVerification | None
) -> list[dict[str, str]] | dict[str, object]:
    """JSON of `reconcile verify` is that of the program for Node; earlier forms of commands keep theirs."""
    if command != "reconcile verify" or examined is None:
        return [result._asdict() for result in results]
    checks = [{"check": name, "outcome": outcome, "detail": reason} for name, outcome, reason in results]
    return {**examined.members(), "checks": checks}


def _settle(results: list[Result], options: argparse.Namespace) -> int:
    """Says which demands are not met. Returns the exit code."""
    demanded = {name.strip() for names in options.require for name in names.split(",")} - {""}
    unknown = demanded - ALL_CHECKS
    if unknown:
        raise Refused(f"--require names no check: {', '.join(sorted(unknown))}")
    code = 0
    for check, outcome, _ in results:
        by = "--require" if check in demanded and outcome != "PASS" else "--strict" if options.strict else ""
        is_unmet = by == "--require" or (by == "--strict" and outcome == "SKIP")
        if outcome != "FAIL" and is_unmet:
            print(f"NOT MET  {check} is {outcome}, and {by} demands PASS", file=sys.stderr)
        if outcome == "FAIL" or is_unmet:
            code = 1
    return code


def _verify_files(options: argparse.Namespace) -> int:
    _settle([], options)
    trust = None if options.trust is None else _trust(options.trust)
    given = sort_files(options.files, _bytes)
    if options.receipt:
        receipt = _text(options.receipt)
        given.receipts.append((options.receipt, receipt[:-1] if receipt.endswith("\n\n") else receipt))
    logs = [*given.logs, *([options.tlog] if options.tlog else [])]
    if len(logs) > 1:
        raise Refused("there is more than one log: give one, as a file or by --tlog")
    place, unread = next(iter(logs), None), None
    try:
        verified = FilesVerifier(given, trust, place, _log).verify_all()
    except LogUnreachable as error:
        # It says nothing of the evidence beside it, which is verified without.
        verified, unread = FilesVerifier(given, trust, None, _log).verify_all(), error
    print_verified(verified, options.output, options.summary, options.language)
    if trust is None:
        note = "No trust file was given: who signed this was not verified. Name yours by --trust."
        print(note, file=sys.stderr)
    codes = [1 if one.fault is not None else _settle(one.results, options) for one in verified]
    code = max(codes, default=0)
    if code or unread is None:
        return code
    print(f"answer-evidence-verify: {unread}", file=sys.stderr)
    return 3 if str(place).startswith(("http://", "https://")) else 2


def _trust(path: str) -> str:
    if is_evidence(_bytes(path)):
        raise Refused(f"{path} is evidence, and not a trust file: are it and the trust file swapped?")
    return _json_text(path, "trust file")


def _verify(options: argparse.Namespace) -> list[Result]:
    if options.command == "receipt verify":
        receipt, entry = _text(options.receipt), _text(options.entry)
        receipt = receipt[:-1] if receipt.endswith("\n\n") else receipt
        return verify_receipt(receipt, re.sub(r"\r?\n\Z", "", entry), options.vkey)
    if options.command == "log":
        return verify_log(_log(options.log), options.vkey)
    if options.command == "receipt":
        return verify_receipt(_text(options.receipt), _text(options.entry), options.vkey)
    raise AssertionError(options.command)


def _examine_run(options: argparse.Namespace) -> RunVerification:
    trust = _json_text(options.trust, "trust file")
    place = options.tlog if options.command == "reconcile verify" else options.log
    log = None if place is None else _log(place)
    if options.command == "run":
        proof = _json_text(options.proof, "proof of a run")
        _warn_of_other_log(proof, trust)
        return examine_run(proof, _text(options.references), _text(options.records), trust, log=log)
    if len(options.earlier_proof) != len(options.earlier_references):
        raise Refused("give --earlier-references once for each --earlier-proof")
    pairs = zip(options.earlier_proof, options.earlier_references, strict=True)
    proof = _evidence_text(options.proof)
    _warn_of_other_log(proof, trust)
    proofs = [(_evidence_text(path), lines) for path, lines in pairs]
    earlier = [(text, in_window(text, _text(lines))[0]) for text, lines in proofs]
    asked, passed_over = in_window(proof, _text(options.references))
    if passed_over:
        note = f"{passed_over} references are outside the window of the run and were not checked."
        print(note, file=sys.stderr)
    findings = None if options.findings is None else _text(options.findings)
    return examine_run(proof, asked, _text(options.records), trust, log=log, earlier=earlier, findings=findings)


def _examine(options: argparse.Namespace) -> BundleVerification:
    trust = _json_text(options.trust, "trust file")
    log = None if options.log is None else _log(options.log)
    bundle = _json_text(options.bundle, "bundle")
    _warn_of_other_log(bundle, trust)
    own = None if options.receipt is None else _text(options.receipt)
    return examine_bundle(bundle, trust, log=log, receipt=own)


def _log(place: str) -> Read:
    if place.startswith(("http://", "https://")):
        return read_url(place, _token_for(place))
    if not os.path.isdir(place):
        raise LogUnreachable(f"{place} is not a folder; give a copy of the log or its URL")
    return read_folder(place)


def _token_for(url: str) -> str | None:
    """The token of the environment, for a log on the host of the environment alone."""
    host = os.environ.get("ANSWER_EVIDENCE_URL") or os.environ.get("SERVICE_REGISTRY")
    if not host or not url.startswith(f"{host.rstrip('/')}/"):
        return None
    return os.environ.get("ANSWER_EVIDENCE_TOKEN") or os.environ.get("SERVICE_TOKEN")


def _bytes(path: str) -> bytes:
    if path == "-":
        content = sys.stdin.buffer.read(FILE_BYTES_MAX + 1)
        size = len(content)
    else:
        size = os.stat(path).st_size
    if size > FILE_BYTES_MAX:
        raise Refused(f"{path} has {size >> 20} MiB; nothing above {FILE_BYTES_MAX >> 20} MiB is read")
    if path == "-":
        return content
    with open(path, "rb") as file:
        return file.read()


def _text(path: str) -> str:
    try:
        return _bytes(path).decode()
    except UnicodeDecodeError:
        raise Refused(f"{path} is not UTF-8 text") from None


def _json_text(path: str, kind: str) -> str:
    text = _text(path)
    try:
        read_json(text)
    except Malformed as reason:
        raise Refused(f"{path} is no {kind}: {reason}") from None
    return text


def _warn_of_other_log(evidence: str, trust: str) -> None:
    """Says it in words where the trust file is that of another log. The checks fail by themselves."""
    given, pins = read_json(evidence), read_json(trust)
    try:
        origin, origins = given["origin"], [log["origin"] for log in pins["logs"]]
    except (KeyError, TypeError):
        return
    if origin not in origins:
        named = f"the evidence is of the log {origin!r}, and the trust file names {', '.join(map(repr, origins))}"
        print(f"answer-evidence-verify: {named}: is the trust file of another workspace?", file=sys.stderr)
