"""Time-stamps over a checkpoint (docs/formats/trust.md, "Anchors", `rfc3161`): rules 1 to 7, in their order."""

from __future__ import annotations

import functools
from typing import NamedTuple

from .canonical_json import Malformed
from .chains import TIME_STAMPING, Chain
from .der import (
    BIT_STRING,
    BOOLEAN,
    GENERALIZED_TIME,
    INTEGER,
    OCTET_STRING,
    OID,
    SEQUENCE,
    SET,
    Fields,
    Node,
    read_der,
    read_safe_time,
    read_small,
)
from .outcomes import require
from .signatures import assert_installed, assert_signed, digest, hash_of
from .x509 import (
    DIGITAL_SIGNATURE,
    NON_REPUDIATION,
    Algorithm,
    Certificate,
    read_algorithm,
    read_extension,
    read_pins,
)

# The hash that an imprint of so many bytes is of.
IMPRINTS = {32: ("2.16.840.1.101.3.4.2.1", "SHA-256"), 64: ("2.16.840.1.101.3.4.2.3", "SHA-512")}
SIGNED_DATA, TST_INFO = "1.2.840.113549.1.7.2", "1.2.840.113549.1.9.16.1.4"
CONTENT_TYPE, MESSAGE_DIGEST = "1.2.840.113549.1.9.3", "1.2.840.113549.1.9.4"
CERTIFICATE, CERTIFICATE_V2 = "1.2.840.113549.1.9.16.2.12", "1.2.840.113549.1.9.16.2.47"


class Stamp(NamedTuple):
    """
    A time-stamp that is believed: its time in microseconds, the chain from its signer to a pinned certificate, and its
    token, which later time-stamps cover.
    """

    gen_time: int
    chain: tuple[Certificate, ...]
    token: bytes

    @property
    def pin(self) -> bytes:
        return self.chain[-1].raw

    @property
    def ends(self) -> int:
        """The first microsecond after the validity of the whole chain: a certificate has all of its last second."""
        return min(one.not_after for one in self.chain) + 1_000_000


@functools.lru_cache(maxsize=1024)
def verify_stamp(wanted: bytes, response: bytes, certificates: str) -> Stamp:
    """
    What a TimeStampResp over this digest states, by these pinned certificates in PEM. Raises Malformed for one that is
    not to be believed, and Skip where the library for signatures is not installed.
    """
    assert_installed()
    pins = read_pins(certificates)
    token, content, carried, signer = _read_token(response)
    gen_time = _read_info(content, wanted)
    signer.assert_content(content)
    certificate = signer.find([*carried, *pins])
    content_hash = hash_of(signer.digest_algorithm)
    assert_signed(certificate.key, signer.algorithm, signer.signed, signer.signature, content_hash)
    signer.assert_names(certificate)
    _assert_for_time_stamps(certificate)
    chain = Chain(pins, carried, gen_time).path_of(certificate)
    return Stamp(gen_time, tuple(chain), token)


def _read_token(response: bytes) -> tuple[bytes, bytes, list[Certificate], Signer]:
    """The token, its TSTInfo, the certificates and the signer of a TimeStampResp that was granted."""
    outer = Fields(read_der(response), "a time-stamp response")
    status = Fields(outer.take(SEQUENCE), "the status of a time-stamp")
    require(read_small(status.take(INTEGER)) in (0, 1), "the authority did not grant a time-stamp")
    status.optional(SEQUENCE)
    status.optional(BIT_STRING)
    status.end()
    whole = outer.take(SEQUENCE)
    token = Fields(whole, "a time-stamp token")
    outer.end()
    require(token.take(OID).oid == SIGNED_DATA, "a token that is not signed data")
    wrapped = token.take(0xA0)
    token.end()
    fields = Fields(wrapped.only(), "a time-stamp token")
    fields.take(INTEGER)
    fields.take(SET)
    inner = Fields(fields.take(SEQUENCE), "a time-stamp token")
    certificates = fields.optional(0xA0)
    fields.optional(0xA1)
    signers = fields.take(SET)
    fields.end()
    require(inner.take(OID).oid == TST_INFO, "the signed content is not a time-stamp")
    content = inner.take(0xA0).only()
    inner.end()
    require(content.tag == OCTET_STRING, "the content of a token is not of its form")
    # Other kinds than X.509 have tags of their own.
    carried = [Certificate(node) for node in (certificates.children if certificates else []) if node.tag == SEQUENCE]
    return whole.raw, content.content, carried, Signer(signers.only())


