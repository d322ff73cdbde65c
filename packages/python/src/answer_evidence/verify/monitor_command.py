"""The command `monitor`: follows logs from outside, with a state file of its own that the one for Node reads too."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

from . import ml_dsa
from .canonical_json import Json
from .checks import read_trust
from .cores import micros
from .form import format_time
from .leaf_file import LeafFile
from .monitor import Watch
from .monitor_findings import EXIT_CODES, Finding, Looked, find_stall
from .monitor_kept import KeptLeaf, read_kept
from .monitor_state import locked, read_state, write_durably
from .notes import is_ed25519, read_checkpoint, read_note
from .outcomes import LogUnreachable
from .tiles import read_folder, read_url

SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86_400}
DAY_MICROS = 86_400_000_000
EPILOG = """\
exit codes: 4 fork; 5 rollback; 6 unknown key; 7 missing entry; 8 missing cosignature; 9 stall; 10 the log does not
serve what it signed; 11 a kept file does not hold; 3 host not reached, nothing found; the lowest of 4 to 11 that
applies.
"""


def add_monitor(commands: Any, output: argparse.ArgumentParser) -> None:
    """Adds the arguments, which are those of the program for Node."""
    parser = commands.add_parser("monitor", parents=[output], help="follow logs from outside", epilog=EPILOG)
    parser.add_argument("logs", nargs="+", metavar="log", help="URL of a log, or a folder with its tiles")
    parser.add_argument("--state", required=True, help="file with the verified state; created if missing")
    parser.add_argument("--trust", required=True, help="the trust file: keys that came over another channel")
    parser.add_argument("--receipts", help="folder of receipts (.tlog-proof, with .entry) and bundles (.json)")
    parser.add_argument("--stall", type=_seconds, help="report a log that has not grown for this long, such as 24h")
    parser.add_argument("--grace", type=_seconds, default=3600, help="how long cosignatures and new receipts may take")
    parser.add_argument("--interval", type=_seconds, default=60, help="time between rounds")
    parser.add_argument("--once", action="store_true", help="run one round and exit")
    parser.add_argument("--webhook", help="post new findings to this URL as JSON")
    parser.add_argument("--json", action="store_true", help="print one JSON object per round and log")


def _seconds(text: str) -> int:
    found = re.fullmatch(r"([0-9]{1,9})([smhd]?)", text)
    if found is None:
        raise argparse.ArgumentTypeError("must be a number of seconds or a duration such as 12h or 30d")
    return int(found[1]) * SECONDS[found[2]]


def run_monitor(
    options: argparse.Namespace, read_text: Callable[[str], str], token_for: Callable[[str], str | None]
) -> int:
    """Runs rounds. Returns the exit code. Raises ValueError for arguments that cannot be used."""
    if options.interval == 0:
        raise ValueError("--interval must be at least 1s")
    if options.webhook is not None and not options.webhook.startswith(("http://", "https://")):
        # The address often holds a secret, so it is never quoted.
        raise ValueError("--webhook must be a URL such as https://host/path")
    trust = read_trust(read_text(options.trust))
    if not ml_dsa.is_installed() and not all(is_ed25519(key["vkey"]) for log in trust["logs"] for key in log["keys"]):
        raise ValueError(f"the trust file pins an ML-DSA-44 key of a log, which needs {ml_dsa.LIBRARY}")
    with locked(f"{options.state}.lock"):
        monitor = Monitor(options, trust, read_text, token_for)
        while True:
            code = monitor.run_round()
            if options.once:
                return code
            time.sleep(options.interval)


class Monitor:
    """What is kept between rounds."""

    def __init__(
        self,
        options: argparse.Namespace,
        trust: Json,
        read_text: Callable[[str], str],
        token_for: Callable[[str], str | None],
    ) -> None:
        self.options, self.trust, self.read_text, self.token_for = options, trust, read_text, token_for
        self.state = read_state(options.state, read_text)

    def run_round(self) -> int:
        """Looks at every log once, reports, and keeps what was verified. Returns the code of the worst finding."""
        codes = []
        kept: list[KeptLeaf] = []
        faults: list[tuple[str, str]] = []
        if self.options.receipts is not None:
            kept, faults = read_kept(self.options.receipts, self.read_text)
        for n, source in enumerate(dict.fromkeys(log.rstrip("/") for log in self.options.logs)):
            looked, unreachable = self._look(source, kept)
            if n == 0:
                # A file that cannot be read belongs to no log; it is reported with the first.
                bad = [Finding("invalid_receipt", f"{name} does not hold: {why}", name) for name, why in faults]
                looked = looked._replace(findings=[*looked.findings, *bad])
            codes += [EXIT_CODES[finding.kind] for finding in looked.findings]
            codes += [] if unreachable is None else [3]
            if not self._tell(source, looked, unreachable):
                codes.append(1)
        self._warn_of_strangers(kept)
        found = [code for code in codes if code > 3]
        return min(found) if found else max(codes, default=0)

    def _look(self, source: str, kept: list[KeptLeaf]) -> tuple[Looked, str | None]:
        known = self._log_of(source)
        is_url = source.startswith(("http://", "https://"))
        read = read_url(source, self.token_for(source)) if is_url else read_folder(source)
        now = time.time_ns() // 1000
        stall = None if self.options.stall is None else self.options.stall * 1_000_000
        leaves = LeafFile(self.options.state, source)
        watch = Watch(source, read, self.trust, known, leaves, lambda log: self._keep(self._with(source, log)))
        watch.now = now
        watch.stall, watch.grace, watch.kept = stall, self.options.grace * 1_000_000, kept
        try:
            return watch.look(), None
        except LogUnreachable as error:
            known = self._log_of(source)
            return Looked(known, find_stall(known, now, stall), []), str(error)

    def _log_of(self, source: str) -> Json | None:
        return next((log for log in self.state["logs"] if log["source"] == source), None)

    def _with(self, source: str, log: Json) -> Json:
        """The state with a log as it is now."""
        return {**self.state, "logs": [*(one for one in self.state["logs"] if one["source"] != source), log]}

    def _tell(self, source: str, looked: Looked, unreachable: str | None) -> bool:
        """Prints and posts what a look has found, and only then keeps what it has moved on to."""
        report = self._report(source, looked, unreachable)
        is_json = self.options.json or self.options.output in ("json", "jsonl")
        print(_compact(report) if is_json else _describe(report), flush=True)
        digests = list(dict.fromkeys(_digest_of(source, finding) for finding in looked.findings))
        others = [one for one in self.state["reported"] if one["source"] != source]
        mine = [one for one in self.state["reported"] if one["source"] == source and one["finding"] in digests]
        now = time.time_ns() // 1000
        fresh = [one for one in mine if abs(now - micros(one["at"])) < DAY_MICROS]
        is_due = self.options.webhook is not None and len(fresh) < len(digests)
        if is_due and not _post(self.options.webhook, report):
            print("the webhook did not take the report; it is sent again at the next look", file=sys.stderr)
            self._keep({**self.state, "reported": [*others, *mine]})
            return False
        told = [{"source": source, "finding": digest, "at": format_time(now)} for digest in digests]
        state = self.state if looked.log is None else self._with(source, looked.log)
        self._keep({**state, "reported": [*others, *(told if is_due else mine)]})
        return True

    def _report(self, source: str, looked: Looked, unreachable: str | None) -> Json:
        origin: str | None = None
        size: int | None = None
        root: str | None = None
        if looked.log is not None:
            origin, size, raw = read_checkpoint(read_note(looked.log["checkpoint"])[0])
            root = raw.hex()
        findings = [
            {"kind": one.kind, "detail": one.detail, "evidence": self._keep_evidence(one, origin or source)}
            for one in looked.findings
        ]
        return {
            "format": "answer-evidence-monitor-report/v1",
            "at": format_time(time.time_ns() // 1000),
            "source": source,
            "origin": origin,
            "tree_size": size,
            "root_hash": root,
            "outcome": "finding" if findings else "ok" if unreachable is None else "unreachable",
            "findings": findings,
            "notices": [*looked.notices, *([] if unreachable is None else [unreachable])],
        }

    def _keep_evidence(self, finding: Finding, origin: str) -> str | None:
        if finding.notes is None:
            return None
        kept = {
            "format": "answer-evidence-finding/v1",
            "kind": finding.kind,
            "origin": origin,
            "detail": finding.detail,
        }
        text = json.dumps({**kept, "checkpoints": list(finding.notes), "prefix": finding.prefix}, indent=2) + "\n"
        name = f"{finding.kind}-{hashlib.sha256(text.encode()).hexdigest()[:16]}.json"
        folder = f"{self.options.state}.evidence"
        os.makedirs(folder, mode=0o700, exist_ok=True)
        write_durably(os.path.join(folder, name), text)
        return os.path.join(folder, name)

    def _keep(self, state: Json) -> None:
        if state != self.state:
            write_durably(self.options.state, json.dumps(state, indent=2, ensure_ascii=False) + "\n")
            self.state = state

    def _warn_of_strangers(self, kept: list[KeptLeaf]) -> None:
        """Kept leaves that none of the logs can be asked about are not proven by anybody's silence."""
        sources = {log.rstrip("/") for log in self.options.logs}
        logs = [log for log in self.state["logs"] if log["source"] in sources]
        if len(logs) < len(sources):
            return
        known = {read_checkpoint(read_note(log["checkpoint"])[0])[0].rpartition("/")[0] for log in logs}
        for leaf in kept:
            if leaf.origin.rpartition("/")[0] not in known:
                said = f"{leaf.name} is not checked: it is from {leaf.origin}, which is none of the logs"
                print(said, file=sys.stderr)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        """A redirect is no receipt of a report."""
        return None


