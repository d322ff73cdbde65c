"""Records the answers of an application as verifiable evidence, and verifies that evidence offline."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .async_client import AsyncAnswerEvidence
    from .client import AnswerEvidence
    from .errors import (
        ConfigurationError,
        EvidenceError,
        MismatchError,
        ProblemError,
        QueueError,
        ResponseError,
        TimeoutError,
        TransportError,
        VerificationError,
    )
    from .observing import observe
    from .options import QueueOptions
    from .receipts import CheckpointStore
    from .recording import Recording

# Loaded when they are first used, so that the verifier needs nothing but Python.
_HOMES = {
    "AnswerEvidence": "client",
    "AsyncAnswerEvidence": "async_client",
    "CheckpointStore": "receipts",
    "ConfigurationError": "errors",
    "EvidenceError": "errors",
    "MismatchError": "errors",
    "ProblemError": "errors",
    "QueueError": "errors",
    "QueueOptions": "options",
    "Recording": "recording",
    "ResponseError": "errors",
    "TimeoutError": "errors",
    "TransportError": "errors",
    "VerificationError": "errors",
    "observe": "observing",
}

__all__ = [
    "AnswerEvidence",
    "AsyncAnswerEvidence",
    "CheckpointStore",
    "ConfigurationError",
    "EvidenceError",
    "MismatchError",
    "ProblemError",
    "QueueError",
    "QueueOptions",
    "Recording",
    "ResponseError",
    "TimeoutError",
    "TransportError",
    "VerificationError",
    "observe",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
