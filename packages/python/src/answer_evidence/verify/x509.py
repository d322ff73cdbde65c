"""Certificates (RFC 5280) and pins of them in PEM, as far as a chain to a time-stamping authority needs them."""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from .canonical_json import Malformed
from .der import (
    BIT_STRING,
    BOOLEAN,
    GENERALIZED_TIME,
    INTEGER,
    OCTET_STRING,
    OID,
    SEQUENCE,
    UTC_TIME,
    Fields,
    Node,
    read_bits,
    read_der,
    read_small,
    read_time,
)
from .notes import read_base64
from .outcomes import require

PEM_MAX = 64 * 1024
PINS_MAX = 16
VERSION_3 = 2

KEY_IDENTIFIER, KEY_USAGE, BASIC_CONSTRAINTS = "2.5.29.14", "2.5.29.15", "2.5.29.19"
NAME_CONSTRAINTS, POLICIES, ISSUER_KEY, PURPOSES = "2.5.29.30", "2.5.29.32", "2.5.29.35", "2.5.29.37"
# What may be critical. No policy is demanded, and the issuer's key identifier only helps to find it.
KNOWN = {KEY_IDENTIFIER, KEY_USAGE, BASIC_CONSTRAINTS, POLICIES, ISSUER_KEY, PURPOSES}
DIGITAL_SIGNATURE, NON_REPUDIATION, KEY_CERT_SIGN, CRL_SIGN = 0, 1, 5, 6

LINE_START, LINE_END = "(?:(?<=[\n\r\u2028\u2029])|\\A)", "[ \t]*(?=[\n\r\u2028\u2029]|\\Z)"
BLOCK = re.compile(
    f"{LINE_START}-----BEGIN ([A-Z0-9 ]{{1,64}})-----{LINE_END}([^-]*)"
    f"{LINE_START}-----END ([A-Z0-9 ]{{1,64}})-----{LINE_END}"
)


class Algorithm(NamedTuple):
    """An AlgorithmIdentifier."""

    oid: str
    parameters: Node | None
    raw: bytes


def read_algorithm(node: Node) -> Algorithm:
    fields = Fields(node, "an algorithm identifier")
    oid = fields.take(OID).oid
    require(len(fields.rest) <= 1, "an algorithm identifier has more than its form")
    return Algorithm(oid, fields.rest[0] if fields.rest else None, node.raw)


class Extension(NamedTuple):
    """An extension of a certificate, or of a TSTInfo."""

    oid: str
    is_critical: bool
    value: bytes


def read_extension(node: Node) -> Extension:
    fields = Fields(node, "an extension")
    oid, critical = fields.take(OID).oid, fields.optional(BOOLEAN)
    value = fields.take(OCTET_STRING).content
    fields.end()
    return Extension(oid, critical is not None and critical.content == b"\xff", value)


class Certificate:
    """What a certificate states. Its key is read where it is needed."""

    def __init__(self, node: Node) -> None:
        self.raw = node.raw
        outer = Fields(node, "a certificate")
        tbs = outer.take(SEQUENCE)
        self.algorithm = read_algorithm(outer.take(SEQUENCE))
        self.signature = read_bits(outer.take(BIT_STRING))
        outer.end()
        self.signed = tbs.raw
        fields = Fields(tbs, "a certificate")
        version = fields.optional(0xA0)
        number = 0 if version is None else read_small(_integer(version.only()))
        self.is_version_3 = number == VERSION_3
        self.serial = fields.take(INTEGER).content
        # Only the inner one is signed.
        require(fields.take(SEQUENCE).raw == self.algorithm.raw, "a certificate of two algorithms")
        self.issuer = fields.take(SEQUENCE).raw
        validity = Fields(fields.take(SEQUENCE), "a certificate")
        self.not_before, self.not_after = (read_time(validity.take(UTC_TIME, GENERALIZED_TIME)) for _ in range(2))
        validity.end()
        self.subject = fields.take(SEQUENCE).raw
        self.key = fields.take(SEQUENCE)
        fields.optional(0x81)
        fields.optional(0x82)
        extensions = fields.optional(0xA3)
        fields.end()
        require(extensions is None or self.is_version_3, "extensions in an old certificate")
        self._read_extensions([] if extensions is None else Fields(extensions.only(), "extensions").rest)

    def _read_extensions(self, nodes: list[Node]) -> None:
        read = [read_extension(node) for node in nodes]
        require(len({one.oid for one in read}) == len(read), "a duplicate extension")
        self.has_unknown = any(
            one.oid == NAME_CONSTRAINTS or (one.is_critical and one.oid not in KNOWN) for one in read
        )
        values = {one.oid: read_der(one.value) for one in read if one.oid in KNOWN}
        self.is_authority, self.path_length = _read_constraints(values.get(BASIC_CONSTRAINTS))
        self.usages = _read_usages(values.get(KEY_USAGE))
        purposes = values.get(PURPOSES)
        self.purposes = (
            None if purposes is None else [one.oid for one in Fields(purposes, "an extended key usage").rest]
        )
        self.purposes_are_critical = any(one.oid == PURPOSES and one.is_critical for one in read)
        key_identifier = values.get(KEY_IDENTIFIER)
        require(key_identifier is None or key_identifier.tag == OCTET_STRING, "a key identifier is not of its form")
        self.key_identifier = None if key_identifier is None else key_identifier.content


def _integer(node: Node) -> Node:
    require(node.tag == INTEGER, "not a number")
    return node


def _read_constraints(node: Node | None) -> tuple[bool, int | None]:
    if node is None:
        return False, None
    fields = Fields(node, "basic constraints")
    authority, length = fields.optional(BOOLEAN), fields.optional(INTEGER)
    fields.end()
    is_authority = authority is not None and authority.content == b"\xff"
    return is_authority, None if length is None else read_small(length)


def _read_usages(node: Node | None) -> set[int] | None:
    if node is None:
        return None
    content = node.content
    require(node.tag == BIT_STRING and 1 <= len(content) <= 3 and content[0] <= 7, "a key usage is not of its form")
    bits = content[1:]
    return {8 * n + bit for n, byte in enumerate(bits) for bit in range(8) if byte & 0x80 >> bit}


@functools.lru_cache(maxsize=64)
def read_pins(pem: str) -> tuple[Certificate, ...]:
    """The certificates of a PEM text, at least one. Text between them is skipped; blocks of other kinds are refused."""
    # The limit is in UTF-16 code units, as all limits of texts are.
    require(len(pem.encode("utf-16-le", "surrogatepass")) // 2 <= PEM_MAX, "a pinned certificate is too long")
    blocks = list(BLOCK.finditer(pem))
    if not blocks or pem.count("-----BEGIN ") != len(blocks):
        raise Malformed("a pin has no certificate, or a broken one")
    require(len(blocks) <= PINS_MAX, "a pin has more than 16 certificates")
    for block in blocks:
        require(block.group(1) == block.group(3) == "CERTIFICATE", "a pin has something other than certificates")
    return tuple(Certificate(read_der(read_base64(re.sub("[ \t\r\n]", "", block.group(2))))) for block in blocks)
