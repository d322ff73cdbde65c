"""Calls of Mistral's client, for the instrumentations of it."""

import asyncio
import os

try:
    from mistralai.client import Mistral

    AS_OBJECT = {}
except ImportError:
    from mistralai import AssistantMessage, Mistral, SystemMessage, ToolMessage, UserMessage

    AS_OBJECT = {"assistant": AssistantMessage, "system": SystemMessage, "tool": ToolMessage, "user": UserMessage}
from recorded import HISTORY, LOOKUP, OUTPUT

SYSTEM = {"role": "system", "content": "SECRET prompt"}
MODEL = "fake-model"


def client():
    return Mistral(api_key="none", server_url=os.environ["MODEL_URL"])


def typed(messages):
    """Messages as objects of version 1, of which OpenLLMetry reads no others."""
    return [AS_OBJECT[one["role"]](**one) if AS_OBJECT else one for one in messages]


def messages_of(question):
    return typed([SYSTEM, *HISTORY, {"role": "user", "content": question}])


def conversation():
    client().chat.complete(model=MODEL, messages=messages_of("Q last"))


def streamed():
    for _ in client().chat.stream(model=MODEL, messages=messages_of("Q streamed")):
        pass


def tool():
    mistral = client()
    messages = [SYSTEM, {"role": "user", "content": "Q TOOL SAYING call"}]
    tools = [{"type": "function", "function": LOOKUP}]
    asked = mistral.chat.complete(model=MODEL, messages=typed(messages), tools=tools).choices[0].message
    messages += [
        asked.model_dump(exclude_none=True),
        {"role": "tool", "name": "lookup", "tool_call_id": "call-1", "content": OUTPUT},
    ]
    mistral.chat.complete(model=MODEL, messages=typed(messages), tools=tools)


def parts():
    content = [
        {"type": "text", "text": "Q parts"},
        {"type": "image_url", "image_url": "https://example.com/SECRET.png"},
    ]
    client().chat.complete(model=MODEL, messages=typed([{"role": "user", "content": content}]))


def concurrent():
    async def both():
        mistral = client()
        await asyncio.gather(
            *(mistral.chat.complete_async(model=MODEL, messages=messages_of(f"Q concurrent {n}")) for n in (1, 2))
        )

    asyncio.run(both())


def json_mode():
    client().chat.complete(model=MODEL, messages=messages_of("Q json"), response_format={"type": "json_object"})


SCENARIOS = {run.__name__: run for run in (conversation, streamed, tool, parts, concurrent, json_mode)}
