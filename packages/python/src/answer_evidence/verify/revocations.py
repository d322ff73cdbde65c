"""What lists and responders say of a certificate that was revoked (RFC 5280, RFC 6960)."""

from __future__ import annotations

from typing import NamedTuple

from .der import ENUMERATED, SEQUENCE, Node, read_small
from .outcomes import require
from .x509 import read_extension

# unspecified, affiliationChanged, superseded, cessationOfOperation
HARMLESS = {0, 3, 4, 5}


class Revocation(NamedTuple):
    """A certificate that was revoked. Harmless is a reason that says that the key is not in other hands."""

    at: int
    is_harmless: bool


def is_harmless(reason: Node) -> bool:
    """Whether a CRLReason is harmless."""
    require(reason.tag == ENUMERATED, "a reason that is not in its form")
    return read_small(reason) in HARMLESS


def read_extensions(node: Node) -> dict[str, bytes]:
    """The extensions by name. A critical one says that this is of something else, or less than it seems."""
    require(node.tag == SEQUENCE, "extensions that are not in their form")
    read = [read_extension(one) for one in node.children]
    require(not any(one.is_critical for one in read), "a statement about revocation has a critical extension")
    return {one.oid: one.value for one in read}
