"""Chains of time-stamps (RFC 4998), and what later time-stamps cover of them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from .canonical_json import Json

OCTET_STRING, SEQUENCE, REDUCED_HASHTREE = 0x04, 0x30, 0xA2
Path = list[list[str]]


class Covering(NamedTuple):
    """A renewal that covers a chain, its place among the renewals, and where its tree has the chain."""

    place: int
    renewal: Json
    path: Path
    root: bytes


class ArchiveChain:
    """
    The time-stamps from a token on, as far as they were followed. Those of the second chain are over hashes of SHA-512;
    the first of them hashed everything anew (RFC 4998, section 5.3).
    """

    def __init__(self, text: str, token: bytes) -> None:
        self.text = text.encode()
        self.chains: list[list[bytes]] = [[_timestamp(None, token)]]
        self.token = token

    def covering(self, renewals: Sequence[Json], start: int) -> Covering | None:
        """The first renewal from an index on that covers the chain."""
        for index, renewal in enumerate(renewals):
            wanted = self._hash_for(renewal)
            path = next((path for path in renewal["paths"] if wanted in path[0]), None)
            if index >= start and path is not None:
                return Covering(index, renewal, path, root_of(path, hash_of_renewal(renewal)))
        return None

    def extend(self, found: Covering, token: bytes) -> None:
        """Adds the token of a renewal that covers the chain."""
        stamp = _timestamp(found.path, token)
        if self._is_of_last(found.renewal):
            self.chains[-1].append(stamp)
        else:
            self.chains.append([stamp])
        self.token = token

    def _is_of_last(self, renewal: Json) -> bool:
        return ("hash" in renewal) == (len(self.chains) > 1)

    def _hash_for(self, renewal: Json) -> str | None:
        if self._is_of_last(renewal):
            return hashlib.new(hash_of_renewal(renewal), self.token).hexdigest()
        # After SHA-512 there is no other hash.
        return self._hash_anew() if len(self.chains) == 1 else None

    def _hash_anew(self) -> str:
        whole = _encode(SEQUENCE, b"".join(_encode(SEQUENCE, b"".join(chain)) for chain in self.chains))
        parts = hashlib.sha512(self.text).digest() + hashlib.sha512(whole).digest()
        return hashlib.sha512(parts).hexdigest()


def hash_of_renewal(renewal: Json) -> str:
    """The name of the hash that the tree of a renewal is made with."""
    return "sha512" if "hash" in renewal else "sha256"


def root_of(path: Path, algorithm: str) -> bytes:
    """RFC 4998, section 4.3."""
    below: list[str] = []
    for group in path:
        hashes = sorted([*group, *below])
        below = [hashlib.new(algorithm, bytes.fromhex("".join(hashes))).hexdigest()]
    return bytes.fromhex(below[0])


def _timestamp(path: Path | None, token: bytes) -> bytes:
    """An ArchiveTimeStamp."""
    if path is None:
        return _encode(SEQUENCE, token)
    groups = [b"".join(_encode(OCTET_STRING, bytes.fromhex(hash_)) for hash_ in group) for group in path]
    tree = b"".join(_encode(SEQUENCE, group) for group in groups)
    return _encode(SEQUENCE, _encode(REDUCED_HASHTREE, tree) + token)


def _encode(tag: int, content: bytes) -> bytes:
    """An element in DER (X.690, section 8.1.3)."""
    length = len(content)
    if length < 0x80:
        return bytes([tag, length]) + content
    octets = length.to_bytes((length.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(octets)]) + octets + content
