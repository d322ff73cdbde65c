"""Calls of Groq's client, for the instrumentations of it."""

import asyncio
import os

from groq import APIError, AsyncGroq, Groq
from recorded import HISTORY, LOOKUP, OUTPUT

SYSTEM = {"role": "system", "content": "SECRET prompt"}
MODEL = "fake-model"
os.environ["GROQ_BASE_URL"] = os.environ["MODEL_URL"]
os.environ["GROQ_API_KEY"] = "none"


def ask(question, client=None, **options):
    return (client or Groq()).chat.completions.create(
        model=MODEL, messages=[SYSTEM, *HISTORY, {"role": "user", "content": question}], **options
    )


def conversation():
    ask("Q last")


def streamed():
    for _ in ask("Q streamed", stream=True):
        pass


def tool():
    client = Groq()
    messages = [SYSTEM, {"role": "user", "content": "Q TOOL SAYING call"}]
    tools = [{"type": "function", "function": LOOKUP}]
    asked = client.chat.completions.create(model=MODEL, messages=messages, tools=tools).choices[0].message
    messages += [asked.model_dump(exclude_none=True), {"role": "tool", "tool_call_id": "call-1", "content": OUTPUT}]
    client.chat.completions.create(model=MODEL, messages=messages, tools=tools)


def parts():
    content = [
        {"type": "text", "text": "Q parts"},
        {"type": "image_url", "image_url": {"url": "https://example.com/SECRET.png"}},
    ]
    Groq().chat.completions.create(model=MODEL, messages=[{"role": "user", "content": content}])


def concurrent():
    async def both():
        async with AsyncGroq() as client:
            await asyncio.gather(*(ask(f"Q concurrent {n}", client) for n in (1, 2)))

    asyncio.run(both())


def json_mode():
    ask("Q json", response_format={"type": "json_object"})


def failed():
    try:
        ask("Q FAIL call", Groq(max_retries=0))
    except APIError:
        pass


SCENARIOS = {run.__name__: run for run in (conversation, streamed, tool, parts, concurrent, json_mode, failed)}
