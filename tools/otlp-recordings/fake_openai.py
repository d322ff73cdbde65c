"""The interfaces of OpenAI in the fake model: chat, responses and embeddings."""

import base64
import json
import struct

from fake_decisions import Refusal, decide, format_json
from fake_forms import forced_of, halves, id_of, sse


def answer_chat(request):
    tools = {tool["function"]["name"]: tool["function"].get("parameters", {}) for tool in request.get("tools") or []}
    text, calls = decide(
        request["messages"], tools, lambda m: m["role"] == "tool", forced_of(request.get("tool_choice"))
    )
    wanted = request.get("response_format") or {}
    if not calls and not isinstance(text, Refusal) and "json" in wanted.get("type", ""):
        text = format_json(wanted.get("json_schema", {}).get("schema"), text)
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    common = {"id": id_of(request), "created": 1767225600, "model": "fake-model"}
    asked = [
        {
            "index": n,
            "id": f"call-{n + 1}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(given)},
        }
        for n, (name, given) in enumerate(calls)
    ]
    reason = "tool_calls" if calls else "stop"
    said = {"content": None, "refusal": text} if isinstance(text, Refusal) else {"content": text}
    if request.get("stream"):
        whole = [{"role": "assistant", **said, "tool_calls": asked}] if calls else [{"role": "assistant", **said}]
        deltas = (
            [{"role": "assistant", "content": half} for half in halves(text)]
            if not calls and said["content"]
            else whole
        )
        chunks = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
        chunks.append({"index": 0, "delta": {}, "finish_reason": reason})
        events = [{**common, "object": "chat.completion.chunk", "choices": [chunk]} for chunk in chunks]
        events.append({**common, "object": "chat.completion.chunk", "choices": [], "usage": usage})
        return sse([(None, event) for event in events]) + b"data: [DONE]\n\n"
    choices = [
        {
            "index": n,
            "message": {"role": "assistant", **said, **({"tool_calls": asked} if calls else {})},
            "finish_reason": reason,
        }
        for n in range(request.get("n") or 1)
    ]
    return {**common, "object": "chat.completion", "choices": choices, "usage": usage}


def answer_responses(request):
    given = request["input"]
    messages = [{"role": "user", "content": given}] if isinstance(given, str) else given
    tools = {tool["name"]: tool.get("parameters", {}) for tool in request.get("tools") or [] if "name" in tool}
    is_result = lambda m: m.get("type") == "function_call_output"
    text, calls = decide(messages, tools, is_result, forced_of(request.get("tool_choice")))
    wanted = (request.get("text") or {}).get("format", {})
    if not calls and not isinstance(text, Refusal) and "json" in wanted.get("type", ""):
        text = format_json(wanted.get("schema"), text)
    items = [
        {
            "type": "function_call",
            "id": f"item-{n}",
            "call_id": f"call-{n}",
            "name": name,
            "arguments": json.dumps(asked),
            "status": "completed",
        }
        for n, (name, asked) in enumerate(calls, 1)
    ]
    if text is not None:
        is_refusal = isinstance(text, Refusal)
        part = (
            {"type": "refusal", "refusal": text}
            if is_refusal
            else {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
        )
        items.insert(
            0,
            {
                "type": "message",
                "id": f"item-{len(items) + 1}",
                "role": "assistant",
                "status": "completed",
                "content": [part],
            },
        )
    usage = {
        "input_tokens": 1,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 1,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 2,
    }
    response = {
        "id": id_of(request),
        "object": "response",
        "created_at": 1767225600,
        "model": "fake-model",
        "status": "completed",
        "output": items,
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "tools": [],
        "usage": usage,
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "temperature": 1.0,
        "top_p": 1.0,
    }
    if not request.get("stream"):
        return response
    events = [
        {"type": "response.created", "response": {**response, "status": "in_progress", "output": [], "usage": None}}
    ]
    for n, item in enumerate(items):
        events += stream_item(n, item)
    events.append({"type": "response.completed", "response": response})
    return sse([(event["type"], {**event, "sequence_number": n}) for n, event in enumerate(events)])


def stream_item(n, item):
    """The events of one item of a response."""
    at = {"output_index": n, "item_id": item["id"]}
    content = {**at, "content_index": 0}
    if item["type"] == "function_call":
        empty = {**item, "arguments": ""}
        events = [
            {"type": "response.function_call_arguments.delta", **at, "delta": item["arguments"]},
            {
                "type": "response.function_call_arguments.done",
                **at,
                "name": item["name"],
                "arguments": item["arguments"],
            },
        ]
    elif item["content"][0]["type"] == "refusal":
        empty, [part] = {**item, "content": []}, item["content"]
        events = [
            {"type": "response.content_part.added", **content, "part": {**part, "refusal": ""}},
            {"type": "response.refusal.delta", **content, "delta": part["refusal"]},
            {"type": "response.refusal.done", **content, "refusal": part["refusal"]},
            {"type": "response.content_part.done", **content, "part": part},
        ]
    else:
        empty, [part] = {**item, "content": []}, item["content"]
        text = part["text"]
        events = [
            {"type": "response.content_part.added", **content, "part": {**part, "text": ""}},
            *(
                {"type": "response.output_text.delta", **content, "delta": half, "logprobs": []}
                for half in halves(text)
            ),
            {"type": "response.output_text.done", **content, "text": text, "logprobs": []},
            {"type": "response.content_part.done", **content, "part": part},
        ]
    added = {"type": "response.output_item.added", "output_index": n, "item": {**empty, "status": "in_progress"}}
    return [added, *events, {"type": "response.output_item.done", "output_index": n, "item": item}]


def answer_embeddings(request):
    given = request["input"] if isinstance(request["input"], list) else [request["input"]]
    vector = [1.0, 0.0, 0.0, 0.0]
    if request.get("encoding_format") == "base64":
        vector = base64.b64encode(struct.pack("<4f", *vector)).decode()
    found = [{"object": "embedding", "index": n, "embedding": vector} for n in range(len(given))]
    return {
        "object": "list",
        "model": "fake-embedding",
        "data": found,
        "usage": {"prompt_tokens": 1, "total_tokens": 1},
    }
