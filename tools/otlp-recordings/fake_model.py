"""A model on loopback with the interfaces of OpenAI, Anthropic, Google and Amazon Bedrock, whole and streamed.

It answers `ANSWER<<the last line of the user's that begins with Q>>`, and asks for the tool `lookup` first where that
line contains TOOL.
"""

import base64
import binascii
import hashlib
import json
import re
import struct
from http.server import BaseHTTPRequestHandler

ARGUMENTS = {"word": "SECRET argument"}


def text_of(content):
    """The texts of a message, in the form of any of the interfaces."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        content = [content]
    return "\n".join(part.get("text") or "" for part in content or [])


def decide(messages, tools, is_result):
    """The answer to a conversation, or the call of a tool: `(text, None)` or `(None, (name, arguments))`."""
    users = [n for n, m in enumerate(messages) if m.get("role") == "user" and text_of(m.get("content") or m.get("parts"))]
    texts = [text_of(messages[n].get("content") or messages[n].get("parts")) for n in users]
    said = texts[-1]
    # Some frameworks hand over the result of a tool as a message of the user.
    had_result = "TOOL OUTPUT" in said or any(is_result(m) for m in messages[users[-1] + 1 :])
    lines = next((found for text in reversed(texts) if (found := re.findall(r"\bQ [^\n]*", text))), [])
    asked = lines[-1] if lines else said
    answer = f"ANSWER<<{asked}>>"
    lookup = next((name for name in tools if "lookup" in name), None)
    if "TOOL" in asked and lookup and not had_result:
        return None, (lookup, ARGUMENTS)
    transfer = next((name for name in tools if name.startswith("transfer_to")), None)
    if "HANDOFF" in asked and transfer and not had_result:
        return None, (transfer, {})
    if "final_result" in tools:
        return None, ("final_result", {"text": answer, "stars": 5})
    if "final_answer" in tools:
        return None, ("final_answer", {"answer": answer})
    if "[[ ## next_tool_name ## ]]" in said:
        name, given = ("finish", {}) if "[[ ## observation_0 ## ]]" in said else ("lookup", ARGUMENTS)
        fields = {"next_thought": "done", "next_tool_name": name, "next_tool_args": json.dumps(given), "completed": ""}
        return "\n\n".join(f"[[ ## {field} ## ]]\n{value}" for field, value in fields.items()), None
    if "[[ ## answer ## ]]" in said:
        reasoning = "[[ ## reasoning ## ]]\nnone\n\n" if "[[ ## reasoning ## ]]" in said else ""
        return f"{reasoning}[[ ## answer ## ]]\n{answer}\n\n[[ ## completed ## ]]", None
    if "Final Answer" in json.dumps(messages):
        return f"Thought: done\nFinal Answer: {answer}", None
    return answer, None


def id_of(request):
    """Another id for another request, and the same one in each recording."""
    return f"response-{hashlib.sha256(json.dumps(request).encode()).hexdigest()[:8]}"


def halves(text):
    return [text[: len(text) // 2], text[len(text) // 2 :]]


def answer_chat(request):
    tools = [tool["function"]["name"] for tool in request.get("tools", [])]
    text, call = decide(request["messages"], tools, lambda m: m["role"] == "tool")
    if text is not None and "json" in request.get("response_format", {}).get("type", ""):
        text = json.dumps({"text": text, "stars": 5})
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    common = {"id": id_of(request), "created": 1767225600, "model": "fake-model"}
    function = call and {"name": call[0], "arguments": json.dumps(call[1])}
    calls = [{"index": 0, "id": "call-1", "type": "function", "function": function}] if call else None
    reason = "tool_calls" if call else "stop"
    if request.get("stream"):
        deltas = [{"role": "assistant", "tool_calls": calls}] if call else [{"role": "assistant", "content": half} for half in halves(text)]
        chunks = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
        chunks.append({"index": 0, "delta": {}, "finish_reason": reason})
        events = [{**common, "object": "chat.completion.chunk", "choices": [chunk]} for chunk in chunks]
        events.append({**common, "object": "chat.completion.chunk", "choices": [], "usage": usage})
        return sse([(None, event) for event in events]) + b"data: [DONE]\n\n"
    message = {"role": "assistant", "content": text, **({"tool_calls": calls} if call else {})}
    return {**common, "object": "chat.completion", "choices": [{"index": 0, "message": message, "finish_reason": reason}], "usage": usage}


def answer_responses(request):
    given = request["input"]
    messages = [{"role": "user", "content": given}] if isinstance(given, str) else given
    text, call = decide(messages, [tool["name"] for tool in request.get("tools", [])], lambda m: m.get("type") == "function_call_output")
    if call:
        item = {"type": "function_call", "id": "item-1", "call_id": "call-1", "name": call[0], "arguments": json.dumps(call[1]), "status": "completed"}
    else:
        part = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
        item = {"type": "message", "id": "item-1", "role": "assistant", "status": "completed", "content": [part]}
    usage = {"input_tokens": 1, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 1, "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 2}
    response = {
        "id": id_of(request), "object": "response", "created_at": 1767225600, "model": "fake-model", "status": "completed", "output": [item],
        "parallel_tool_calls": False, "tool_choice": "auto", "tools": [], "usage": usage, "error": None, "incomplete_details": None, "instructions": None,
        "metadata": {}, "temperature": 1.0, "top_p": 1.0,
    }
    if not request.get("stream"):
        return response
    at = {"output_index": 0, "item_id": "item-1"}
    started = {**response, "status": "in_progress", "output": [], "usage": None}
    events = [{"type": "response.created", "response": started}]
    if call:
        events += [
            {"type": "response.output_item.added", "output_index": 0, "item": {**item, "arguments": "", "status": "in_progress"}},
            {"type": "response.function_call_arguments.delta", **at, "delta": item["arguments"]},
            {"type": "response.function_call_arguments.done", **at, "name": call[0], "arguments": item["arguments"]},
        ]
    else:
        content = {**at, "content_index": 0}
        events += [
            {"type": "response.output_item.added", "output_index": 0, "item": {**item, "content": [], "status": "in_progress"}},
            {"type": "response.content_part.added", **content, "part": {**part, "text": ""}},
            *({"type": "response.output_text.delta", **content, "delta": half, "logprobs": []} for half in halves(text)),
            {"type": "response.output_text.done", **content, "text": text, "logprobs": []},
            {"type": "response.content_part.done", **content, "part": part},
        ]
    events += [{"type": "response.output_item.done", "output_index": 0, "item": item}, {"type": "response.completed", "response": response}]
    return sse([(event["type"], {**event, "sequence_number": n}) for n, event in enumerate(events)])


def answer_embeddings(request):
    given = request["input"] if isinstance(request["input"], list) else [request["input"]]
    vector = [1.0, 0.0, 0.0, 0.0]
    if request.get("encoding_format") == "base64":
        vector = base64.b64encode(struct.pack("<4f", *vector)).decode()
    found = [{"object": "embedding", "index": n, "embedding": vector} for n in range(len(given))]
    return {"object": "list", "model": "fake-embedding", "data": found, "usage": {"prompt_tokens": 1, "total_tokens": 1}}


def answer_anthropic(request):
    is_result = lambda m: isinstance(m["content"], list) and any(part.get("type") == "tool_result" for part in m["content"])
    text, call = decide(request["messages"], [tool["name"] for tool in request.get("tools", [])], is_result)
    block = {"type": "tool_use", "id": "call-1", "name": call[0], "input": call[1]} if call else {"type": "text", "text": text}
    reason = "tool_use" if call else "end_turn"
    message = {
        "id": id_of(request), "type": "message", "role": "assistant", "model": "fake-model", "content": [block], "stop_reason": reason,
        "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
    }
    if not request.get("stream"):
        return message
    deltas = [{"type": "input_json_delta", "partial_json": json.dumps(call[1])}] if call else [{"type": "text_delta", "text": half} for half in halves(text)]
    events = [
        {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": {**block, "input": {}} if call else {**block, "text": ""}},
        *({"type": "content_block_delta", "index": 0, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]
    return sse([(event["type"], event) for event in events])


def answer_google(request, is_streamed):
    is_result = lambda m: any("functionResponse" in part for part in m["parts"])
    tools = [declared["name"] for tool in request.get("tools", []) for declared in tool.get("functionDeclarations", [])]
    text, call = decide(request["contents"], tools, is_result)

    def chunk(part, reason):
        candidate = {"content": {"role": "model", "parts": [part]}, "index": 0, **({"finishReason": reason} if reason else {})}
        usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
        return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "fake-model", "responseId": id_of(request)}

    if call:
        parts = [{"functionCall": {"name": call[0], "args": call[1]}}]
    else:
        parts = [{"text": half} for half in (halves(text) if is_streamed else [text])]
    chunks = [chunk(part, "STOP" if n == len(parts) - 1 else None) for n, part in enumerate(parts)]
    return sse([(None, event) for event in chunks]) if is_streamed else chunks[0]


def answer_bedrock(request, is_streamed):
    is_result = lambda m: any("toolResult" in part for part in m["content"])
    tools = [tool["toolSpec"]["name"] for tool in request.get("toolConfig", {}).get("tools", [])]
    text, call = decide(request["messages"], tools, is_result)
    reason = "tool_use" if call else "end_turn"
    usage = {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2}
    if not is_streamed:
        part = {"toolUse": {"toolUseId": "call-1", "name": call[0], "input": call[1]}} if call else {"text": text}
        message = {"role": "assistant", "content": [part]}
        return {"output": {"message": message}, "stopReason": reason, "usage": usage, "metrics": {"latencyMs": 1}}
    start = [{"start": {"toolUse": {"toolUseId": "call-1", "name": call[0]}}}] if call else []
    deltas = [{"toolUse": {"input": json.dumps(call[1])}}] if call else [{"text": half} for half in halves(text)]
    events = [
        ("messageStart", {"role": "assistant"}),
        *(("contentBlockStart", {**event, "contentBlockIndex": 0}) for event in start),
        *(("contentBlockDelta", {"delta": delta, "contentBlockIndex": 0}) for delta in deltas),
        ("contentBlockStop", {"contentBlockIndex": 0}),
        ("messageStop", {"stopReason": reason}),
        ("metadata", {"usage": usage, "metrics": {"latencyMs": 1}}),
    ]
    return b"".join(format_aws_event(name, event) for name, event in events)


def sse(events):
    """Server-sent events."""
    return b"".join((f"event: {name}\n" if name else "").encode() + f"data: {json.dumps(event)}\n\n".encode() for name, event in events)


def format_aws_event(name, event):
    """A message of `application/vnd.amazon.eventstream`: lengths, their CRC, headers, the payload and the CRC of all."""
    header = lambda key, value: struct.pack("!B", len(key)) + key.encode() + struct.pack("!BH", 7, len(value)) + value.encode()
    headers = header(":message-type", "event") + header(":event-type", name) + header(":content-type", "application/json")
    payload = json.dumps(event).encode()
    prelude = struct.pack("!II", 16 + len(headers) + len(payload), len(headers))
    message = prelude + struct.pack("!I", binascii.crc32(prelude)) + headers + payload
    return message + struct.pack("!I", binascii.crc32(message))


def answer(path, request):
    if path.endswith("/chat/completions"):
        return answer_chat(request)
    if path.endswith("/responses"):
        return answer_responses(request)
    if path.endswith("/embeddings"):
        return answer_embeddings(request)
    if path.endswith("/messages") or path.endswith("/invoke"):
        return answer_anthropic(request)
    if "enerateContent" in path:
        return answer_google(request, "stream" in path)
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
        given = answer(self.path.split("?")[0], json.loads(read_body(self)))
        is_streamed = isinstance(given, bytes)
        body = given if is_streamed else json.dumps(given).encode()
        streamed = "application/vnd.amazon.eventstream" if self.path.endswith("-stream") else "text/event-stream"
        self.send_response(200)
        self.send_header("Content-Type", streamed if is_streamed else "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass
