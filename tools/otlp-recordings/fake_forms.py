"""What the interfaces of all models share in the fake one: ids, halves of a stream, and tools that must be called."""

import hashlib
import json


def id_of(request):
    """Another id for another request, and the same one in each recording."""
    return f"response-{hashlib.sha256(json.dumps(request).encode()).hexdigest()[:8]}"


def halves(text):
    return [text[: len(text) // 2], text[len(text) // 2 :]]


def forced_of(choice):
    """The tool that must be called, in the words of any of the interfaces."""
    if isinstance(choice, str):
        return "any" if choice in ("required", "any") else None
    if not isinstance(choice, dict) or choice.get("type") == "auto":
        return None
    return (choice.get("function") or choice).get("name") or ("any" if choice.get("type") == "any" else None)


def sse(events):
    """Server-sent events."""
    return b"".join(
        (f"event: {name}\n" if name else "").encode() + f"data: {json.dumps(event)}\n\n".encode()
        for name, event in events
    )
