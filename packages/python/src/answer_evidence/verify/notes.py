"""Signed notes, keys, checkpoints and receipts (docs/formats/log.md, "Signed notes")."""

from __future__ import annotations

import base64
import binascii
import functools
import hashlib
import re
from collections.abc import Collection

from . import ed25519, ml_dsa
from .canonical_json import SAFE, Malformed
from .outcomes import Skip

NOTE_MAX = 1_048_576
# The types of keys that a log signs with, and how long their public keys are.
ED25519, ML_DSA = 1, 6
KEY_BYTES = {ED25519: 32, ML_DSA: ml_dsa.KEY_BYTES}
TIME_BYTES = 8
# What a signature of ML-DSA-44 is of, by a witness or by a log.
SUBTREE = b"subtree/v1\n\0"
CONTROL = re.compile(r"[\0-\x09\x0b-\x1f]")


def read_base64(text: str) -> bytes:
    try:
        raw = base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError) as error:
        raise Malformed("not base64") from error
    if base64.b64encode(raw).decode() != text:
        raise Malformed("base64 is not canonical")
    return raw


def has_space(name: str) -> bool:
    return name.split() != [name]


def read_decimal(text: str) -> int:
    if not text.isascii() or not text.isdigit() or (text[0] == "0" and text != "0") or int(text) > SAFE:
        raise Malformed("not a decimal number")
    return int(text)


def read_hash(text: str) -> bytes:
    raw = read_base64(text)
    if len(raw) != 32:
        raise Malformed("a hash is not of 32 bytes")
    return raw


def read_vkey(text: str) -> tuple[str, bytes, bytes]:
    """The name, key id and public key of a key that a log signs with, of Ed25519 or ML-DSA-44."""
    parts = text.split("+", 2)
    if len(parts) != 3:
        raise Malformed("not a vkey")
    name, key_id, rest = parts[0], parts[1], read_base64(parts[2])
    if not name or has_space(name) or not rest or len(rest) - 1 != KEY_BYTES.get(rest[0]):
        raise Malformed("not the vkey of an Ed25519 or ML-DSA-44 key of a log")
    expected = hashlib.sha256(name.encode() + b"\n" + rest).digest()[:4]
    if expected.hex() != key_id:
        raise Malformed("the id of a vkey is wrong")
    return name, expected, rest[1:]


@functools.lru_cache(maxsize=16)
def read_note(text: str) -> tuple[str, tuple[tuple[str, bytes, bytes], ...]]:
    """The signed text and the signatures, each (name, key id, signature). Several checks ask for it."""
    split = text.rfind("\n\n")
    if split < 0 or not text.endswith("\n") or len(text.encode()) > NOTE_MAX:
        raise Malformed("not a signed note")
    if CONTROL.search(text):
        raise Malformed("a note has a control character")
    signatures = []
    for line in text[split + 2 : -1].split("\n"):
        parts = line.split(" ")
        if len(parts) != 3 or parts[0] != "\u2014" or not parts[1] or "+" in parts[1] or has_space(parts[1]):
            raise Malformed("a signature line is not of the format")
        raw = read_base64(parts[2])
        if len(raw) < 5:
            raise Malformed("a signature is empty")
        signatures.append((parts[1], raw[:4], raw[4:]))
    if len(signatures) > 100:
        raise Malformed("too many signatures")
    return text[: split + 1], tuple(signatures)


def read_checkpoint(text: str) -> tuple[str, int, bytes]:
    """The origin, size and root of a checkpoint's text."""
    lines = text.split("\n")
    if len(lines) != 4 or lines[3] != "" or lines[0] == "":
        raise Malformed("not a checkpoint of three lines")
    return lines[0], read_decimal(lines[1]), read_hash(lines[2])


def read_receipt(text: str) -> tuple[int, list[bytes], str]:
    """The index, the hashes and the signed note of a receipt."""
    head, blank, note = text.partition("\n\n")
    lines = head.split("\n")
    if not blank or lines.pop(0) != "c2sp.org/tlog-proof@v1":
        raise Malformed("not a receipt")
    if lines and lines[0].startswith("extra ") and not read_base64(lines.pop(0)[len("extra ") :]):
        raise Malformed("an extra part is empty")
    if not lines or not lines[0].startswith("index "):
        raise Malformed("a receipt without an index")
    index = read_decimal(lines.pop(0)[len("index ") :])
    if len(lines) > 53:
        raise Malformed("too many hashes")
    return index, [read_hash(line) for line in lines], note


