"""The command `answer-evidence-verify`. It opens no connection unless it is given the log as a URL."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence

from .canonical_json import Malformed, read_json
from .checks import CHECKS, verify_bundle, verify_log, verify_receipt, verify_reconciliation
from .conformance import judge_lines
from .given_files import sort_files
from .outcomes import LogUnreachable, Result
from .tiles import Read, read_folder, read_url

# A bundle of this size is beyond what a record can have. It is refused before it is read.
FILE_BYTES_MAX = 128 * 1024 * 1024

EPILOG = """\
exit codes:
  0  no check is FAIL
  1  at least one check is FAIL
  2  wrong arguments, or a file that cannot be read or is not of its kind
  3  the log at a URL or in a folder cannot be read
"""


COMMANDS = ("verify", "bundle", "run", "receipt", "log", "conformance")


class Refused(Exception):
    """A file that nothing can be verified with."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command, and returns its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    # Files without the name of a command are verified, as by the program for Node.
    if given and not given[0].startswith("-") and given[0] not in COMMANDS:
        given.insert(0, "verify")
    options = _parser().parse_args(given)
    if options.command == "verify":
        return _verify_files(options)
    if options.command == "conformance":
        for line in judge_lines(sys.stdin.buffer):
            print(line)
        return 0
    try:
        results = _verify(options)
    except LogUnreachable as error:
        print(f"answer-evidence-verify: {error}", file=sys.stderr)
        return 3
    except (OSError, UnicodeDecodeError, Malformed, Refused) as error:
        print(f"answer-evidence-verify: {error}", file=sys.stderr)
        return 2
    if options.output == "json":
        print(json.dumps([result._asdict() for result in results], indent=2))
    else:
        for name, outcome, reason in results:
            print(f"{outcome:4s}  {name}{': ' + reason if reason else ''}")
    return 1 if any(result.outcome == "FAIL" for result in results) else 0


def _verify_files(options: argparse.Namespace) -> int:
    try:
        given = sort_files(options.files, _text)
        receipts = [*given.receipts, *([options.receipt] if options.receipt else [])]
        logs = [*given.logs, *([options.tlog] if options.tlog else [])]
        if len(receipts) > 1 or len(logs) > 1 or not given.bundles or (receipts and len(given.bundles) > 1):
            raise Refused("give bundles or evidence packs, at most one log, and a receipt beside one bundle at most")
        demanded = {name for names in options.require for name in names.split(",")}
        if not demanded <= set(CHECKS):
            raise Refused(f"--require names no check: {', '.join(sorted(demanded - set(CHECKS)))}")
        trust = _json_text(options.trust, "trust file")
        log = _log(logs[0]) if logs else None
        receipt = _text(receipts[0]) if receipts else None
        verified = [(name, verify_bundle(text, trust, log=log, receipt=receipt)) for name, text in given.bundles]
    except LogUnreachable as error:
        print(f"answer-evidence-verify: {error}", file=sys.stderr)
        return 3
    except (OSError, UnicodeDecodeError, ValueError, Malformed, Refused) as error:
        print(f"answer-evidence-verify: {error}", file=sys.stderr)
        return 2
    if options.output == "json":
        files = [{"file": name, "checks": [result._asdict() for result in results]} for name, results in verified]
        print(json.dumps(files, indent=2))
    code = 0
    for name, results in verified:
        if options.output != "json":
            print(f"{name}:")
            for check, outcome, reason in results:
                print(f"{outcome:4s}  {check}{': ' + reason if reason else ''}")
        for check, outcome, _ in results:
            unmet = (check in demanded and outcome != "PASS") or (options.strict and outcome == "SKIP")
            if outcome != "FAIL" and unmet:
                print(f"NOT MET  {check} is {outcome}", file=sys.stderr)
            if outcome == "FAIL" or unmet:
                code = 1
    return code


def _verify(options: argparse.Namespace) -> list[Result]:
    if options.command == "log":
        return verify_log(_log(options.log), options.vkey)
    if options.command == "receipt":
        return verify_receipt(_text(options.receipt), _text(options.entry), options.vkey)
    trust = _json_text(options.trust, "trust file")
    log = None if options.log is None else _log(options.log)
    if options.command == "run":
        proof = _json_text(options.proof, "proof of a run")
        _warn_of_other_log(proof, trust)
        return verify_reconciliation(proof, _text(options.references), _text(options.records), trust, log=log)
    bundle = _json_text(options.bundle, "bundle")
    _warn_of_other_log(bundle, trust)
    receipt = None if options.receipt is None else _text(options.receipt)
    return verify_bundle(bundle, trust, log=log, receipt=receipt)


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


def _text(path: str) -> str:
    size = os.stat(path).st_size
    if size > FILE_BYTES_MAX:
        raise Refused(f"{path} has {size >> 20} MiB; nothing above {FILE_BYTES_MAX >> 20} MiB is read")
    with open(path, encoding="utf-8", newline="") as file:
        try:
            return file.read()
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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="answer-evidence-verify",
        description="Verifies answer evidence offline, and prints one outcome per check: PASS, FAIL, SKIP or NA.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    output = argparse.ArgumentParser(add_help=False)
    output.add_argument("--output", choices=("text", "json"), default="text")
    commands = parser.add_subparsers(dest="command", required=True)

    verify = commands.add_parser("verify", parents=[output], help="bundles and evidence packs; also without the word")
    verify.add_argument("files", nargs="+", help="bundles or packs; also a receipt, and a folder with the log")
    verify.add_argument("--trust", required=True, help="the trust file: keys that came over another channel")
    verify.add_argument("--tlog", help="the log, as a folder of tiles or a URL")
    verify.add_argument("--receipt", help="the receipt that was kept when the answer was recorded")
    verify.add_argument("--require", action="append", default=[], help="checks that must be PASS, by commas")
    verify.add_argument("--strict", action="store_true", help="require PASS for every check that applies")

    bundle = commands.add_parser("bundle", parents=[output], help="a proof bundle of one record")
    bundle.add_argument("bundle")
    bundle.add_argument("trust", help="the trust file: keys that came over another channel than the bundle")
    bundle.add_argument("--log", help="the log, as a folder of tiles or a URL: decides event_completeness")
    bundle.add_argument("--receipt", help="the receipt that was kept when the answer was recorded")

    run = commands.add_parser("run", parents=[output], help="the proof of a run of reconciliation")
    for name in ("proof", "references", "records", "trust"):
        run.add_argument(name)
    run.add_argument("--log", help="the log, as a folder of tiles or a URL: decides record_leaves")

    receipt = commands.add_parser("receipt", parents=[output], help="a receipt of one entry")
    for name in ("receipt", "entry", "vkey"):
        receipt.add_argument(name)

    log = commands.add_parser("log", parents=[output], help="a whole log")
    log.add_argument("log", help="a folder of tiles, or a URL")
    log.add_argument("vkey")

    commands.add_parser("conformance", help="judge the cases of the conformance suite, a line each")
    return parser
