"""Witness policies and cosignatures (docs/formats/trust.md, "Witness policies")."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection

from . import ed25519, ml_dsa
from .canonical_json import SAFE, Malformed
from .notes import has_signed_tree, read_base64, read_note, read_vkey
from .outcomes import Skip

COSIGNATURE = 4
ML_DSA = 6
ED25519, ECDSA, TREE_HEAD = 1, 2, 5
LOG_KEYS = (ED25519, ECDSA, TREE_HEAD, ML_DSA)

TEXT_MAX = 512 * 1024
DEFINITIONS_MAX = 256

# The name, key id, type and public key of a witness.
WitnessKey = tuple[str, bytes, int, bytes]


def read_policy_key(text: str, kinds: Collection[int]) -> WitnessKey:
    """The name, key id, type and public key of a witness, or of a log that a policy names."""
    parts = text.split("+", 2)
    if len(parts) != 3:
        raise Malformed("not a vkey")
    name, rest = parts[0], read_base64(parts[2])
    if not name or any(c.isspace() for c in name) or len(rest) < 2 or rest[0] not in kinds:
        raise Malformed("a key of a policy is not of its type")
    if rest[0] in (ED25519, COSIGNATURE) and len(rest) != 33:
        raise Malformed("a key of a policy is not of 32 bytes")
    if rest[0] == ML_DSA and len(rest) != 1313:
        raise Malformed("a key of a policy is not of 1312 bytes")
    # The id of an ECDSA key is over the key alone.
    hashed = rest[1:] if rest[0] == ECDSA else name.encode() + b"\n" + rest
    key_id = hashlib.sha256(hashed).digest()[:4]
    if key_id.hex() != parts[1]:
        raise Malformed("the id of a vkey is wrong")
    return name, key_id, rest[0], rest[1:]


class WitnessPolicy:
    """Who the witnesses are, and which of them are enough."""

    def __init__(self, text: str) -> None:
        self.witnesses: dict[str, WitnessKey] = {}
        self.groups: dict[str, tuple[int, list[str]]] = {}
        self.quorum = ""
        self._used: set[str] = set()
        self._log_keys: list[bytes] = []
        if len(text.encode("utf-16-le", "surrogatepass")) // 2 > TEXT_MAX:
            raise Malformed("a policy is too long")
        if re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text):
            raise Malformed("a policy has a control character")
        for line in text.split("\n"):
            words = re.split(r"[ \t]+", line.strip(" \t"))
            if words != [""] and not words[0].startswith("#"):
                self._read_line(words)
        if not self.quorum:
            raise Malformed("a policy has no quorum")

    def _read_line(self, words: list[str]) -> None:
        if words[0] == "log" and len(words) in (2, 3):
            key = read_policy_key(words[1], LOG_KEYS)[3]
            self._assert_new(key, self._log_keys)
            self._log_keys.append(key)
        elif words[0] == "witness" and len(words) in (3, 4):
            self._define(words[1])
            witness = read_policy_key(words[2], (COSIGNATURE, ML_DSA))
            self._assert_new(witness[3], [other[3] for other in self.witnesses.values()])
            self.witnesses[words[1]] = witness
        elif words[0] == "group" and len(words) >= 4:
            members = words[3:]
            for member in members:
                if member in self._used or member not in {**self.witnesses, **self.groups}:
                    raise Malformed("a member of a group is unknown, or of two groups")
                self._used.add(member)
            self._define(words[1])
            self.groups[words[1]] = (self._threshold(words[2], len(members)), members)
            if len(self.groups) > DEFINITIONS_MAX:
                raise Malformed("a policy has more than 256 groups")
        elif words[0] == "quorum" and len(words) == 2 and not self.quorum:
            if words[1] not in {"none", *self.witnesses, *self.groups}:
                raise Malformed("a quorum is not defined before its line")
            self.quorum = words[1]
        else:
            raise Malformed("a line of a policy is not of the format")

    @staticmethod
    def _assert_new(key: bytes, known: list[bytes]) -> None:
        if key in known:
            raise Malformed("two logs or two witnesses of a policy have one key")
        if len(known) >= DEFINITIONS_MAX:
            raise Malformed("a policy has more than 256 logs or witnesses")

    def _define(self, name: str) -> None:
        if name == "none" or name in self.witnesses or name in self.groups:
            raise Malformed("a name of a policy is taken")

    @staticmethod
    def _threshold(word: str, members: int) -> int:
        if word in ("all", "any"):
            return members if word == "all" else 1
        if not re.fullmatch(r"[1-9][0-9]*", word) or int(word) > members:
            raise Malformed("a group asks for more members than it has")
        return int(word)

    def is_met(self, public_keys: set[bytes]) -> bool:
        """Whether these keys, each counted once, are enough. Keys of logs that the policy names count as no witness."""
        public_keys = public_keys - set(self._log_keys)

        def has_witnessed(name: str) -> bool:
            if name in self.witnesses:
                return self.witnesses[name][3] in public_keys
            threshold, members = self.groups[name]
            return sum(has_witnessed(member) for member in members) >= threshold

        return self.quorum == "none" or has_witnessed(self.quorum)

    def times_of(self, note: str) -> list[tuple[str, int]]:
        """The latest time of each witness's good cosignatures, in seconds. Raises Malformed for a bad one."""
        names = {witness[3]: name for name, witness in self.witnesses.items()}
        return [(names[key], time) for key, time in self._times(note).items()]

    def times_by_key(self, note: str, log_keys: set[bytes]) -> dict[bytes, int]:
        """The latest time of each witness, by its public key, without keys that count as no witness."""
        return {key: time for key, time in self._times(note).items() if key not in {*log_keys, *self._log_keys}}

    def cosigners_of(self, note: str) -> set[bytes]:
        """The public keys of witnesses whose cosignature of the note is good. Raises Malformed for one that is not."""
        return set(self._times(note))

    def not_reached(self) -> Skip:
        """Says that the cosignatures that count are too few."""
        has_ml_dsa = any(kind == ML_DSA for _, _, kind, _ in self.witnesses.values())
        needs = "" if ml_dsa.is_installed() or not has_ml_dsa else f"; those by ML-DSA-44 need {ml_dsa.LIBRARY}"
        return Skip(f"the cosignatures do not reach the quorum{needs}")

    def _times(self, note: str) -> dict[bytes, int]:
        text, signatures = read_note(note)
        known = {(name, key_id): (kind, key) for name, key_id, kind, key in self.witnesses.values()}
        good: dict[bytes, int] = {}
        for name, key_id, signature in signatures:
            kind, key = known.get((name, key_id), (0, b""))
            if kind == 0 or (kind == ML_DSA and not ml_dsa.is_installed()):
                continue
            time = int.from_bytes(signature[:8], "big")
            if time > SAFE or not _has_cosigned(kind, key, name, text, signature):
                raise Malformed("a cosignature of a known witness is wrong")
            good[key] = max(time, good.get(key, 0))
        return good


def _has_cosigned(kind: int, key: bytes, name: str, text: str, signature: bytes) -> bool:
    """Whether this is the time and the signature of a witness on the text of a checkpoint."""
    time, signed = signature[:8], signature[8:]
    if kind == COSIGNATURE:
        message = f"cosignature/v1\ntime {int.from_bytes(time, 'big')}\n{text}"
        return ed25519.is_signed(key, message.encode(), signed)
    return has_signed_tree(key, name, text, signature)


def log_keys_of(vkeys: Collection[str]) -> set[bytes]:
    """Public keys that count as no witness."""
    return {read_vkey(vkey)[2] for vkey in vkeys}
