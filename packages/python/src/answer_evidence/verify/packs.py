"""Evidence packs (docs/formats/pack.md): every part of the page, and the checks of a pack as a whole."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from .canonical_json import Json, Malformed, read_json
from .cores import core_hash, micros, read_entry
from .form import is_time
from .given_checks import assert_signed
from .notes import read_checkpoint, read_note, read_receipt
from .outcomes import Result, Skip, judge, require
from .stated_times import TOLERANCE_MICROS
from .tree import leaf_hash, root_of

FORMAT = "answer-evidence-pack/v1"
PACK_CHECKS = ("pack_parts", "pack_made_at", "pack_content")
NAME = re.compile(r"bundle-[1-9][0-9]{0,3}")
SHOWN = re.compile(r"[A-Za-z0-9_.-]{1,40}")
OPENING = re.compile(r"<!--|<script(?=[\t\n\f\r />])", re.IGNORECASE | re.ASCII)
CLOSING = re.compile(r"</script", re.IGNORECASE | re.ASCII)
SPACE = "\t\n\f\r "
LISTED_MAX = 3
PARTS_MAX = 1_000  # a page may not make its readers verify without end
ODD_NAME = "the list has a name there that is not bundle-1, bundle-2 and so on"


class Part(NamedTuple):
    """A script element that has attributes: the program of a page has none. `fault`: why it is not of the format."""

    id: str | None
    text: str
    fault: str | None


class PackBundle(NamedTuple):
    """A text that may be a bundle, or why the pack has none to show."""

    name: str
    text: str
    fault: str | None


class KeptEntry(NamedTuple):
    """An entry of the log with its core and its receipt."""

    entry: str
    core: Json
    receipt: str


class Pack:
    """An evidence pack. Whatever is, or claims to be, a bundle is among `bundles`, so none is lost on the way."""

    def __init__(self, parts: list[Part]) -> None:
        self.made_at: str | None = None
        self.origin: str | None = None
        self.faults: list[str] = []
        self.bundles: list[PackBundle] = []
        if len(parts) > PARTS_MAX:
            self.faults.append(f"the file has more than {PARTS_MAX} parts")
            return
        claimed = [part for part in parts if part.id not in ("pack", "trust")]
        places: dict[str | None, list[int]] = {}
        for n, part in enumerate(claimed):
            places.setdefault(part.id, []).append(n)
        names = self._read_list(parts)
        texts = [name for name in names or [] if isinstance(name, str)]
        counts = dict.fromkeys(texts, 0)
        for name in texts:
            counts[name] += 1
        for n, name in enumerate(names or []):
            self.bundles.append(_listed(name, n, counts, claimed, places))
        others = [part for part in claimed if part.id not in counts]
        self.bundles.extend(_other(part, names is None) for part in others)
        try:
            _only([part for part in parts if part.id == "trust"], "trust")
        except Malformed as fault:
            self.faults.append(str(fault))
        if not self.bundles:
            self.faults.append("the pack has no bundle")

    def _read_list(self, parts: list[Part]) -> list[Json] | None:
        try:
            manifest = read_json(_only([part for part in parts if part.id == "pack"], "pack"))
            require(isinstance(manifest, dict), 'the part "pack" is not an object')
            require(manifest.get("format") == FORMAT, f'the part "pack" does not name the format {FORMAT}')
            names = manifest.get("bundles")
            require(isinstance(names, list), 'the part "pack" has no list of bundles')
            require(len(names) <= PARTS_MAX, f"the list has more than {PARTS_MAX} names")
        except Malformed as fault:
            self.faults.append(f"{fault}: which bundles the pack has is not known")
            return None
        if is_time(manifest.get("made_at")) and isinstance(manifest.get("origin"), str):
            self.made_at, self.origin = manifest["made_at"], manifest["origin"]
        else:
            self.faults.append('the part "pack" does not say when and from which log it was made')
        return list(names)


def read_pack(page: str) -> Pack | None:
    """Reads a pack from the text of its page; None for a text that is none."""
    parts = list(islice(scan_parts(page), PARTS_MAX + 1))
    if len(parts) <= PARTS_MAX and not any(
        re.match("pack|trust|bundle", part.id or "", re.I) or '"answer-evidence-' in part.text for part in parts
    ):
        return None
    return Pack(parts)


def scan_parts(page: str) -> Iterator[Part]:
    """Every part of a page: also those that are written in another way than the format says, or are in a comment."""
    at, comment_end = 0, 0
    while (found := OPENING.search(page, at)) is not None:
        at = found.end()
        if found[0] == "<!--":
            if found.start() >= comment_end:
                end = page.find("-->", at)
                comment_end = len(page) if end < 0 else end
            continue
        attributes, start = _read_tag(page, at)
        close = CLOSING.search(page, start)
        stop = len(page) if close is None else close.start()
        end = -1 if close is None else page.find(">", close.end())
        at = len(page) if end < 0 else end + 1
        if not attributes:
            continue
        id_, text = attributes.get("id"), page[start:stop]
        fault = None
        if found.start() < comment_end:
            fault = "it stands in a comment"
        elif (
            page[found.start() : start] != f'<script type="application/json" id="{id_}">'
            or page[stop:at] != "</script>"
        ):
            fault = "its element is not written as the format says"
        elif "<" in text:
            fault = 'it has a "<" that is not escaped'
        yield Part(id_, text, fault)


def _read_tag(page: str, at: int) -> tuple[dict[str, str], int]:
    """The attributes of a tag, and where it ends, as a browser reads them: quotes of either kind may hold a ">"."""

    def skip(at: int, characters: str) -> int:
        while at < len(page) and page[at] in characters:
            at += 1
        return at

    def find(at: int, characters: str) -> int:
        while at < len(page) and page[at] not in characters:
            at += 1
        return at

    attributes: dict[str, str] = {}
    at = skip(at, SPACE + "/")
    while at < len(page) and page[at] != ">":
        end = find(at + 1, SPACE + "/>=")
        name, value = page[at:end].lower(), ""
        at = skip(end, SPACE)
        if page[at : at + 1] == "=":
            at = skip(at + 1, SPACE)
            quote = page[at : at + 1]
            if quote in ('"', "'"):
                end = find(at + 1, quote)
                value, at = page[at + 1 : end], end + 1
            else:
                end = find(at, SPACE + ">")
                value, at = page[at:end], end
        attributes.setdefault(name, value)
        at = skip(at, SPACE + "/")
    return attributes, min(at + 1, len(page))


def _only(parts: list[Part], id_: str) -> str:
    """The text of the one part of an id. Raises Malformed."""
    require(parts, f'the part "{id_}" is missing')
    require(len(parts) == 1, f'the part "{id_}" is in the file {len(parts)} times')
    require(parts[0].fault is None, f'the part "{id_}" cannot be read: {parts[0].fault}')
    return parts[0].text


def _listed(
    name: Json, place: int, counts: dict[str, int], claimed: list[Part], places: dict[str | None, list[int]]
) -> PackBundle:
    if not isinstance(name, str) or not NAME.fullmatch(name):
        return PackBundle(
            f"place {place + 1}", "", "the list has a name there that is not bundle-1, bundle-2 and so on"
        )
    try:
        require(counts[name] == 1, "the list has its name more than once")
        require(name == f"bundle-{place + 1}", f"it is at place {place + 1} of the list")
        text = _only([claimed[n] for n in places.get(name, [])], name)
        before = places.get(f"bundle-{place}", [-1])[0]
        require(before < places[name][0], f"it stands before bundle-{place} in the file")
    except Malformed as fault:
        return PackBundle(name, "", str(fault))
    return PackBundle(name, text, None)


def _other(part: Part, is_without_list: bool) -> PackBundle:
    """Without a list a good part is read as it is: that the list is missing is a fault of the pack."""
    name = part.id if part.id is not None and SHOWN.fullmatch(part.id) else "a part without a readable id"
    if part.fault is not None:
        return PackBundle(name, "", f"the part cannot be read: {part.fault}")
    if is_without_list and NAME.fullmatch(name):
        return PackBundle(name, part.text, None)
    return PackBundle(name, "", "the part is not on the list")


class PackChecks:
    """The checks of a pack as a whole. `entries` are those of a log that is verified, None without one."""

    def __init__(
        self, pack: Pack, file: bytes, kept: Sequence[KeptEntry], entries: list[str | None] | None, pins: Json | None
    ) -> None:
        self.pack, self.entries, self.pins = pack, entries, pins
        self.digest = "sha256:" + hashlib.sha256(file).hexdigest()
        exports = [entry for entry in kept if _type_of(entry.entry) == "export_made"]
        own = [
            entry for entry in exports if isinstance(entry.core, dict) and entry.core.get("content_hash") == self.digest
        ]
        self.own = next(iter([*own, *exports]), None)

    def pack_parts(self) -> None:
        """The file has the bundles of its list, and nothing else that looks like one."""
        wrong = [f"{bundle.name}: {bundle.fault}" for bundle in self.pack.bundles if bundle.fault is not None]
        faults = self.pack.faults + wrong
        more = f"; and {len(faults) - LISTED_MAX} more faults" if len(faults) > LISTED_MAX else ""
        require(not faults, "; ".join(faults[:LISTED_MAX]) + more)

    def pack_made_at(self) -> None:
        """The time of the pack is that of its entry, or of one in the log."""
        made_at = self.pack.made_at
        if made_at is None:
            raise Malformed("the pack does not say when it was made")
        if self.own is not None:
            at = read_entry(self.own.entry)["at"]
            require(_is_near(made_at, at), f"made_at is {made_at}, but its entry export_made has the time {at}")
            return
        word = f"made_at, {made_at}, is the maker's word"
        if self.entries is None:
            raise Skip(f"{word}: give the log, or the entry export_made of the pack (`entries show`)")
        read = [read_entry(entry) for entry in self.entries if entry is not None]
        if any(entry["type"] == "export_made" and _is_near(made_at, entry["at"]) for entry in read):
            return
        if len(read) < len(self.entries):
            raise Skip(f"{word}: the given log lacks entries")
        last = read[-1]["at"] if read else "nothing"
        if not read or micros(last) <= micros(made_at) + TOLERANCE_MICROS:
            raise Skip(f"{word}: the given log ends at {last}, and is older than the pack")
        raise Malformed(f"the log has no entry export_made within 300 seconds of made_at, {made_at}")

    def pack_content(self) -> None:
        """The log knows this very file."""
        if self.own is None:
            word = "the choice of records and every byte of the file are the maker's word"
            raise Skip(f"{word}: give the entry export_made of the pack (`entries show`)")
        entry, core = read_entry(self.own.entry), self.own.core
        require(core_hash("export_made", core) == entry["hash"], "the core is not that of the entry")
        require(isinstance(core, dict) and core.get("format") == "pack", "the entry is not that of an evidence pack")
        require(core.get("content_hash") == self.digest, "the entry has another SHA-256 than the file")
        require(core.get("records") == len(self.pack.bundles), "the entry has another number of records")
        index, hashes, note = read_receipt(self.own.receipt)
        origin, size, root = read_checkpoint(read_note(note)[0])
        require(self.pack.origin in (None, origin), "the receipt is of another log")
        require(root_of(index, size, leaf_hash(self.own.entry), hashes) == root, "the entry is not in the tree")
        if self.pins is None:
            raise Skip("the log knows this file, as its receipt says: whose log it is needs a trust file")
        assert_signed(note, self.pins, is_receipt=True)


def verify_pack(
    pack: Pack, file: bytes, kept: Sequence[KeptEntry], entries: list[str | None] | None, pins: Json | None
) -> list[Result]:
    """The outcome of every check of a pack as a whole. Each of its bundles is verified by itself."""
    checks = PackChecks(pack, file, kept, entries, pins)
    return [judge(name, getattr(checks, name)) for name in PACK_CHECKS]


def _content_hash_of(core: Json) -> Json:
    return core.get("content_hash") if isinstance(core, dict) else None


def _is_near(one: str, other: str) -> bool:
    return abs(micros(one) - micros(other)) <= TOLERANCE_MICROS


def _type_of(entry: str) -> str | None:
    try:
        kind: str = read_entry(entry)["type"]
    except Malformed:
        return None
    return kind
