"""Later time-stamps over earlier ones (docs/formats/trust.md, "Renewals")."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

from .canonical_json import Json
from .form import format_time
from .notes import read_base64
from .outcomes import require
from .revocation_lists import revocations_of
from .revocations import Kept
from .timestamps import Stamp, verify_stamp


class _Step(NamedTuple):
    """A token, and when the next one covered it; None for the last one."""

    stamp: Stamp
    covered_at: int | None


def is_renewed_in_time(stamp: Stamp, renewals: Sequence[Json], roots_of: Callable[[str], str | None]) -> bool:
    """
    Judges a token at the time of the token after it, as far as renewals lead. False where one came too late. Raises
    Malformed for a renewal that does not hold, or a certificate that was revoked before it mattered no more.
    """
    steps: list[_Step] = []
    lists: list[Kept] = []
    rest, in_time = list(renewals), True
    while in_time:
        found = _find_covering(rest, stamp.token)
        roots = None if found is None else roots_of(rest[found[0]]["anchor_id"])
        if found is None or roots is None:
            break
        index, root = found
        renewal, rest = rest[index], rest[index + 1 :]
        later = verify_stamp(root, read_base64(renewal["artefact"]), roots)
        require(later.gen_time >= stamp.gen_time, "a renewal is older than the token that it covers")
        lists += [Kept(_read_list(kept, root), later.gen_time) for kept in renewal["revocation_lists"]]
        in_time = later.gen_time < stamp.ends
        steps.append(_Step(stamp, later.gen_time))
        stamp = later
    if steps:
        for step in [*steps, _Step(stamp, None)]:
            _assert_not_revoked(step, lists)
    return in_time


def _find_covering(renewals: Sequence[Json], token: str) -> tuple[int, bytes] | None:
    """The first renewal that has a path for a token, and the root that the path leads to."""
    for index, renewal in enumerate(renewals):
        path = next((path for path in renewal["paths"] if token in path[0]), None)
        if path is not None:
            return index, _root_of(path)
    return None


def _root_of(path: list[list[str]]) -> bytes:
    """RFC 4998, section 4.3."""
    below: list[str] = []
    for group in path:
        hashes = sorted([*group, *below])
        below = [hashlib.sha256(bytes.fromhex("".join(hashes))).hexdigest()]
    return bytes.fromhex(below[0])


def _read_list(kept: Json, root: bytes) -> bytes:
    """A list that was kept. The renewal must cover it, as it covers tokens."""
    raw = read_base64(kept["list"])
    is_covered = hashlib.sha256(raw).hexdigest() in kept["path"][0] and _root_of(kept["path"]) == root
    require(is_covered, "a renewal does not cover a revocation list that is kept with it")
    return raw


def _assert_not_revoked(step: _Step, lists: Sequence[Kept]) -> None:
    for revocation in revocations_of(step.stamp.chain, lists):
        at = f"a certificate was revoked at {format_time(revocation.at)}"
        require(revocation.at > step.stamp.gen_time, f"{at}, before its token was made")
        is_covered = step.covered_at is not None and step.covered_at < revocation.at
        require(revocation.is_harmless or is_covered, f"{at}, and no renewal is from before then")
