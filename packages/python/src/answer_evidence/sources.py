"""Documents as sources of an answer."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any


def document_source(
    text: str, metadata: Mapping[str, Any], names: Sequence[str], document_id: str | None
) -> dict[str, str]:
    """A document: the first of its names, otherwise its id, and the hash of its text, which is not stored."""
    named = next((metadata[name] for name in names if metadata.get(name)), document_id)
    digest = hashlib.sha256(text.encode()).hexdigest()
    ref = {"source_type": "document", "source_hash": f"sha256:{digest}", "source_name": named}
    return {name: str(value) for name, value in ref.items() if value is not None}
