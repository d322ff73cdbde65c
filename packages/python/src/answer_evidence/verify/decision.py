"""The decision of a run (docs/formats/reconciliation.md, "The decision"): its findings and counts."""

from __future__ import annotations

from .canonical_json import Json
from .cores import micros
from .tiles import root_at
from .tree import leaf_hash

TYPES = [
    "missing_service",
    "unexpected_service",
    "late_service",
    "duplicate_reference",
    "duplicate_service",
    "unanchored_service",
]
FIELDS = ("question", "answer")


def set_of(lines: list[str]) -> Json:
    root = root_at([leaf_hash(line) for line in lines], len(lines))
    return {"size": len(lines), "root": (root or b"").hex()}


def bytes_of(text: str | None) -> tuple[bool, bytes]:
    return (text is not None, (text or "").encode())


def compare(hash_: str | None, commitment: Json, shown: Json) -> str:
    if hash_ is None:
        return "not_given"
    kind, other = hash_.split(":")[0], commitment["hash"].split(":")[0]
    if kind == other:
        return "same" if hash_ == commitment["hash"] else "different"
    if kind == "sha256" and shown["opened"]:
        return "same" if hash_ == shown["equals"] else "different"
    return "not_comparable"


def record_set(core: Json, references: list[Json], records: list[Json]) -> list[Json]:
    """The records that belong to the set: those in the window, and those that a reference names in its lateness."""
    start, end = micros(core["window_start"]), micros(core["window_end"])
    until = end + core["max_lateness_seconds"] * 1_000_000
    names = {reference["reference_id"] for reference in references}

    def belongs(record: Json) -> bool:
        at = micros(record["at"])
        return start <= at < end or (end <= at < until and record["core"][core["match_on"]] in names)

    return sorted(filter(belongs, records), key=lambda record: record["leaf_index"])


def decide(core: Json, references: list[Json], lines: list[Json]) -> tuple[list[Json], Json]:
    """The findings and the counts of a run. Lines of records that do not belong to the set are left out."""
    records = record_set(core, references, lines)
    end = micros(core["window_end"])
    lateness = core["max_lateness_seconds"] * 1_000_000
    decided = micros(core["decided_at"])
    counts = dict.fromkeys(core["counts"], 0)
    findings = []

    def find(kind: str, reference: str | None, record: str | None, **detail: Json) -> None:
        counts[kind] += 1
        findings.append({"type": kind, "reference_id": reference, "answer_log_id": record, "detail": detail})

    def facts(record: Json) -> Json:
        return {"created_at": record["at"], "record_status": record["status"]}

    groups: dict[str, list[Json]] = {}
    by_value: dict[str, list[Json]] = {}
    for reference in references:
        groups.setdefault(reference["reference_id"], []).append(reference)
    for record in records:
        by_value.setdefault(record["core"][core["match_on"]], []).append(record)
    counts["references"], counts["records"] = len(references), len(records)
    for name, group in groups.items():
        group.sort(key=lambda r: (r["occurred_at"], bytes_of(r["question_hash"]), bytes_of(r["answer_hash"])))
        first, occurred = group[0], group[0]["occurred_at"]
        counts["repeated_references"] += len(group) - 1
        if len(group) > 1:
            times = sorted({reference["occurred_at"] for reference in group})[:10]
            find(
                "duplicate_reference",
                name,
                None,
                times=len(group),
                occurred_at=times,
                differ=any(r != first for r in group),
            )
        named = by_value.get(name, [])
        if not named:
            find(
                "missing_service",
                name,
                None,
                reason="no_record",
                occurred_at=occurred,
                provisional=decided < end + lateness,
            )
            continue
        compared = [{f: compare(first[f + "_hash"], r["core"][f], r[f]) for f in FIELDS} for r in named]
        at = next((n for n, how in enumerate(compared) if "different" not in how.values()), 0)
        own, how = named[at], compared[at]
        own_id = own["core"]["id"]
        for n, other in enumerate(named):
            if n != at:
                find(
                    "duplicate_service",
                    name,
                    other["core"]["id"],
                    first_answer_log_id=own_id,
                    **facts(other),
                    **compared[n],
                )
        if "different" in how.values():
            counts["hash_mismatches"] += 1
            find(
                "missing_service",
                name,
                own_id,
                reason="hash_mismatch",
                occurred_at=occurred,
                **facts(own),
                fields=[f for f in FIELDS if how[f] == "different"],
                referenced={f: first[f + "_hash"] for f in FIELDS},
                recorded={f: own["core"][f]["hash"] for f in FIELDS},
            )
            continue
        counts["matched"] += 1
        counts["hashes_not_comparable"] += "not_comparable" in how.values()
        above = micros(own["at"]) - micros(occurred) - lateness
        if above > 0:
            late = {"max_lateness_seconds": core["max_lateness_seconds"], "late_by_seconds": -(-above // 1_000_000)}
            find("late_service", name, own_id, occurred_at=occurred, **facts(own), **late)
        anchored = core["anchored_tree_size"]
        if anchored is not None and own["leaf_index"] >= anchored:
            place = {"leaf_index": own["leaf_index"], "anchored_tree_size": anchored}
            find("unanchored_service", name, own_id, **facts(own), **place)
    for record in records:
        value = record["core"][core["match_on"]]
        if value in groups:
            continue
        if record["named_earlier"] is not None:
            counts["named_earlier"] += 1
        else:
            find(
                "unexpected_service",
                None,
                record["core"]["id"],
                match_value=value,
                **facts(record),
                provisional=decided < end,
            )

    def order(found: Json) -> tuple[int, tuple[bool, bytes], tuple[bool, bytes]]:
        return TYPES.index(found["type"]), bytes_of(found["reference_id"]), bytes_of(found["answer_log_id"])

    return sorted(findings, key=order), counts
