"""ML-DSA-44 verification (FIPS 204), by the library cryptography from its version 48 on."""

from __future__ import annotations

import functools

KEY_BYTES, SIGNATURE_BYTES = 1312, 2420
LIBRARY = "the library cryptography: pip install 'answer-evidence[post-quantum]'"


@functools.lru_cache(maxsize=1)
def is_installed() -> bool:
    """Whether such signatures can be verified here. Where they cannot, none is believed, and none is called wrong."""
    try:
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA44PublicKey
    except ImportError:
        return False
    try:
        MLDSA44PublicKey.from_public_bytes(bytes(KEY_BYTES))
    except UnsupportedAlgorithm:
        return False
    return True


@functools.lru_cache(maxsize=256)
def is_signed(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the signature, without a context, is that of the key over the message. False for what is no key."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA44PublicKey

    if len(public_key) != KEY_BYTES or len(signature) != SIGNATURE_BYTES:
        return False
    try:
        MLDSA44PublicKey.from_public_bytes(public_key).verify(signature, message)
    except InvalidSignature:
        return False
    return True
