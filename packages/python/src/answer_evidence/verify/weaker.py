"""Where a log's policy demands less than the trust file of the caller (docs/formats/trust.md, "Weaker demands")."""

from __future__ import annotations

from collections.abc import Sequence

from .bundle_form import POLICY
from .canonical_json import Json, Malformed
from .cores import core_hash, read_entry
from .form import predicate_of
from .notes import is_ed25519
from .packs import KeptEntry
from .witnesses import WitnessPolicy

STILL = "Your trust file still decides; before you replace it, ask why"
DEMANDS = {"anchors", "anchors_required", "witness_policy"}


def describe_weaker(
    shown: Json, kept: Sequence[KeptEntry], entries: Sequence[str | None], trust: Json | None
) -> list[str]:
    """
    Sentences for people. `shown` is the policy of a bundle, `kept` are entries with their cores. A log has times of
    changes, and no contents.
    """
    if trust is None:
        return []
    found = []
    if predicate_of(POLICY)(shown):
        found += _describe("the policy that the evidence shows", shown, trust)
    changed = [change for entry in kept if (change := _read_change(entry)) is not None]
    for at, policy in changed:
        found += _describe(f"the policy of {at}", policy, trust, policy.get("log_signatures", "ed25519"))
    leaves = [n for n, entry in enumerate(entries) if entry is not None and '"trust_policy_changed"' in entry]
    return found if changed else [*found, *describe_policy_changes(leaves)]


def describe_policy_changes(leaves: Sequence[int]) -> list[str]:
    """What is to be said of changes of the trust policy, whose contents no log has."""
    if not leaves:
        return []
    named = ", ".join(map(str, leaves[-3:]))
    advice = "it may demand less than your trust file: compare its entry (`entries show`)"
    return [f"the log has announced a change of its trust policy, at leaf {named}; {advice}"]


def _describe(whose: str, policy: Json, trust: Json, signatures: str | None = None) -> list[str]:
    weaker = _find_weaker(policy, trust)
    # What evidence shows of a policy does not say with what the log signs.
    if signatures == "ed25519" and _pins_ml_dsa(trust):
        weaker.append("no ML-DSA-44 signature of the log, whose key of it the trust file pins")
    return [f"{whose} demands less than your trust file: {'; '.join(weaker)}. {STILL}"] if weaker else []


def _pins_ml_dsa(trust: Json) -> bool:
    """Whether the trust file pins an ML-DSA-44 key of a log without an end."""
    keys = [key for log in trust["logs"] for key in log["keys"]]
    return any(key["last_tree_size"] is None and not is_ed25519(key["vkey"]) for key in keys)


def _find_weaker(policy: Json, trust: Json) -> list[str]:
    external = {anchor["id"]: anchor for anchor in policy["anchors"] if anchor["type"] != "file"}
    pinned = [anchor for anchor in trust.get("anchors", []) if anchor["type"] != "file"]
    needed = max(1, trust.get("anchors_required", 0)) if pinned else 0
    offered = max(1, policy["anchors_required"]) if external else 0
    weaker = [f"{_count(offered, 'anchor', 'anchors')} instead of {needed}"] if offered < needed else []
    names = [(pin["anchor_id"], pin["required"]) for pin in pinned]
    dropped = [name for name, required in names if required and not external.get(name, {}).get("required")]
    weaker += [f"the anchor {name} is required no longer" for name in dropped]
    gone = [name for name, _ in names if name not in external and name not in dropped]
    weaker += [f"the anchor {name} is there no longer" for name in gone]
    return weaker + _compare_witnesses(policy["witness_policy"], trust["witness_policy"])


def _compare_witnesses(policy: str, trust: str | None) -> list[str]:
    pinned = None if trust is None else WitnessPolicy(trust)
    if pinned is None or pinned.quorum == "none":
        return []
    try:
        now = WitnessPolicy(policy)
    except Malformed:
        return ["a witness policy that cannot be read"]
    least, needed = _least(now, now.quorum), _least(pinned, pinned.quorum)
    weaker = [f"{_count(least, 'witness', 'witnesses')} instead of {needed}"] if least < needed else []
    known = {key for _, _, _, key in pinned.witnesses.values()}
    strangers = {key for _, _, _, key in now.witnesses.values()} - known
    return [*weaker, "witnesses that the trust file does not name"] if strangers else weaker


def _least(policy: WitnessPolicy, name: str) -> int:
    """The least number of witnesses that a name can be met by. Nobody is a member of two groups."""
    if name == "none":
        return 0
    if name not in policy.groups:
        return 1
    threshold, members = policy.groups[name]
    return sum(sorted(_least(policy, member) for member in members)[:threshold])


def _count(count: int, noun: str, nouns: str) -> str:
    return f"{count or 'no'} {noun if count <= 1 else nouns}"


def _read_change(kept: KeptEntry) -> tuple[str, Json] | None:
    """The time and the policy of a change; None for anything else, which fails where it is verified."""
    try:
        entry = read_entry(kept.entry)
        policy = kept.core["policy"]
        is_change = entry["type"] == "trust_policy_changed" and core_hash(entry["type"], kept.core) == entry["hash"]
    except (Malformed, KeyError, TypeError, ValueError):
        return None
    if not is_change or not isinstance(policy, dict) or not policy.keys() >= DEMANDS:
        return None
    return entry["at"], policy
