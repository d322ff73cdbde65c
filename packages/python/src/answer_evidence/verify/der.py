"""Strict DER (X.690), of which each value has one encoding: what time-stamps and certificates are written in."""

from __future__ import annotations

import datetime
import functools
import re

from .canonical_json import SAFE, Malformed
from .outcomes import require

SIZE_MAX = 64 * 1024
DEPTH_MAX = 32

BOOLEAN, INTEGER, BIT_STRING, OCTET_STRING, OID, ENUMERATED = 0x01, 0x02, 0x03, 0x04, 0x06, 0x0A
UTC_TIME, GENERALIZED_TIME, SEQUENCE, SET = 0x17, 0x18, 0x30, 0x31
CONSTRUCTED = 0x20

UTC = re.compile(rb"([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})Z")
GENERALIZED = re.compile(rb"([0-9]{4})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})(?:\.([0-9]*[1-9]))?Z")
EPOCH = datetime.datetime(1970, 1, 1)


class Node:
    """One element: its identifier octet, its bytes with and without the header, and the elements inside."""

    def __init__(self, tag: int, raw: bytes, content: bytes, children: list[Node]) -> None:
        self.tag, self.raw, self.content, self.children = tag, raw, content, children

    @functools.cached_property
    def oid(self) -> str:
        """The dotted form of an OBJECT IDENTIFIER."""
        require(self.tag == OID, "not an object identifier")
        arcs, value = [], 0
        for byte in self.content:
            value = value << 7 | byte & 0x7F
            if byte < 0x80:
                arcs.append(value)
                value = 0
        first = min(arcs[0] // 40, 2)
        return ".".join(map(str, [first, arcs[0] - 40 * first, *arcs[1:]]))

    def only(self) -> Node:
        """The single element inside, such as that of an explicit tag."""
        require(len(self.children) == 1, "not one element inside of another")
        return self.children[0]


def read_der(raw: bytes) -> Node:
    """The one element that takes all of the bytes. Raises Malformed for everything that is not DER."""
    require(len(raw) <= SIZE_MAX, "more than 64 KiB of DER")
    node, end = _read(raw, 0, len(raw), 1)
    require(end == len(raw), "bytes after the element")
    return node


def _read(raw: bytes, start: int, limit: int, depth: int) -> tuple[Node, int]:
    require(depth <= DEPTH_MAX, "elements nested too deeply")
    require(start + 2 <= limit, "an element ends early")
    tag, length, at = raw[start], raw[start + 1], start + 2
    require(tag & 0x1F != 0x1F, "a tag of more than one octet")
    if length >= 0x80:
        count = length & 0x7F
        require(1 <= count <= 4 and at + count <= limit, "a length that is not in its DER form")
        length = int.from_bytes(raw[at : at + count], "big")
        at += count
        require(length >= 0x80 and length >> (8 * (count - 1)) > 0, "a length that is not in its DER form")
    end = at + length
    require(end <= limit, "an element ends early")
    content, children = raw[at:end], []
    if tag & CONSTRUCTED:
        while at < end:
            child, at = _read(raw, at, end, depth + 1)
            children.append(child)
    if tag >> 6 == 0:
        _assert_universal(tag, content)
    return Node(tag, raw[start:end], content, children), end


def _assert_universal(tag: int, content: bytes) -> None:
    is_list = tag | CONSTRUCTED in (SEQUENCE, SET)
    require(is_list == bool(tag & CONSTRUCTED), "a type in BER form")
    if tag == BOOLEAN:
        require(content in (b"\0", b"\xff"), "a BOOLEAN that is not in its DER form")
    elif tag in (INTEGER, ENUMERATED):
        padded = len(content) > 1 and content[0] == (0xFF if content[1] >= 0x80 else 0)
        require(content and not padded, "an INTEGER that is not in its DER form")
    elif tag == OID:
        starts = [0, *(n + 1 for n, byte in enumerate(content[:-1]) if byte < 0x80)]
        whole = len(content) > 0 and content[-1] < 0x80 and all(content[n] != 0x80 for n in starts)
        require(whole, "an object identifier that is not in its DER form")


class Fields:
    """The elements of a SEQUENCE, taken in their order."""

    def __init__(self, node: Node, what: str) -> None:
        require(node.tag == SEQUENCE, f"{what} is not of its form")
        self.rest, self.what = list(node.children), what

    def take(self, *tags: int) -> Node:
        require(self.rest and self.rest[0].tag in tags, f"{self.what} is not of its form")
        return self.rest.pop(0)

    def optional(self, tag: int) -> Node | None:
        """The next element where it has the tag, else nothing is taken."""
        return self.rest.pop(0) if self.rest and self.rest[0].tag == tag else None

    def end(self) -> None:
        require(not self.rest, f"{self.what} has more than its form")


def read_small(node: Node) -> int:
    """An INTEGER from 0 to 2^31 - 1."""
    value = int.from_bytes(node.content, "big", signed=True)
    require(len(node.content) <= 4 and value >= 0, "a number that is too large or negative")
    # Under a tag of its own, the form of the number is not that of a universal type, so it is looked at here.
    require(len(node.content) == 1 or value >> (8 * (len(node.content) - 1) - 1) > 0, "an INTEGER of too many octets")
    return value


def read_bits(node: Node) -> bytes:
    """The octets of a BIT STRING that is made of whole ones."""
    require(node.tag == BIT_STRING and node.content[:1] == b"\0", "a BIT STRING that is not of whole octets")
    return node.content[1:]


def read_time(node: Node) -> int:
    """Microseconds since 1970, however far from it. Digits beyond the microsecond are cut off."""
    pattern = UTC if node.tag == UTC_TIME else GENERALIZED
    match = pattern.fullmatch(node.content)
    if match is None or node.tag not in (UTC_TIME, GENERALIZED_TIME):
        raise Malformed("a time that is not in its DER form")
    year, month, day, hour, minute, second = (int(part) for part in match.groups()[:6])
    if node.tag == UTC_TIME:
        year += 2000 if year < 50 else 1900
    fraction = (match.group(7) if node.tag == GENERALIZED_TIME else None) or b""
    try:
        since = datetime.datetime(year, month, day, hour, minute, second) - EPOCH
    except ValueError as error:
        raise Malformed("a time does not exist") from error
    return (since.days * 86_400 + since.seconds) * 1_000_000 + int(fraction[:6].ljust(6, b"0"))


def read_safe_time(node: Node) -> int:
    """The same, for a time that the formats can write: within 2^53 - 1 microseconds of 1970."""
    time = read_time(node)
    require(abs(time) <= SAFE, "a time is too far from 1970")
    return time
