"""Calls of the Ollama client, for the instrumentations of it."""

import os

from ollama import Client
from recorded import HISTORY, LOOKUP, OUTPUT

SYSTEM = {"role": "system", "content": "SECRET prompt"}
MODEL = "fake-model"


def client():
    return Client(host=os.environ["MODEL_URL"])


def conversation():
    client().chat(model=MODEL, messages=[SYSTEM, *HISTORY, {"role": "user", "content": "Q last"}])


def streamed():
    for _ in client().chat(model=MODEL, messages=[SYSTEM, {"role": "user", "content": "Q streamed"}], stream=True):
        pass


def tool():
    messages = [SYSTEM, {"role": "user", "content": "Q TOOL call"}]
    tools = [{"type": "function", "function": LOOKUP}]
    asked = client().chat(model=MODEL, messages=messages, tools=tools).message
    client().chat(
        model=MODEL,
        messages=[*messages, asked, {"role": "tool", "tool_name": "lookup", "content": OUTPUT}],
        tools=tools,
    )


SCENARIOS = {run.__name__: run for run in (conversation, streamed, tool)}
