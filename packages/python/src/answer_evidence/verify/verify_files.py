"""Verifies whatever files somebody gave, each by what it is."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from .canonical_json import Json, Malformed, read_json
from .checks import examine_bundle, examine_run, read_trust
from .given_checks import BY_SETS, NO_SETS, NOBODY, entries_of, judge_log, judge_receipt, skip_some
from .given_files import FORMATS, Given
from .given_trees import GivenTrees, judge_checkpoint, notes_of_receipts
from .notes import read_checkpoint, read_note, read_receipt
from .outcomes import Result, require, show
from .packs import verify_pack
from .tiles import Log, PublishedLog, Read
from .weaker import describe_weaker
from .windows import BundleVerification, RunVerification
from .words import say

MAKERS_WORD = ", the maker's word"
NO_RECEIPT = "is an entry of a log, of which nothing shows that a log has it: give its receipt as well"


class Verified(NamedTuple):
    """What one file came to. A fault is why it could not be verified at all, which fails it."""

    file: str
    results: list[Result]
    fault: str | None = None
    stated: tuple[tuple[str, Any], ...] = ()
    notices: tuple[str, ...] = ()
    bundle: BundleVerification | RunVerification | None = None


class FilesVerifier:
    """Files and what they are verified with. `open_log` reads the log, at most once."""

    def __init__(self, given: Given, trust: str | None, place: str | None, open_log: Callable[[str], Read]) -> None:
        self.given, self.trust, self.place = given, trust, place
        self.pins = None if trust is None else read_trust(trust)
        self.read = None if place is None else open_log(place)
        self.used: set[str] = set()
        self.entries: list[str | None] | None = None
        self.trees = _open_trees(given, NOBODY if self.pins is None else self.pins)

    def verify_all(self) -> list[Verified]:
        """Verifies every file. Raises LogUnreachable."""
        log = self._log()
        records = [self._bundle(name, text) for name, text in self.given.bundles]
        for name, content, pack in self.given.packs:
            kept = [response for _, response in self.given.responses]
            results = verify_pack(pack, content, kept, self.entries, self.pins)
            stated = (("made_at", pack.made_at), ("origin", pack.origin), ("bundles", len(pack.bundles)))
            records.append(Verified(name, results, None, stated))
            for bundle in pack.bundles:
                file = f"{name} {bundle.name}"
                if bundle.fault is None:
                    records.append(self._bundle(file, bundle.text))
                else:
                    records.append(Verified(file, [], f"is not a proof bundle: {bundle.fault}"))
        runs = map(self._run, self.given.runs)
        return [*records, *runs, *self._receipts(), *self._checkpoints(), *log, *self._others()]

    def _log(self) -> list[Verified]:
        """The log by itself, where no bundle says which of its trees is meant."""
        if self.read is None or self.place is None:
            return []
        if not self.given.packs and (self.given.bundles or self.given.runs):
            return []
        try:
            published = PublishedLog(self.read)
        except (Malformed, UnicodeDecodeError) as error:
            self.entries = []
            return [Verified(self.place, [], f"is not a log: its checkpoint cannot be read: {error}")]
        results = judge_log(published, self.pins)
        self.entries = entries_of(published, results)
        return [Verified(self.place, results)]

    def _bundle(self, name: str, text: str) -> Verified:
        try:
            value = read_json(text)
            is_bundle = isinstance(value, dict) and FORMATS.get(str(value.get("format"))) == "bundle"
            require(is_bundle, "its format is not that of a bundle")
            own = self._receipt_of(value)
            found = examine_bundle(text, self.trust, log=self.read, receipt=own, given=self.trees)
        except Malformed as reason:
            return Verified(name, [], f"is not a proof bundle: {reason}")
        return Verified(name, found.results, notices=tuple(self._notices(value)), bundle=found)

    def _notices(self, bundle: Json) -> list[str]:
        """Where the log's policy demands less than the trust file, or may do so."""
        if not isinstance(bundle, dict):
            return []
        kept = [response for _, response in self.given.responses]
        return describe_weaker(bundle.get("policy"), kept, self._entries_under(bundle), self.pins)

    def _entries_under(self, bundle: Json) -> list[str | None]:
        try:
            if self.read is None:
                return []
            _, size, root = read_checkpoint(read_note(bundle["checkpoint"])[0])
            log = Log(self.read, size, root)
            log.assert_root()
            return [None if entry is None else entry.decode() for entry in log.entries]
        except (Malformed, KeyError, TypeError, AttributeError, UnicodeDecodeError):
            # The checks that read the log say what is wrong with it.
            return []

    def _receipt_of(self, bundle: Json) -> str | None:
        """The one receipt beside one bundle is taken for its own. Of several, the one that names its leaf."""
        given = self.given
        is_pair = len(given.bundles) == 1 and not given.packs and len(given.receipts) == 1
        for name, receipt in given.receipts:
            if is_pair or _is_of(receipt, bundle):
                self.used.add(name)
                return receipt
        return None

    def _run(self, run: tuple[str, str]) -> Verified:
        name, text = run
        try:
            found = examine_run(text, "", "", self.trust, log=self.read, given=self.trees)
        except Malformed as reason:
            return Verified(name, [], f"is not the proof of a run: {reason}")
        # Without the lists nothing was decided.
        results = skip_some(found.results, BY_SETS, NO_SETS)
        return Verified(name, results, bundle=found._replace(results=results, counts=None))

    def _receipts(self) -> Iterable[Verified]:
        for name, receipt in self.given.receipts:
            if name in self.used:
                continue
            candidates: list[str | None] = [entry for _, entry in self.given.entries]
            index = _index_of(receipt)
            if self.entries is not None and 0 <= index < len(self.entries):
                candidates.append(self.entries[index])
            # One of them is enough. Of those that do not fit, the last one says why not.
            results = judge_receipt(receipt, candidates[0] if candidates else None, self.pins)
            for entry in candidates[1:]:
                if any(result.outcome == "FAIL" for result in results):
                    results = judge_receipt(receipt, entry, self.pins)
            yield Verified(name, results)
        for name, response in self.given.responses:
            yield Verified(name, judge_receipt(response.receipt, response.entry, self.pins))

    def _checkpoints(self) -> Iterable[Verified]:
        for name, checkpoint in self.given.checkpoints:
            yield Verified(name, judge_checkpoint(checkpoint, self.pins))

    def _others(self) -> list[Verified]:
        is_alone = not self.given.receipts and not self.given.responses
        lone = self.given.entries if is_alone else []
        return [
            *(Verified(name, [], NO_RECEIPT) for name, _ in lone),
            *(Verified(name, [], f"is not evidence: {reason}") for name, reason in self.given.others),
        ]