def _read_info(content: bytes, wanted: bytes) -> int:
    """The time of a TSTInfo over this hash."""
    fields = Fields(read_der(content), "a time-stamp")
    require(read_small(fields.take(INTEGER)) == 1, "a time-stamp of another version")
    fields.take(OID)
    imprint = Fields(fields.take(SEQUENCE), "the imprint of a time-stamp")
    fields.take(INTEGER)
    gen_time = read_safe_time(fields.take(GENERALIZED_TIME))
    accuracy = fields.optional(SEQUENCE)
    fields.optional(BOOLEAN)
    fields.optional(INTEGER)
    fields.optional(0xA0)
    extensions = fields.optional(0xA1)
    fields.end()
    if accuracy is not None:
        parts = Fields(accuracy, "the accuracy of a time-stamp")
        for part in (parts.optional(INTEGER), parts.optional(0x80), parts.optional(0x81)):
            require(part is None or read_small(part) >= 0, "the accuracy of a time-stamp is not of its form")
        parts.end()
    # Each is read before any is judged: one without its form is malformed.
    read = [] if extensions is None else [read_extension(one) for one in extensions.children]
    algorithm, hashed = read_algorithm(imprint.take(SEQUENCE)), imprint.take(OCTET_STRING).content
    imprint.end()
    oid, name = IMPRINTS[len(wanted)]
    require(algorithm.oid == oid, f"the time-stamp is not over a {name} digest")
    require(hashed == wanted, "the time-stamp is over another digest")
    require(not any(one.is_critical for one in read), "the time-stamp has a critical extension")
    return gen_time


class Signer:
    """The one SignerInfo of a token."""

    def __init__(self, node: Node) -> None:
        fields = Fields(node, "a signer")
        fields.take(INTEGER)
        self.identifier = fields.take(SEQUENCE, 0x80)
        self.digest_algorithm: Algorithm = read_algorithm(fields.take(SEQUENCE))
        attributes = fields.take(0xA0)
        self.algorithm = read_algorithm(fields.take(SEQUENCE))
        self.signature = fields.take(OCTET_STRING).content
        fields.optional(0xA1)
        fields.end()
        # The signature is over the attributes as a SET.
        self.signed = bytes([SET]) + attributes.raw[1:]
        self.attributes: dict[str, list[Node]] = {}
        for attribute in attributes.children:
            parts = Fields(attribute, "a signed attribute")
            kind, values = parts.take(OID).oid, parts.take(SET)
            parts.end()
            require(kind not in self.attributes, "a signed attribute occurs twice")
            self.attributes[kind] = values.children

    def value_of(self, kind: str, tag: int) -> Node:
        values = self.attributes.get(kind, [])
        require(len(values) == 1 and values[0].tag == tag, "a signed attribute is missing or not of its form")
        return values[0]

    def assert_content(self, content: bytes) -> None:
        require(self.value_of(CONTENT_TYPE, OID).oid == TST_INFO, "the signed content type is not that of a time-stamp")
        stated = self.value_of(MESSAGE_DIGEST, OCTET_STRING).content
        require(stated == digest(hash_of(self.digest_algorithm), content), "the signed digest is of something else")

    def find(self, certificates: list[Certificate]) -> Certificate:
        """The first certificate that the signer names."""
        if self.identifier.tag == SEQUENCE:
            fields = Fields(self.identifier, "the name of a signer")
            issuer, serial = fields.take(SEQUENCE).raw, fields.take(INTEGER).content
            fields.end()
            found = [one for one in certificates if (one.issuer, one.serial) == (issuer, serial)]
        else:
            found = [one for one in certificates if one.key_identifier == self.identifier.content]
        if not found:
            raise Malformed("the signer's certificate is not in the token")
        return found[0]

    def assert_names(self, certificate: Certificate) -> None:
        """The signed attributes name this certificate: without that, another of the same key could replace it."""
        named = [kind for kind in (CERTIFICATE, CERTIFICATE_V2) if self.attributes.get(kind)]
        require(named, "no signed attribute names the certificate of the signer")
        for kind in named:
            listed = Fields(self.value_of(kind, SEQUENCE), "the attribute of the signer").take(SEQUENCE).children
            require(listed and listed[0].tag == SEQUENCE, "the attribute of the signer names nothing")
            _assert_cert_id(listed[0], certificate, kind == CERTIFICATE_V2)


def _assert_cert_id(node: Node, certificate: Certificate, is_version_2: bool) -> None:
    fields = Fields(node, "an ESSCertID")
    algorithm = fields.optional(SEQUENCE) if is_version_2 else None
    hash_, issuer = fields.take(OCTET_STRING).content, fields.optional(SEQUENCE)
    fields.end()
    version_2 = "sha256" if algorithm is None else hash_of(read_algorithm(algorithm))
    require(hash_ == digest(version_2 if is_version_2 else "sha1", certificate.raw), "another certificate is named")
    if issuer is None:
        return
    parts = Fields(issuer, "an IssuerSerial")
    name, serial = parts.take(SEQUENCE).only(), parts.take(INTEGER).content
    parts.optional(BIT_STRING)
    parts.end()
    same = name.tag == 0xA4 and name.only().raw == certificate.issuer and serial == certificate.serial
    require(same, "another certificate is named")


def _assert_for_time_stamps(certificate: Certificate) -> None:
    require(certificate.purposes is not None, "the signer's certificate does not state its purpose")
    require(certificate.purposes_are_critical, "the purpose of the signer's certificate is not critical")
    require(certificate.purposes == [TIME_STAMPING], "the signer's certificate has other purposes than time-stamping")
    signs = certificate.usages is None or {DIGITAL_SIGNATURE, NON_REPUDIATION} & certificate.usages
    require(signs, "the key of the signer's certificate is not for signatures")
    require(not certificate.is_authority, "the signer's certificate is that of an authority over certificates")
    unknown = "the signer's certificate has an unknown critical extension, or constraints on names"
    require(not certificate.has_unknown, unknown)
