"""The arguments of the command, which are those of the program for Node."""

from __future__ import annotations

import argparse
import importlib.metadata
import os

from .monitor_command import add_monitor
from .words import LANGUAGES

EPILOG = """\
exit codes:
  0  no check is FAIL
  1  at least one check is FAIL
  2  wrong arguments, or a file that cannot be read or is not of its kind
  3  the host of a log was not reached
"""


COMMANDS = ("verify", "bundle", "run", "receipt", "log", "monitor", "conformance")


def _name_command(given: list[str]) -> list[str]:
    """Files without the name of a command are verified, and two words may name a command, as in the one for Node."""
    before = [
        n for n, word in enumerate(given[:4]) if not word.startswith("-") and given[n - 1 : n] not in OUTPUT_FLAGS
    ]
    at = before[0] if before else len(given)
    if tuple(given[at : at + 2]) in TWO_WORDS:
        return [" ".join(given[at : at + 2]), *given[:at], *given[at + 2 :]]
    if at < len(given) and given[at] in COMMANDS and not _is_file(given, at):
        return [given[at], *given[:at], *given[at + 1 :]]
    if not given or given[0] in ("-h", "--help", "-V", "--version"):
        return given
    return ["verify", *given]


def _is_file(given: list[str], at: int) -> bool:
    """Whether the name of an earlier form, which has two more arguments and no --trust, is that of a file."""
    words = [word for word in given[at:] if not word.startswith("-")]
    is_earlier_form = len(words) > 2 and "--trust" not in given
    return given[at] in EARLIER_FORMS and os.path.exists(given[at]) and not is_earlier_form


EARLIER_FORMS = ("bundle", "run", "receipt", "log")
OUTPUT_FLAGS = (["--output"], ["-o"])
TWO_WORDS = (("receipt", "verify"), ("reconcile", "verify"))


def parse(given: list[str]) -> argparse.Namespace:
    """Reads the arguments. Ends the program where they are wrong."""
    return _parser().parse_args(_name_command(given))


def _version() -> str:
    try:
        return importlib.metadata.version("answer-evidence")
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="answer-evidence-verify",
        description="Verifies answer evidence offline, and prints one outcome per check: PASS, FAIL, SKIP or NA.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("-V", "--version", action="version", version=_version(), help="print the version")
    output = argparse.ArgumentParser(add_help=False)
    output.add_argument("-o", "--output", choices=("table", "text", "json", "jsonl"), default="table")
    output.add_argument("-q", "--quiet", action="store_true", help="print no outcomes; the exit code says it")
    demands = argparse.ArgumentParser(add_help=False)
    demands.add_argument("--require", action="append", default=[], help="checks that must be PASS, by commas")
    demands.add_argument("--strict", action="store_true", help="require PASS for every check that applies")
    demands.add_argument("--summary", action="store_true", help="show only the checks that are FAIL or SKIP")
    words = argparse.ArgumentParser(add_help=False)
    words.add_argument("--language", choices=LANGUAGES, default="en", help="language of the words for people")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    both = [output, demands]

    verify = commands.add_parser("verify", parents=[*both, words], help="files of any kind; also without the word")
    verify.add_argument("files", nargs="+", help="bundles, packs, receipts, proofs, a folder or URL of a log, or -")
    verify.add_argument("--trust", help="the trust file: keys that came over another channel")
    verify.add_argument("--tlog", help="the log, as a folder of tiles or a URL")
    verify.add_argument("--receipt", help="the receipt that was kept when the answer was recorded")

    one = commands.add_parser("receipt verify", parents=both, help="a receipt of one entry")
    one.add_argument("receipt")
    one.add_argument("--entry", required=True, help="file with the entry of the receipt")
    one.add_argument("--vkey", required=True, action="append", help="a trusted verifier key; may be repeated")

    reconcile = commands.add_parser("reconcile verify", parents=both, help="the proof of a run of reconciliation")
    reconcile.add_argument("proof")
    for name in ("references", "records", "trust"):
        reconcile.add_argument(f"--{name}", required=True)
    reconcile.add_argument("--tlog", help="the log, as a folder of tiles or a URL: decides record_leaves")
    reconcile.add_argument("--findings", help="findings as JSONL, to compare too")
    reconcile.add_argument("--earlier-proof", action="append", default=[], help="proof of an earlier run; repeatable")
    more = "list of the earlier run, in the same order; repeatable"
    reconcile.add_argument("--earlier-references", action="append", default=[], help=more)

    add_monitor(commands, output)

    bundle = commands.add_parser("bundle", parents=[*both, words], help="the same as verify, for one bundle")
    bundle.add_argument("bundle")
    bundle.add_argument("trust", help="the trust file: keys that came over another channel than the bundle")
    bundle.add_argument("--log", help="the log, as a folder of tiles or a URL: decides event_completeness")
    bundle.add_argument("--receipt", help="the receipt that was kept when the answer was recorded")

    run = commands.add_parser("run", parents=both, help="the same as reconcile verify")
    for name in ("proof", "references", "records", "trust"):
        run.add_argument(name)
    run.add_argument("--log", help="the log, as a folder of tiles or a URL: decides record_leaves")

    receipt = commands.add_parser("receipt", parents=both, help="the same as receipt verify")
    for name in ("receipt", "entry", "vkey"):
        receipt.add_argument(name)

    log = commands.add_parser("log", parents=both, help="a whole log, under one key")
    log.add_argument("log", help="a folder of tiles, or a URL")
    log.add_argument("vkey")

    commands.add_parser("conformance", help="judge the cases of the conformance suite, a line each")
    return parser