def is_ed25519(vkey: str) -> bool:
    """Whether a key of a log is of Ed25519: bundles name these alone, and receipts and statements need no others."""
    return len(read_vkey(vkey)[2]) == KEY_BYTES[ED25519]


def signers_of(note: str, vkeys: Collection[str]) -> set[str]:
    """
    Which of the vkeys signed the note. Raises Malformed when one of them is named wrongly, or none signed, and Skip
    where what signed cannot be verified here.
    """
    signers, unverified = _judge_signers(note, vkeys)
    if not signers and unverified:
        raise _needs_library()
    if not signers:
        raise Malformed("no trusted key signed the note")
    return signers


def unverified_of(note: str, vkeys: Collection[str]) -> set[str]:
    """Those that may have signed it by ML-DSA-44, which cannot be verified here."""
    return _judge_signers(note, vkeys)[1]


def _judge_signers(note: str, vkeys: Collection[str]) -> tuple[set[str], set[str]]:
    text, signatures = read_note(note)
    keys = {read_vkey(vkey)[:2]: (vkey, read_vkey(vkey)[2]) for vkey in vkeys}
    signers: set[str] = set()
    unverified: set[str] = set()
    for name, key_id, signature in signatures:
        if (name, key_id) not in keys:
            continue
        vkey, public_key = keys[(name, key_id)]
        if is_ed25519(vkey):
            if len(signature) != 64 or not ed25519.is_signed(public_key, text.encode(), signature):
                raise Malformed("a signature by a trusted key is wrong")
        elif len(signature) != TIME_BYTES + ml_dsa.SIGNATURE_BYTES:
            raise Malformed("the ML-DSA-44 signature by a trusted key is wrong")
        elif not ml_dsa.is_installed():
            unverified.add(vkey)
            continue
        elif not has_signed_tree(public_key, name, text, signature):
            raise Malformed("the ML-DSA-44 signature by a trusted key is wrong")
        signers.add(vkey)
    return signers, unverified


def _needs_library() -> Skip:
    return Skip(f"the ML-DSA-44 signature of the log was not verified: it needs {ml_dsa.LIBRARY}")


def assert_signers(note: str, vkeys: Collection[str]) -> None:
    """
    Raises Malformed unless each of these keys of one tree size signed the checkpoint, and Skip where all did as far as
    it can be verified here.
    """
    unverified = unverified_of(note, vkeys)
    missing = set(vkeys) - signers_of(note, vkeys) - unverified
    if any(not is_ed25519(vkey) for vkey in missing):
        raise Malformed("the ML-DSA-44 key of this size has not signed")
    if missing:
        raise Malformed("a key of this size has not signed")
    if unverified:
        raise _needs_library()


def assert_receipt_signed(note: str, vkeys: Collection[str]) -> None:
    """Raises Malformed unless each Ed25519 key of one tree size signed the checkpoint of a receipt, or a statement."""
    demanded = {vkey for vkey in vkeys if is_ed25519(vkey)}
    if not demanded or signers_of(note, demanded) != demanded:
        raise Malformed("a key of this size has not signed")


def has_signed_tree(public_key: bytes, name: str, text: str, signature: bytes) -> bool:
    """Whether the time and the ML-DSA-44 signature are of the tree of a checkpoint (C2SP tlog-cosignature)."""
    # Extension lines are not signed.
    origin, size, root = read_checkpoint("\n".join(text.split("\n")[:3]) + "\n")
    time, signed = signature[:TIME_BYTES], signature[TIME_BYTES:]
    parts = (SUBTREE, _with_length(name), time, _with_length(origin), bytes(8), size.to_bytes(8, "big"), root)
    return ml_dsa.is_signed(public_key, b"".join(parts), signed)


def _with_length(name: str) -> bytes:
    encoded = name.encode()
    if len(encoded) > 255:
        raise Malformed("a name is longer than 255 bytes")
    return bytes([len(encoded)]) + encoded
