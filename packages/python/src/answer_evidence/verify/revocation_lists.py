"""Revocation lists (RFC 5280, section 5) that were kept with a renewal (docs/formats/trust.md, "Renewals")."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from .canonical_json import Malformed
from .der import (
    BIT_STRING,
    GENERALIZED_TIME,
    INTEGER,
    SEQUENCE,
    UTC_TIME,
    Fields,
    Node,
    read_bits,
    read_der,
    read_safe_time,
    read_small,
)
from .ocsp_responses import OcspResponse
from .outcomes import require
from .revocations import Revocation, is_harmless, read_extensions
from .signatures import assert_signed
from .x509 import CRL_SIGN, Certificate, read_algorithm

REASON = "2.5.29.21"


class _Entry(NamedTuple):
    serial: bytes
    revocation: Revocation


def revocations_of(chain: Sequence[Certificate], lists: Sequence[bytes]) -> list[Revocation]:
    """
    What lists, and responses of OCSP among them, say of the certificates of a chain. One that cannot be read, or is not
    of an issuer, says nothing.
    """
    found = []
    for raw in lists:
        for below, issuer in itertools.pairwise(chain):
            try:
                entries = _read_list(raw, issuer)
            except Malformed:
                found += _responded(raw, below, issuer)
            else:
                found += [entry.revocation for entry in entries if entry.serial == below.serial]
    return found


def _responded(raw: bytes, below: Certificate, issuer: Certificate) -> list[Revocation]:
    try:
        return OcspResponse(raw).revocations_of(below, issuer)
    except Malformed:
        return []


def _read_list(raw: bytes, issuer: Certificate) -> list[_Entry]:
    """The entries of a list of this issuer. Raises Malformed for any other."""
    outer = Fields(read_der(raw), "a revocation list")
    signed = outer.take(SEQUENCE)
    algorithm, signature = read_algorithm(outer.take(SEQUENCE)), read_bits(outer.take(BIT_STRING))
    outer.end()
    fields = Fields(signed, "a revocation list")
    version = fields.optional(INTEGER)
    require(version is None or read_small(version) == 1, "a revocation list of another version")
    require(fields.take(SEQUENCE).raw == algorithm.raw, "a revocation list of two algorithms")
    require(fields.take(SEQUENCE).raw == issuer.subject, "a revocation list of another issuer")
    read_safe_time(fields.take(UTC_TIME, GENERALIZED_TIME))
    after = fields.optional(UTC_TIME) or fields.optional(GENERALIZED_TIME)
    if after is not None:
        read_safe_time(after)
    entries, extensions = fields.optional(SEQUENCE), fields.optional(0xA0)
    fields.end()
    if extensions is not None:
        read_extensions(extensions.only())
    read = [] if entries is None else [_read_entry(entry) for entry in entries.children]
    require(issuer.usages is None or CRL_SIGN in issuer.usages, "an issuer must not sign lists")
    assert_signed(issuer.key, algorithm, signed.raw, signature)
    return read


def _read_entry(node: Node) -> _Entry:
    fields = Fields(node, "an entry of a revocation list")
    serial, at = fields.take(INTEGER).content, read_safe_time(fields.take(UTC_TIME, GENERALIZED_TIME))
    extensions = fields.optional(SEQUENCE)
    fields.end()
    reason = None if extensions is None else read_extensions(extensions).get(REASON)
    return _Entry(serial, Revocation(at, reason is not None and is_harmless(read_der(reason))))
