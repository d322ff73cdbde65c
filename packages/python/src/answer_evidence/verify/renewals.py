"""Later time-stamps over earlier ones (docs/formats/trust.md, "Renewals")."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

from .archive_chains import ArchiveChain, Covering, hash_of_renewal, root_of
from .canonical_json import Json
from .form import format_time
from .notes import read_base64
from .outcomes import require
from .revocation_lists import revocations_of
from .timestamps import Stamp, verify_stamp


class _Step(NamedTuple):
    """A token, and when the next one covered it; None for the last one."""

    stamp: Stamp
    covered_at: int | None


def is_renewed_in_time(
    text: str, stamp: Stamp, renewals: Sequence[Json], roots_of: Callable[[str], str | None]
) -> bool:
    """
    Judges a token over a checkpoint's text at the time of the token after it, as far as renewals lead. False where one
    came too late. Raises Malformed for a renewal that does not hold, or a certificate that was revoked before it
    mattered no more.
    """
    steps: list[_Step] = []
    lists: list[bytes] = []
    chain, start, in_time = ArchiveChain(text, stamp.token), 0, True
    while in_time:
        found = chain.covering(renewals, start)
        roots = None if found is None else roots_of(found.renewal["anchor_id"])
        if found is None or roots is None:
            break
        later = verify_stamp(found.root, read_base64(found.renewal["artefact"]), roots)
        require(later.gen_time >= stamp.gen_time, "a renewal is older than the token that it covers")
        lists += [_read_list(kept, found) for kept in found.renewal["revocation_lists"]]
        in_time = later.gen_time < stamp.ends
        steps.append(_Step(stamp, later.gen_time))
        chain.extend(found, later.token)
        stamp, start = later, found.place + 1
    if steps:
        for step in [*steps, _Step(stamp, None)]:
            _assert_not_revoked(step, lists)
    return in_time


def _read_list(kept: Json, found: Covering) -> bytes:
    """A list that was kept. The renewal must cover it, as it covers tokens."""
    raw, algorithm = read_base64(kept["list"]), hash_of_renewal(found.renewal)
    has_hash = hashlib.new(algorithm, raw).hexdigest() in kept["path"][0]
    is_covered = has_hash and root_of(kept["path"], algorithm) == found.root
    require(is_covered, "a renewal does not cover a revocation list that is kept with it")
    return raw


def _assert_not_revoked(step: _Step, lists: Sequence[bytes]) -> None:
    for revocation in revocations_of(step.stamp.chain, lists):
        at = f"a certificate was revoked at {format_time(revocation.at)}"
        require(revocation.at > step.stamp.gen_time, f"{at}, before its token was made")
        is_covered = step.covered_at is not None and step.covered_at < revocation.at
        require(revocation.is_harmless or is_covered, f"{at}, and no renewal is from before then")
