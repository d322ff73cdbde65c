"""Calls of Mistral's client, for the instrumentations of it."""

import asyncio
import os

try:
    from mistralai.client import Mistral
except ImportError:
    from mistralai import Mistral
from recorded import HISTORY, LOOKUP, OUTPUT

SYSTEM = {"role": "system", "content": "SECRET prompt"}
MODEL = "fake-model"


def client():
    return Mistral(api_key="none", server_url=os.environ["MODEL_URL"])


def messages_of(question):
    return [SYSTEM, *HISTORY, {"role": "user", "content": question}]


def conversation():
    client().chat.complete(model=MODEL, messages=messages_of("Q last"))


def streamed():
    for _ in client().chat.stream(model=MODEL, messages=messages_of("Q streamed")):
        pass


def tool():
    mistral = client()
    messages = [SYSTEM, {"role": "user", "content": "Q TOOL SAYING call"}]
    tools = [{"type": "function", "function": LOOKUP}]
    asked = mistral.chat.complete(model=MODEL, messages=messages, tools=tools).choices[0].message
    messages += [asked.model_dump(exclude_none=True), {"role": "tool", "name": "lookup", "tool_call_id": "call-1", "content": OUTPUT}]
    mistral.chat.complete(model=MODEL, messages=messages, tools=tools)


def parts():
    content = [{"type": "text", "text": "Q parts"}, {"type": "image_url", "image_url": "https://example.com/SECRET.png"}]
    client().chat.complete(model=MODEL, messages=[{"role": "user", "content": content}])


def concurrent():
    async def both():
        mistral = client()
        await asyncio.gather(*(mistral.chat.complete_async(model=MODEL, messages=messages_of(f"Q concurrent {n}")) for n in (1, 2)))

    asyncio.run(both())


def json_mode():
    client().chat.complete(model=MODEL, messages=messages_of("Q json"), response_format={"type": "json_object"})


SCENARIOS = {run.__name__: run for run in (conversation, streamed, tool, parts, concurrent, json_mode)}
