"""Documents as sources of an answer: what was retrieved, and what a model cites."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit, urlunsplit


def document_source(
    text: str, metadata: Mapping[str, Any], names: Sequence[str], document_id: str | None
) -> dict[str, str]:
    """A document: the first of its names, otherwise its id, and the hash of its text, which is not stored."""
    named = next((metadata[name] for name in names if metadata.get(name)), document_id)
    digest = hashlib.sha256(text.encode()).hexdigest()
    ref = {"source_type": "document", "source_hash": f"sha256:{digest}", "source_name": named}
    return {name: str(value) for name, value in ref.items() if value is not None}


def member(of: Any, name: str) -> Any:
    """A member of a model of a vendor's client, or of an object; None where there is none."""
    return of.get(name) if isinstance(of, Mapping) else getattr(of, name, None)


def cited_sources(citations: Iterable[Any]) -> list[dict[str, str]]:
    """
    Documents that an answer cites, or that a search of the vendor found, each once. What is neither named nor addressed
    is left out.
    """
    # Chat completions put it one level deeper.
    refs = (_cited_source(member(citation, "url_citation") or citation) for citation in citations)
    return list({tuple(ref.items()): ref for ref in refs if ref is not None}.values())


def _cited_source(citation: Any) -> dict[str, str] | None:
    # A file that the model made is no source.
    if member(citation, "type") == "file_path":
        return None
    source, file_id, index = (member(citation, name) for name in ("source", "file_id", "document_index"))
    uri = _without_secrets(member(citation, "url") or source)
    named = [member(citation, name) for name in ("title", "document_title", "filename")]
    names = [*named, uri, source, file_id, None if index is None else f"document {index}"]
    name = next((name for name in names if name), None)
    ref = {"source_type": "cited_document", "source_name": name, "source_uri": uri, "document_id": file_id}
    return None if name is None else {name: str(value) for name, value in ref.items() if value}


def _without_secrets(text: Any) -> str | None:
    """A URL without user, query and fragment, which may name a person; None for what is no URL."""
    try:
        parts = urlsplit(text or "")
        host = parts.hostname if parts.port is None else f"{parts.hostname}:{parts.port}"
    except (TypeError, ValueError, AttributeError):
        return None
    return urlunsplit((parts.scheme, host, parts.path or "/", "", "")) if parts.scheme and parts.hostname else None
