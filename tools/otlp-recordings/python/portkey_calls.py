"""Calls of the Portkey client, for the instrumentations of it."""

import os

from portkey_ai import Portkey
from recorded import HISTORY, LOOKUP, OUTPUT

SYSTEM = {"role": "system", "content": "SECRET prompt"}
MODEL = "fake-model"


def client():
    return Portkey(api_key="none", provider="openai", base_url=os.environ["OPENAI_BASE_URL"])


def conversation():
    client().chat.completions.create(model=MODEL, messages=[SYSTEM, *HISTORY, {"role": "user", "content": "Q last"}])


def streamed():
    for _ in client().chat.completions.create(
        model=MODEL, messages=[SYSTEM, {"role": "user", "content": "Q streamed"}], stream=True
    ):
        pass


def tool():
    messages = [SYSTEM, {"role": "user", "content": "Q TOOL call"}]
    tools = [{"type": "function", "function": LOOKUP}]
    asked = client().chat.completions.create(model=MODEL, messages=messages, tools=tools).choices[0].message
    calls = [
        {
            "id": "call-1",
            "type": "function",
            "function": {"name": "lookup", "arguments": asked.tool_calls[0].function.arguments},
        }
    ]
    result = {"role": "tool", "tool_call_id": "call-1", "content": OUTPUT}
    client().chat.completions.create(
        model=MODEL,
        messages=[*messages, {"role": "assistant", "content": "", "tool_calls": calls}, result],
        tools=tools,
    )


SCENARIOS = {run.__name__: run for run in (conversation, streamed, tool)}
