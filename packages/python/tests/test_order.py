"""The order of a log, as `answer_evidence.verify` judges it."""

from __future__ import annotations

from typing import Any

import pytest

from answer_evidence.verify.order import find_fault

WORKSPACE = "0199f3c2-0000-7000-9000-000000000001"
ASSET = "0199f3c2-0000-7000-9000-000000000002"


def id_of(index: int) -> str:
    return f"0199f3c2-0000-7000-8000-{index:012x}"


def at(index: int) -> str:
    return f"2026-01-02T03:04:05.{index:06d}Z"


HONEST: dict[int, dict[str, Any]] = {
    0: {"type": "genesis"},
    1: {"type": "settings_changed", "subject": WORKSPACE, "seq": 1},
    2: {"type": "member_changed", "subject": WORKSPACE, "seq": 1},
    5: {"type": "lifecycle_event", "subject": id_of(4), "seq": 1},
    6: {"type": "evidence_registered", "subject": ASSET},
    7: {"type": "evidence_accessed", "subject": ASSET},
    8: {"type": "text_expired", "subject": id_of(4)},
    9: {"type": "settings_changed", "subject": WORKSPACE, "seq": 2},
    11: {"type": "lifecycle_event", "subject": id_of(4), "seq": 2},
    12: {"type": "trust_policy_changed", "subject": WORKSPACE, "seq": 1},
    13: {"type": "epoch_opened", "seq": 1},
}


def log(changes: dict[int, dict[str, Any]]) -> list[Any]:
    entries = []
    for index in range(60):
        plain = {"type": "answer_recorded", "id": id_of(index), "subject": id_of(index), "seq": 0, "at": at(index)}
        entries.append({**plain, **HONEST.get(index, {}), **changes.get(index, {})})
    return entries


def test_an_honest_log_is_in_order() -> None:
    assert find_fault(log({})) is None


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({40: {"at": "2019-01-02T03:04:05.000000Z"}}, "leaf 40 has the time 2019-01-02"),
        ({40: {"at": at(39)}}, "leaf 40 has the time"),
        ({40: {"at": at(41)}}, "leaf 41 has the time"),
        ({40: {"type": "genesis"}}, "leaf 40 is a second genesis"),
        ({0: {"type": "answer_recorded"}}, "leaf 0 is not the genesis"),
        ({40: {"id": id_of(10), "subject": id_of(10)}}, "leaf 40 records a record a second time"),
        ({11: {"id": id_of(5)}}, "leaf 11 has the id of an earlier leaf"),
        ({5: {"subject": id_of(10)}}, "leaf 5 is about a record"),
        ({11: {"seq": 1}}, "leaf 11 has the seq 1"),
        ({11: {"seq": 3}}, "leaf 11 has the seq 3"),
        ({40: {"seq": 1}}, "leaf 40 has the seq 1"),
        ({40: {"subject": ASSET}}, "leaf 40 has a subject other"),
        ({6: {"type": "evidence_accessed"}}, "leaf 6 is about an asset"),
        ({7: {"type": "evidence_registered"}}, "leaf 7 registers an asset"),
        ({9: {"subject": ASSET}}, "leaf 9 is about another workspace"),
        ({9: {"seq": 1}}, "leaf 9 has the seq 1"),
        ({12: {"seq": 2}}, "leaf 12 has the seq 2"),
        ({13: {"seq": 0}}, "leaf 13 has the seq 0"),
        ({2: {"seq": 0}}, "leaf 2 has the seq 0"),
    ],
)
def test_a_leaf_out_of_its_place_is_named(changes: dict[int, dict[str, Any]], words: str) -> None:
    fault = find_fault(log(changes))
    assert fault is not None and words in fault


def test_missing_leaves_explain_what_they_can() -> None:
    lacking = [None] * 10 + log({11: {"seq": 7}})[10:]
    assert find_fault(lacking) is None
    for change in ({"at": at(10)}, {"type": "genesis"}, {"seq": 1}):
        assert find_fault([None] * 10 + log({40: change})[10:]) is not None
    # Each missing leaf takes a microsecond.
    assert find_fault([*log({})[:20], None, None, *log({22: {"at": at(21)}})[22:]]) is not None
