"""Responses of OCSP (RFC 6960) that were kept with a renewal (docs/formats/trust.md, "Renewals")."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from .canonical_json import Malformed
from .der import (
    BIT_STRING,
    ENUMERATED,
    GENERALIZED_TIME,
    INTEGER,
    OCTET_STRING,
    OID,
    SEQUENCE,
    Fields,
    Node,
    read_bits,
    read_der,
    read_safe_time,
    read_small,
)
from .outcomes import require
from .revocations import Revocation, is_harmless, read_extensions
from .signatures import assert_signed, digest, hash_of
from .x509 import DIGITAL_SIGNATURE, Algorithm, Certificate, read_algorithm

BASIC, OCSP_SIGNING, SHA1 = "1.3.6.1.5.5.7.48.1.1", "1.3.6.1.5.5.7.3.9", "1.3.14.3.2.26"
# What a responder says of a certificate, and how it names itself.
GOOD, REVOKED, UNKNOWN = 0x80, 0xA1, 0x82
BY_NAME, BY_KEY = 0xA1, 0xA2
CERTIFICATES_MAX = 8
SECOND = 1_000_000


class _Single(NamedTuple):
    """What is said of one certificate; no revocation of one that is good or not known."""

    hash: Algorithm
    issuer_name: bytes
    issuer_key: bytes
    serial: bytes
    revocation: Revocation | None


class OcspResponse:
    """A BasicOCSPResponse, as far as it is read. Raises Malformed for anything else."""

    def __init__(self, raw: bytes) -> None:
        outer = Fields(read_der(raw), "a response of OCSP")
        require(outer.take(ENUMERATED).content == b"\0", "a responder refused")
        typed = Fields(outer.take(0xA0).only(), "a response of OCSP")
        outer.end()
        require(typed.take(OID).oid == BASIC, "a response of OCSP of another type")
        basic = Fields(read_der(typed.take(OCTET_STRING).content), "a response of OCSP")
        typed.end()
        signed = basic.take(SEQUENCE)
        self.signed = signed.raw
        self.algorithm, self.signature = read_algorithm(basic.take(SEQUENCE)), read_bits(basic.take(BIT_STRING))
        carried = basic.optional(0xA0)
        basic.end()
        certificates = [] if carried is None else Fields(carried.only(), "certificates").rest
        require(len(certificates) <= CERTIFICATES_MAX, "a response of OCSP with too many certificates")
        fields = Fields(signed, "a response of OCSP")
        version = fields.optional(0xA0)
        require(version is None or _is_version_1(version.only()), "a response of OCSP of another version")
        responder = fields.take(BY_NAME, BY_KEY)
        self.is_named, name = responder.tag == BY_NAME, responder.only()
        require(self.is_named or name.tag == OCTET_STRING, "a responder that is not named in the form")
        self.responder = name.raw if self.is_named else name.content
        self.produced_at = read_safe_time(fields.take(GENERALIZED_TIME))
        singles = fields.take(SEQUENCE).children
        self.singles = [_read_single(node) for node in singles]
        _read_extensions_of(fields)
        fields.end()
        self.certificates = [Certificate(node) for node in certificates]

    def revocations_of(self, below: Certificate, issuer: Certificate) -> list[Revocation]:
        """What it says of a certificate. Raises Malformed where the issuer did not sign it, nor delegated that."""
        own = [single for single in self.singles if _is_about(single, below, issuer)]
        if own:
            self._assert_signed_for(issuer)
        return [single.revocation for single in own if single.revocation is not None]

    def _assert_signed_for(self, issuer: Certificate) -> None:
        for signer in [issuer, *self.certificates]:
            try:
                require(self._is_by(signer), "another responder")
                if signer is not issuer:
                    _assert_delegated(signer, issuer, self.produced_at)
                assert_signed(signer.key, self.algorithm, self.signed, self.signature)
            except Malformed:
                continue
            return
        raise Malformed("a response of OCSP that the issuer did not sign")

    def _is_by(self, signer: Certificate) -> bool:
        return self.responder == (signer.subject if self.is_named else _sha1(_key_bits(signer)))


def _assert_delegated(signer: Certificate, issuer: Certificate, at: int) -> None:
    require(signer.issuer == issuer.subject, "a responder of another issuer")
    require(signer.purposes is not None and OCSP_SIGNING in signer.purposes, "a responder to whom nothing is delegated")
    require(signer.usages is None or DIGITAL_SIGNATURE in signer.usages, "a responder that must not sign")
    require(signer.not_before <= at < signer.not_after + SECOND, "a responder that is not valid")
    assert_signed(issuer.key, signer.algorithm, signer.signed, signer.signature)


def _is_about(single: _Single, below: Certificate, issuer: Certificate) -> bool:
    def hashed(content: bytes) -> bytes:
        return _sha1(content) if single.hash.oid == SHA1 else digest(hash_of(single.hash), content)

    return (
        single.serial == below.serial
        and single.issuer_name == hashed(issuer.subject)
        and single.issuer_key == hashed(_key_bits(issuer))
    )


def _key_bits(certificate: Certificate) -> bytes:
    fields = Fields(certificate.key, "a public key")
    fields.take(SEQUENCE)
    return read_bits(fields.take(BIT_STRING))


def _sha1(content: bytes) -> bytes:
    return hashlib.sha1(content, usedforsecurity=False).digest()


def _is_version_1(node: Node) -> bool:
    require(node.tag == INTEGER, "not a number")
    return read_small(node) == 0


def _read_single(node: Node) -> _Single:
    fields = Fields(node, "a status")
    named = Fields(fields.take(SEQUENCE), "the id of a certificate")
    algorithm = read_algorithm(named.take(SEQUENCE))
    issuer_name, issuer_key = named.take(OCTET_STRING).content, named.take(OCTET_STRING).content
    serial = named.take(INTEGER).content
    named.end()
    status = fields.take(GOOD, REVOKED, UNKNOWN)
    read_safe_time(fields.take(GENERALIZED_TIME))
    after = fields.optional(0xA0)
    if after is not None:
        _read_time(after.only())
    _read_extensions_of(fields)
    fields.end()
    revocation = _read_revoked(status) if status.tag == REVOKED else None
    return _Single(algorithm, issuer_name, issuer_key, serial, revocation)


def _read_revoked(node: Node) -> Revocation:
    require(1 <= len(node.children) <= 2, "a revocation that is not in its form")
    reason = node.children[1] if len(node.children) == 2 else None
    require(reason is None or reason.tag == 0xA0, "a reason that is not in its form")
    return Revocation(_read_time(node.children[0]), reason is not None and is_harmless(reason.only()))


def _read_time(node: Node) -> int:
    require(node.tag == GENERALIZED_TIME, "a time that is not in its form")
    return read_safe_time(node)


def _read_extensions_of(fields: Fields) -> None:
    extensions = fields.optional(0xA1)
    if extensions is not None:
        read_extensions(extensions.only())
