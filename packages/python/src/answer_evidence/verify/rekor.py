"""Entries of public logs of Rekor v2 (docs/formats/trust.md, "Anchors", `rekor`)."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import NamedTuple

from .canonical_json import Json, Malformed, canonical, read_json
from .form import array, object_with
from .notes import read_base64, read_checkpoint, read_decimal, read_note, read_vkey, signers_of
from .outcomes import require
from .tree import leaf_hash, root_of

TEXT_MAX = 65_536
LOGS_MAX = 16
ED25519_SPKI = bytes.fromhex("302a300506032b6570032100")
# A log of Rekor v2 has the name of its host.
BASE_URL = re.compile(r"https?://([A-Za-z0-9.-]{1,253})(?::[0-9]{1,5})?(?:/[!-~]*)?")
DECIMAL = re.compile(r"0|[1-9][0-9]{0,15}")
ENTRY = object_with(
    {
        "canonicalizedBody": str,
        "inclusionProof": object_with(
            {
                "checkpoint": object_with({"envelope": str}),
                "hashes": array(str),
                "logIndex": DECIMAL,
                "rootHash": str,
                "treeSize": DECIMAL,
            }
        ),
        "kindVersion": object_with({"kind": {"hashedrekord"}, "version": {"0.0.2"}}),
        "logId": object_with({"keyId": str}),
        "logIndex": DECIMAL,
    },
    optional={"logId"},
)


class LogKey(NamedTuple):
    """A log that is believed."""

    name: str
    vkey: str
    # What the id of the key has the first four bytes of.
    log_id: bytes


def read_log_keys(text: str) -> list[LogKey]:
    """The logs of a pin: vkeys, one per line, or a trusted root of Sigstore. Raises Malformed."""
    require(len(text.encode("utf-16-le", "surrogatepass")) // 2 <= TEXT_MAX, "the keys of logs are too long")
    if text.lstrip(" \t\r\n").startswith("{"):
        logs = _read_trusted_root(text)
    else:
        lines = [line.strip(" \t\r") for line in text.split("\n")]
        logs = [_log_key(line) for line in lines if line]
    require(0 < len(logs) <= LOGS_MAX, "a pin has no key of a log of Rekor v2, or too many")
    return logs


class Entry(NamedTuple):
    """An entry that a pinned log holds. It states no time."""

    pin: bytes
    gen_time: None = None


def verify_entry(text: str, artefact: bytes, log_keys: str) -> Entry:
    """The entry over the text. Raises Malformed."""
    logs = read_log_keys(log_keys)
    entry = _read_entry(artefact)
    proof = entry["inclusionProof"]
    note = proof["checkpoint"]["envelope"]
    origin, size, root = read_checkpoint(read_note(note)[0])
    named = {log.vkey: log for log in logs if log.name == origin}
    require(named, "the checkpoint is of a log whose key is not pinned")
    signers = signers_of(note, named)
    require(read_decimal(proof["treeSize"]) == size, "an entry states another size than its checkpoint")
    require(_hash_of(proof["rootHash"]) == root, "an entry states another root than its checkpoint")
    require(entry["logIndex"] == proof["logIndex"], "an entry and its proof have two places")
    if "logId" in entry:
        ids = {named[vkey].log_id for vkey in signers}
        require(read_base64(entry["logId"]["keyId"]) in ids, "an entry states the id of another log")
    body = read_base64(entry["canonicalizedBody"])
    hashes = [_hash_of(hash_) for hash_ in proof["hashes"]]
    found = root_of(read_decimal(proof["logIndex"]), size, leaf_hash(body), hashes)
    require(found == root, "the proof of an entry leads to another root")
    require(_logged(body) == hashlib.sha256(text.encode()).digest(), "an entry is of another hash")
    return Entry(pin=next(iter(named.values())).log_id)


def _read_entry(artefact: bytes) -> Json:
    entry = _json_of(artefact)
    if not ENTRY(entry):
        raise Malformed("an artefact is not an entry of Rekor v2")
    if canonical(entry).encode() != artefact:
        raise Malformed("an artefact is not in its canonical form")
    return entry


def _logged(body: bytes) -> bytes:
    """The hash that was logged. What else the body says, such as who signed it, is not judged."""
    entry = _members(_json_of(body))
    if (entry.get("kind"), entry.get("apiVersion")) != ("hashedrekord", "0.0.2"):
        raise Malformed("an entry is not a hashedrekord 0.0.2")
    logged = _members(_members(_members(entry.get("spec")).get("hashedRekordV002")).get("data"))
    digest = logged.get("digest")
    if logged.get("algorithm") != "SHA2_256" or not isinstance(digest, str):
        raise Malformed("an entry is not of a SHA-256 hash")
    return read_base64(digest)


def _read_trusted_root(text: str) -> list[LogKey]:
    """The logs of Rekor v2 among its tlogs. Everything else in it is passed over."""
    tlogs = _members(read_json(text)).get("tlogs")
    if not isinstance(tlogs, list):
        raise Malformed("a trusted root has no tlogs")
    return [log for log in (_read_tlog(_members(tlog)) for tlog in tlogs) if log is not None]


def _read_tlog(tlog: Json) -> LogKey | None:
    key = _members(tlog.get("publicKey"))
    base_url = tlog.get("baseUrl")
    named = BASE_URL.fullmatch(base_url) if isinstance(base_url, str) else None
    spki = _bytes_of(key.get("rawBytes"))
    log_id = _bytes_of(_members(tlog.get("logId")).get("keyId"))
    if key.get("keyDetails") != "PKIX_ED25519" or named is None or len(spki) != 44 or spki[:12] != ED25519_SPKI:
        return None
    name = named[1]
    # Logs of Rekor v1 have the hash of the key alone as their id.
    if _log_id(name, spki[12:]) != log_id:
        return None
    return LogKey(name, _vkey_of(name, spki[12:]), log_id)


def _log_key(vkey: str) -> LogKey:
    name, _, public_key = read_vkey(vkey)
    return LogKey(name, vkey, _log_id(name, public_key))


def _log_id(name: str, public_key: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\n\1" + public_key).digest()


def _vkey_of(name: str, public_key: bytes) -> str:
    return f"{name}+{_log_id(name, public_key)[:4].hex()}+{base64.b64encode(bytes([1]) + public_key).decode()}"


def _json_of(raw: bytes) -> Json:
    try:
        return read_json(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Malformed("not UTF-8") from error


def _members(value: Json) -> Json:
    return value if isinstance(value, dict) else {}


def _bytes_of(value: Json) -> bytes:
    try:
        return read_base64(value) if isinstance(value, str) else b""
    except Malformed:
        return b""


def _hash_of(text: str) -> bytes:
    raw = read_base64(text)
    require(len(raw) == 32, "a hash is not of 32 bytes")
    return raw