def _post(url: str, report: Json) -> bool:
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(url, _compact(report).encode(), headers, method="POST")
    opener = urllib.request.build_opener(_NoRedirect)
    for attempt in range(3):
        if attempt:
            time.sleep(2 ** (attempt - 1))
        try:
            with opener.open(request, timeout=10) as response:
                if 200 <= response.status < 300:
                    return True
        except (OSError, ValueError):
            continue
    return False


def _compact(report: Json) -> str:
    return json.dumps(report, ensure_ascii=False, separators=(",", ":"))


def _digest_of(source: str, finding: Finding) -> str:
    """What makes two findings the same: not their sizes and times, which go on."""
    return hashlib.sha256(_compact([source, finding.kind, finding.leaf]).encode()).hexdigest()


def _describe(report: Json) -> str:
    name = report["origin"] or report["source"]
    lines = [f"ok  {name}: {report['tree_size'] or 0} leaves"] if report["outcome"] == "ok" else []
    for one in report["findings"]:
        evidence = "" if one["evidence"] is None else f" (evidence in {one['evidence']})"
        lines.append(f"{one['kind'].upper()}  {name}: {one['detail']}{evidence}")
    word = "unreachable" if report["outcome"] == "unreachable" else "note"
    lines += [f"{word}  {name}: {notice}" for notice in report["notices"]]
    return "\n".join(f"{report['at']}  {line}" for line in lines)
