"""Calls of the OpenAI client, for the instrumentations of it."""

from openai import OpenAI
from recorded import HISTORY, LOOKUP, OUTPUT

SYSTEM = {"role": "system", "content": "SECRET prompt"}
MODEL = "fake-model"


def conversation(client=None):
    messages = [SYSTEM, *HISTORY, {"role": "user", "content": "Q last"}]
    (client or OpenAI()).chat.completions.create(model=MODEL, messages=messages)


def parts(client=None):
    content = [{"type": "text", "text": "Q parts"}, {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}]
    (client or OpenAI()).chat.completions.create(model=MODEL, messages=[{"role": "user", "content": content}])


def streamed(client=None):
    messages = [SYSTEM, {"role": "user", "content": "Q streamed"}]
    options = {"stream_options": {"include_usage": True}}
    for _ in (client or OpenAI()).chat.completions.create(model=MODEL, messages=messages, stream=True, **options):
        pass


def tool(client=None):
    client = client or OpenAI()
    messages = [SYSTEM, {"role": "user", "content": "Q TOOL call"}]
    tools = [{"type": "function", "function": LOOKUP}]
    asked = client.chat.completions.create(model=MODEL, messages=messages, tools=tools).choices[0].message
    messages += [asked.model_dump(exclude_none=True), {"role": "tool", "tool_call_id": "call-1", "content": OUTPUT}]
    client.chat.completions.create(model=MODEL, messages=messages, tools=tools)


def responses(client=None):
    client = client or OpenAI()
    tools = [{"type": "function", **LOOKUP}]
    given = [*HISTORY, {"role": "user", "content": "Q TOOL responses"}]
    asked = client.responses.create(model=MODEL, instructions="SECRET prompt", input=given, tools=tools).output[0]
    result = {"type": "function_call_output", "call_id": "call-1", "output": OUTPUT}
    given += [asked.model_dump(exclude_none=True), result]
    client.responses.create(model=MODEL, instructions="SECRET prompt", input=given, tools=tools)


SCENARIOS = {run.__name__: run for run in (conversation, parts, streamed, tool, responses)}
