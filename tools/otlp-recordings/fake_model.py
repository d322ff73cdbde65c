"""A model on loopback with the interfaces of OpenAI, Anthropic, Google, Amazon Bedrock and SageMaker, Cohere and Ollama.

Whole and streamed. `fake_decisions.py` says what it answers.
"""

import binascii
import json
import struct
from http.server import BaseHTTPRequestHandler
from urllib.parse import unquote

from fake_completions import answer_replicate, answer_sagemaker, answer_watsonx
from fake_decisions import Failure, decide, format_json
from fake_forms import forced_of, halves, id_of, sse
from fake_openai import answer_chat, answer_embeddings, answer_responses


def answer_anthropic(request):
    is_result = lambda m: (
        isinstance(m["content"], list) and any(part.get("type") == "tool_result" for part in m["content"])
    )
    tools = {tool["name"]: tool.get("input_schema", {}) for tool in request.get("tools") or []}
    text, calls = decide(request["messages"], tools, is_result, forced_of(request.get("tool_choice")))
    blocks = [
        {"type": "tool_use", "id": f"call-{n}", "name": name, "input": given}
        for n, (name, given) in enumerate(calls, 1)
    ]
    if text:
        blocks.insert(0, {"type": "text", "text": text})
    if "THINK" in (text or ""):
        blocks.insert(0, {"type": "thinking", "thinking": "SECRET thought", "signature": "none"})
    reason = "refusal" if text == "I cannot say that." else "tool_use" if calls else "end_turn"
    message = {
        "id": id_of(request),
        "type": "message",
        "role": "assistant",
        "model": "fake-model",
        "content": blocks,
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
    if not request.get("stream"):
        return message
    events = [{"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}]
    for n, block in enumerate(blocks):
        is_call = block["type"] == "tool_use"
        whole = [{"type": "input_json_delta", "partial_json": json.dumps(block["input"])}] if is_call else []
        deltas = whole or [{"type": "text_delta", "text": half} for half in halves(block["text"])]
        empty = {**block, "input": {}} if is_call else {**block, "text": ""}
        events += [
            {"type": "content_block_start", "index": n, "content_block": empty},
            *({"type": "content_block_delta", "index": n, "delta": delta} for delta in deltas),
            {"type": "content_block_stop", "index": n},
        ]
    events += [
        {
            "type": "message_delta",
            "delta": {"stop_reason": reason, "stop_sequence": None},
            "usage": {"output_tokens": 1},
        },
        {"type": "message_stop"},
    ]
    return sse([(event["type"], event) for event in events])


def answer_google(request, is_streamed):
    is_result = lambda m: any("functionResponse" in part for part in m["parts"])
    declared = [one for tool in request.get("tools", []) for one in tool.get("functionDeclarations", [])]
    tools = {one["name"]: one.get("parameters") or one.get("parametersJsonSchema") or {} for one in declared}
    mode = request.get("toolConfig", {}).get("functionCallingConfig", {}).get("mode")
    text, calls = decide(request["contents"], tools, is_result, "any" if mode == "ANY" else None)
    wanted = request.get("generationConfig", {})
    if not calls and "json" in wanted.get("responseMimeType", ""):
        text = format_json(wanted.get("responseSchema") or wanted.get("responseJsonSchema"), text)

    def chunk(parts, reason):
        candidate = {
            "content": {"role": "model", "parts": parts},
            "index": 0,
            **({"finishReason": reason} if reason else {}),
        }
        usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
        return {
            "candidates": [candidate],
            "usageMetadata": usage,
            "modelVersion": "fake-model",
            "responseId": id_of(request),
        }

    asked = [{"functionCall": {"name": name, "args": given}} for name, given in calls]
    if calls:
        turns = [[*([{"text": text}] if text else []), *asked]]
    else:
        turns = [[{"text": half}] for half in (halves(text) if is_streamed else [text])]
    chunks = [chunk(parts, "STOP" if n == len(turns) - 1 else None) for n, parts in enumerate(turns)]
    if is_streamed == "list":
        return json.dumps(chunks).encode()
    return sse([(None, event) for event in chunks]) if is_streamed else chunks[0]


def answer_bedrock(request, is_streamed):
    is_result = lambda m: any("toolResult" in part for part in m["content"])
    given = request.get("toolConfig", {})
    specs = [tool["toolSpec"] for tool in given.get("tools", [])]
    choice = given.get("toolChoice", {})
    forced = choice.get("tool", {}).get("name") or ("any" if "any" in choice else None)
    tools = {spec["name"]: spec.get("inputSchema", {}).get("json", {}) for spec in specs}
    text, calls = decide(request["messages"], tools, is_result, forced)
    reason = "tool_use" if calls else "end_turn"
    usage = {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2}
    asked = [{"toolUseId": f"call-{n}", "name": name, "input": given} for n, (name, given) in enumerate(calls, 1)]
    if not is_streamed:
        parts = [*([{"text": text}] if text is not None else []), *({"toolUse": call} for call in asked)]
        return {
            "output": {"message": {"role": "assistant", "content": parts}},
            "stopReason": reason,
            "usage": usage,
            "metrics": {"latencyMs": 1},
        }
    events = [("messageStart", {"role": "assistant"})]
    blocks = [*([(None, [{"text": half} for half in halves(text)])] if text is not None else [])]
    blocks += [
        (
            {"toolUse": {"toolUseId": call["toolUseId"], "name": call["name"]}},
            [{"toolUse": {"input": json.dumps(call["input"])}}],
        )
        for call in asked
    ]
    for n, (start, deltas) in enumerate(blocks):
        events += [("contentBlockStart", {"start": start, "contentBlockIndex": n})] if start else []
        events += [("contentBlockDelta", {"delta": delta, "contentBlockIndex": n}) for delta in deltas]
        events.append(("contentBlockStop", {"contentBlockIndex": n}))
    events += [("messageStop", {"stopReason": reason}), ("metadata", {"usage": usage, "metrics": {"latencyMs": 1}})]
    return b"".join(format_aws_event(name, event) for name, event in events)


def answer_ollama(request):
    tools = {tool["function"]["name"]: tool["function"].get("parameters", {}) for tool in request.get("tools") or []}
    text, calls = decide(request["messages"], tools, lambda m: m["role"] == "tool")
    common = {"model": "fake-model", "created_at": "2026-01-01T00:00:00Z"}
    asked = [{"function": {"name": name, "arguments": given}} for name, given in calls]
    ended = {
        "done": True,
        "done_reason": "stop",
        "total_duration": 1,
        "load_duration": 1,
        "prompt_eval_count": 1,
        "eval_count": 1,
    }
    whole = {"role": "assistant", "content": text or "", **({"tool_calls": asked} if asked else {})}
    if not request.get("stream"):
        return {**common, "message": whole, **ended}
    pieces = [{"role": "assistant", "content": half} for half in halves(text)] if text and not asked else [whole]
    lines = [{**common, "message": piece, "done": False} for piece in pieces]
    lines.append({**common, "message": {"role": "assistant", "content": ""}, **ended})
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def answer_cohere(request):
    tools = {tool["function"]["name"]: tool["function"].get("parameters", {}) for tool in request.get("tools") or []}
    text, calls = decide(request["messages"], tools, lambda m: m["role"] == "tool")
    asked = [
        {"id": f"call-{n}", "type": "function", "function": {"name": name, "arguments": json.dumps(given)}}
        for n, (name, given) in enumerate(calls, 1)
    ]
    reason = "TOOL_CALL" if calls else "COMPLETE"
    usage = {"billed_units": {"input_tokens": 1, "output_tokens": 1}, "tokens": {"input_tokens": 1, "output_tokens": 1}}
    content = [] if text is None else [{"type": "text", "text": text}]
    message = {"role": "assistant", "content": content, **({"tool_calls": asked} if asked else {})}
    if not request.get("stream"):
        return {"id": id_of(request), "finish_reason": reason, "message": message, "usage": usage}
    at = lambda kind, **more: (kind, {"type": kind, "index": 0, **more})
    part = lambda text: {"message": {"content": {"type": "text", "text": text}}}
    events = [
        (
            "message-start",
            {
                "type": "message-start",
                "id": id_of(request),
                "delta": {"message": {"role": "assistant", "content": [], "tool_plan": "", "tool_calls": []}},
            },
        ),
        at("content-start", delta=part("")),
        *(at("content-delta", delta={"message": {"content": {"text": half}}}) for half in halves(text or "")),
        at("content-end"),
        (
            "message-end",
            {"type": "message-end", "id": id_of(request), "delta": {"finish_reason": reason, "usage": usage}},
        ),
    ]
    return sse(events)


def format_aws_event(name, event):
    """A message of `application/vnd.amazon.eventstream`: lengths, their CRC, headers, payload, the CRC of all."""
    header = lambda key, value: (
        struct.pack("!B", len(key)) + key.encode() + struct.pack("!BH", 7, len(value)) + value.encode()
    )
    headers = (
        header(":message-type", "event") + header(":event-type", name) + header(":content-type", "application/json")
    )
    payload = json.dumps(event).encode()
    prelude = struct.pack("!II", 16 + len(headers) + len(payload), len(headers))
    message = prelude + struct.pack("!I", binascii.crc32(prelude)) + headers + payload
    return message + struct.pack("!I", binascii.crc32(message))


def answer(path, query, request):
    if path.endswith("/chat/completions") or path.endswith("/v1/chat"):
        return answer_chat(request)
    if path.endswith("/text/chat"):
        return answer_chat(request)
    if "/text/generation" in path:
        return answer_watsonx(request, path.endswith("_stream"))
    if path.endswith("/predictions"):
        return answer_replicate(request)
    if path.endswith("/invocations"):
        return answer_sagemaker(request)
    if path.endswith("/responses"):
        return answer_responses(request)
    if path.endswith("/embeddings"):
        return answer_embeddings(request)
    if path.endswith("/api/chat"):
        return answer_ollama(request)
    if path.endswith("/v2/chat"):
        return answer_cohere(request)
    if path.endswith("/messages") or path.endswith("/invoke"):
        return answer_anthropic(request)
    if "enerateContent" in path:
        # The older SDK of Vertex AI wants a stream as a list.
        return answer_google(request, "stream" in path and ("list" if "alt=json" in query else "sse"))
    return answer_bedrock(request, path.endswith("-stream"))


def read_body(handler):
    """The body of a request, also of one that came in chunks."""
    if handler.headers.get("Transfer-Encoding") != "chunked":
        return handler.rfile.read(int(handler.headers["Content-Length"] or 0))
    chunks = []
    while size := int(handler.rfile.readline().split(b";")[0], 16):
        chunks.append(handler.rfile.read(size))
        handler.rfile.readline()
    handler.rfile.readline()
    return b"".join(chunks)


class FakeModel(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        try:
            path, _, query = self.path.partition("?")
            status, given = 200, answer(path, unquote(query), json.loads(read_body(self)))
        except Failure:
            status, given = 500, {"error": {"type": "server_error", "message": "SECRET failure"}}
        is_streamed = isinstance(given, bytes)
        body = given if is_streamed else json.dumps(given).encode()
        streamed = "application/vnd.amazon.eventstream" if self.path.endswith("-stream") else "text/event-stream"
        self.send_response(status)
        self.send_header("Content-Type", streamed if is_streamed else "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        """The stream of a prediction of Replicate."""
        text = bytes.fromhex(self.path.removeprefix("/v1/streams/")).decode()
        events = [*(("output", half) for half in halves(text)), ("done", "{}")]
        body = "".join(f"event: {name}\nid: {n}\ndata: {piece}\n\n" for n, (name, piece) in enumerate(events)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass
