"""The trees of other files that a verification is given, for whoever asks about them."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from .canonical_json import Json


class Attestation(NamedTuple):
    """Somebody outside who attested a tree, when, and whether they are the quorum of witnesses."""

    micros: int
    by: list[Json]
    is_quorum: bool


class GivenTree(NamedTuple):
    """A tree that the pinned keys of its size signed, and who of the trust file attested it."""

    origin: str
    size: int
    root: bytes
    attested: list[Attestation]


class Conflict(NamedTuple):
    """Two leaves that signed trees show and that cannot both be in one log in their places."""

    leaves: tuple[int, int]
    detail: str


class SignedTrees(Protocol):
    """Answers what the files show of a log."""

    def trees_of(self, origin: str) -> list[GivenTree]:
        """The trees of a log."""

    def conflicts_of(self, origin: str) -> list[Conflict]:
        """The leaves of a log that contradict each other."""
