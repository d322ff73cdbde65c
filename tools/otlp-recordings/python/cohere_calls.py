"""Calls of the Cohere client, for the instrumentations of it."""

import os

from cohere import ClientV2
from recorded import HISTORY, LOOKUP, OUTPUT

SYSTEM = {"role": "system", "content": "SECRET prompt"}
MODEL = "fake-model"


def client():
    return ClientV2(api_key="none", base_url=os.environ["MODEL_URL"])


def conversation():
    client().chat(model=MODEL, messages=[SYSTEM, *HISTORY, {"role": "user", "content": "Q last"}])


def streamed():
    for _ in client().chat_stream(model=MODEL, messages=[SYSTEM, {"role": "user", "content": "Q streamed"}]):
        pass


def tool():
    messages = [SYSTEM, {"role": "user", "content": "Q TOOL call"}]
    tools = [{"type": "function", "function": LOOKUP}]
    asked = client().chat(model=MODEL, messages=messages, tools=tools).message
    result = {"role": "tool", "tool_call_id": asked.tool_calls[0].id, "content": OUTPUT}
    client().chat(
        model=MODEL, messages=[*messages, {"role": "assistant", "tool_calls": asked.tool_calls}, result], tools=tools
    )


SCENARIOS = {run.__name__: run for run in (conversation, streamed, tool)}