def _open_trees(given: Given, pins: Json) -> GivenTrees | None:
    """The trees that all files show, those in packs among them; None where one file stands alone."""
    in_packs = [one.text for _, _, pack in given.packs for one in pack.bundles if one.fault is None]
    jsons = [text for _, text in given.bundles] + [text for _, text in given.runs] + in_packs
    # The one receipt beside one bundle is that of its record, which has a check of its own.
    is_pair = len(given.bundles) == 1 and not given.packs and len(given.receipts) == 1
    receipts = [] if is_pair else [text for _, text in given.receipts]
    receipts += [one.receipt for _, one in given.responses]
    notes = [*notes_of_receipts(receipts), *(text for _, text in given.checkpoints)]
    return GivenTrees(jsons, notes, pins) if len(jsons) + len(receipts) + len(given.checkpoints) > 1 else None


JSON_OUTPUTS = ("json", "jsonl")


def print_json(value: object, output: str) -> None:
    """Prints a value as JSON, or each of several ones as a line."""
    if output == "json":
        print(json.dumps(value, indent=2))
        return
    for one in value if isinstance(value, list) else [value]:
        print(json.dumps(one, separators=(",", ":")))


def print_verified(verified: list[Verified], output: str, is_summary: bool, language: str = "en") -> None:
    """Prints results, and on standard error what could not be verified at all."""
    for one in verified:
        if one.fault is not None:
            print(show(f"FAIL  {one.file} {one.fault}"), file=sys.stderr)
    if output in JSON_OUTPUTS:
        if len(verified) == 1 and verified[0].fault is not None:
            return
        shaped = [_shape(one) for one in verified]
        print_json(shaped if len(verified) > 1 else shaped[0], output)
        return
    for one in verified:
        if one.fault is None:
            print(f"{one.file}:")
            for name, value in one.stated:
                print(show(f"{name}: {value}{MAKERS_WORD if name == 'made_at' else ''}"))
            print_results(one.results, is_summary, one.bundle, language)
            for notice in one.notices:
                print(show(f"NOTE  {notice}."))


def print_results(
    results: list[Result],
    is_summary: bool,
    bundle: BundleVerification | RunVerification | None = None,
    language: str = "en",
) -> None:
    """Prints what is spoken of and what it comes to, where it is a bundle, and the checks, those that fail first."""
    for line in [] if bundle is None else bundle.lines():
        print(show(line))
    if isinstance(bundle, BundleVerification):
        for line in say(results, language):
            print(show(line))
    for name, outcome, reason in sorted(results, key=lambda one: one.outcome != "FAIL"):
        if not is_summary or outcome in ("FAIL", "SKIP"):
            print(show(f"{outcome:4s}  {name}{': ' + reason if reason else ''}"))


def _shape(one: Verified) -> dict[str, Any]:
    if one.fault is not None:
        return {"file": one.file, "fault": one.fault}
    checks = [{"check": name, "outcome": outcome, "detail": reason} for name, outcome, reason in one.results]
    notices = {"notices": list(one.notices)} if one.notices else {}
    described = {} if one.bundle is None else one.bundle.members()
    return {"file": one.file, **dict(one.stated), **described, "checks": checks, **notices}


def _is_of(receipt: str, bundle: Json) -> bool:
    try:
        index, _, note = read_receipt(receipt)
        origin = read_checkpoint(read_note(note)[0])[0]
        return bool(bundle["origin"] == origin and bundle["record"]["leaf_index"] == index)
    except (Malformed, KeyError, TypeError):
        return False


def _index_of(receipt: str) -> int:
    try:
        return read_receipt(receipt)[0]
    except Malformed:
        return -1
