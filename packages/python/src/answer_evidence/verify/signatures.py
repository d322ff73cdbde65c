"""
Signatures of time-stamps and certificates, by the library cryptography (docs/formats/trust.md, "Anchors", `rfc3161`,
rule 4).
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

from .canonical_json import Malformed
from .der import BIT_STRING, INTEGER, OID, SEQUENCE, Fields, Node, read_bits, read_der, read_small
from .outcomes import Skip, require
from .x509 import Algorithm, read_algorithm

if TYPE_CHECKING:
    from collections.abc import Callable

    from cryptography.hazmat.primitives.hashes import HashAlgorithm

HASHES = {
    "2.16.840.1.101.3.4.2.1": "sha256",
    "2.16.840.1.101.3.4.2.2": "sha384",
    "2.16.840.1.101.3.4.2.3": "sha512",
}
RSA, PSS, MGF1, EC = "1.2.840.113549.1.1.1", "1.2.840.113549.1.1.10", "1.2.840.113549.1.1.8", "1.2.840.10045.2.1"
PKCS1_SCHEMES = {f"1.2.840.113549.1.1.{n}": hash_ for n, hash_ in ((11, "sha256"), (12, "sha384"), (13, "sha512"))}
ECDSA_SCHEMES = {f"1.2.840.10045.4.3.{n}": hash_ for n, hash_ in ((2, "sha256"), (3, "sha384"), (4, "sha512"))}
# The octets of a coordinate.
CURVES = {
    "1.2.840.10045.3.1.7": ("SECP256R1", 32),
    "1.3.132.0.34": ("SECP384R1", 48),
    "1.3.132.0.35": ("SECP521R1", 66),
}
RSA_BITS = range(2048, 8193)
EXPONENT_OCTETS_MAX = 4
SALT_MAX = 1024


class Scheme(NamedTuple):
    """`pkcs1`, `pss` or `ecdsa`, over a hash; the length of the salt is that of PSS."""

    kind: str
    hash: str
    salt: int


def assert_installed() -> None:
    """Raises Skip where the library is not installed: no time-stamp is believed by guessing."""
    try:
        import cryptography  # noqa: F401
    except ImportError:
        raise Skip("time-stamps need the library cryptography: pip install 'answer-evidence[timestamps]'") from None


def hash_of(algorithm: Algorithm) -> str:
    """The name of a hash that is believed."""
    if algorithm.oid not in HASHES:
        raise Malformed("a hash other than SHA-256, SHA-384, SHA-512")
    return HASHES[algorithm.oid]


def digest(hash_: str, content: bytes) -> bytes:
    return hashlib.new(hash_, content).digest()


def read_pss(node: Node | None) -> Scheme:
    """RSASSA-PSS-params. What is left out is SHA-1, which is refused."""
    if node is None:
        raise Malformed("PSS without its parameters")
    fields = Fields(node, "PSS parameters")
    hash_field, mask_field, salt_field, trailer = (fields.optional(tag) for tag in (0xA0, 0xA1, 0xA2, 0xA3))
    fields.end()
    if hash_field is None or mask_field is None:
        raise Malformed("PSS with SHA-1")
    hash_ = hash_of(read_algorithm(hash_field.only()))
    mask = read_algorithm(mask_field.only())
    if mask.oid != MGF1 or mask.parameters is None or hash_of(read_algorithm(mask.parameters)) != hash_:
        raise Malformed("PSS with another mask than MGF1 of its hash")
    require(trailer is None or _number(trailer) == 1, "PSS with another trailer")
    salt = 20 if salt_field is None else _number(salt_field)
    require(salt <= SALT_MAX, "PSS with an overlong salt")
    return Scheme("pss", hash_, salt)


def _number(field: Node) -> int:
    node = field.only()
    require(node.tag == INTEGER, "not a number")
    return read_small(node)


def scheme_of(algorithm: Algorithm, content_hash: str | None) -> Scheme:
    """`content_hash` is that of the signer, for one who names only the kind of key. Certificates have none."""
    if algorithm.oid == RSA and content_hash is not None:
        return Scheme("pkcs1", content_hash, 0)
    if algorithm.oid == PSS:
        return read_pss(algorithm.parameters)
    if algorithm.oid in PKCS1_SCHEMES:
        return Scheme("pkcs1", PKCS1_SCHEMES[algorithm.oid], 0)
    if algorithm.oid in ECDSA_SCHEMES:
        return Scheme("ecdsa", ECDSA_SCHEMES[algorithm.oid], 0)
    raise Malformed("a signature scheme that is not supported")


def assert_signed(
    key: Node, algorithm: Algorithm, message: bytes, signature: bytes, content_hash: str | None = None
) -> None:
    """Raises Malformed unless the key, a SubjectPublicKeyInfo, signed the message."""
    from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm

    scheme = scheme_of(algorithm, content_hash)
    fields = Fields(key, "a public key")
    kind, bits = read_algorithm(fields.take(SEQUENCE)), read_bits(fields.take(BIT_STRING))
    fields.end()
    try:
        if kind.oid in (RSA, PSS):
            _assert_rsa(kind, bits, scheme, message, signature)
        elif kind.oid == EC:
            _assert_ec(kind, bits, scheme, message, signature)
        else:
            raise Malformed("a key that is neither RSA nor of a NIST curve")
    except (InvalidSignature, UnsupportedAlgorithm, ValueError) as error:
        raise Malformed("a signature does not match the content and the key") from error


def _assert_rsa(kind: Algorithm, bits: bytes, scheme: Scheme, message: bytes, signature: bytes) -> None:
    from cryptography.hazmat.primitives.asymmetric import padding, rsa

    fields = Fields(read_der(bits), "an RSA key")
    modulus, exponent = fields.take(INTEGER).content, fields.take(INTEGER).content
    fields.end()
    number = int.from_bytes(modulus, "big")
    require(number.bit_length() in RSA_BITS, "an RSA key of fewer than 2048 or more than 8192 bits")
    require(len(exponent) <= EXPONENT_OCTETS_MAX, "an RSA key of a long exponent")
    require(scheme.kind != "ecdsa", "a scheme that does not fit the key")
    if kind.oid == PSS:
        require(scheme.kind == "pss", "a key for PSS alone")
        if kind.parameters is not None:
            demanded = read_pss(kind.parameters)
            require(demanded.hash == scheme.hash and scheme.salt >= demanded.salt, "another PSS than that of the key")
    hash_ = _hash(scheme.hash)
    how = padding.PKCS1v15() if scheme.kind == "pkcs1" else padding.PSS(padding.MGF1(hash_), scheme.salt)
    rsa.RSAPublicNumbers(int.from_bytes(exponent, "big"), number).public_key().verify(signature, message, how, hash_)


def _assert_ec(kind: Algorithm, point: bytes, scheme: Scheme, message: bytes, signature: bytes) -> None:
    from cryptography.hazmat.primitives.asymmetric import ec

    if kind.parameters is None or kind.parameters.tag != OID or kind.parameters.oid not in CURVES:
        raise Malformed("a curve other than P-256, P-384, P-521")
    name, octets = CURVES[kind.parameters.oid]
    require(len(point) == 1 + 2 * octets and point[0] == 4, "a point that is not uncompressed")
    require(scheme.kind == "ecdsa", "a scheme that does not fit the key")
    fields = Fields(read_der(signature), "an ECDSA signature")
    for _ in range(2):
        number = fields.take(INTEGER).content
        require(number[0] < 0x80 and len(number.lstrip(b"\0")) <= octets, "an ECDSA signature of a wrong number")
    fields.end()
    public_key = ec.EllipticCurvePublicKey.from_encoded_point(getattr(ec, name)(), point)
    public_key.verify(signature, message, ec.ECDSA(_hash(scheme.hash)))


def _hash(name: str) -> HashAlgorithm:
    from cryptography.hazmat.primitives import hashes

    kinds: dict[str, Callable[[], HashAlgorithm]] = {
        "sha256": hashes.SHA256,
        "sha384": hashes.SHA384,
        "sha512": hashes.SHA512,
    }
    return kinds[name]()
