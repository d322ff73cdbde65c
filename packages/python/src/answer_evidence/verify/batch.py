"""
Verifies many bundles or runs in one process: `answer-evidence-verify batch bundle|run`.

Each line that is read is a JSON array of texts: bundle and trust file, or proof, references, records and trust file.
For each line a line is printed: a JSON object of outcomes by check, or null where the trust file is refused.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator

from .canonical_json import Malformed
from .checks import verify_bundle, verify_reconciliation
from .outcomes import Result

KINDS: dict[str, Callable[..., list[Result]]] = {"bundle": verify_bundle, "run": verify_reconciliation}


def judge_lines(kind: str, lines: Iterable[bytes]) -> Iterator[str]:
    """The outcomes of each line."""
    for line in lines:
        try:
            results = KINDS[kind](*json.loads(line))
        except Malformed:
            yield "null"
        else:
            yield json.dumps({name: outcome for name, outcome, _ in results})
