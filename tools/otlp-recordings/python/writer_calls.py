"""Calls of the Writer client, for the instrumentations of it."""

import os

from recorded import HISTORY, LOOKUP, OUTPUT
from writerai import Writer

SYSTEM = {"role": "system", "content": "SECRET prompt"}
MODEL = "fake-model"


def client():
    return Writer(api_key="none", base_url=os.environ["MODEL_URL"])


def conversation():
    client().chat.chat(model=MODEL, messages=[SYSTEM, *HISTORY, {"role": "user", "content": "Q last"}])


def streamed():
    for _ in client().chat.chat(model=MODEL, messages=[SYSTEM, {"role": "user", "content": "Q streamed"}], stream=True):
        pass


def tool():
    messages = [SYSTEM, {"role": "user", "content": "Q TOOL call"}]
    tools = [{"type": "function", "function": LOOKUP}]
    asked = client().chat.chat(model=MODEL, messages=messages, tools=tools).choices[0].message
    calls = [call.model_dump() for call in asked.tool_calls]
    said = {"role": "assistant", "content": "", "tool_calls": calls}
    result = {"role": "tool", "tool_call_id": "call-1", "content": OUTPUT}
    client().chat.chat(model=MODEL, messages=[*messages, said, result], tools=tools)


SCENARIOS = {run.__name__: run for run in (conversation, streamed, tool)}
