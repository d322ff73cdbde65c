"""Calls of LiteLLM, for the instrumentations of it."""

import litellm
from recorded import HISTORY, LOOKUP, OUTPUT

MODEL = "openai/fake-model"
SYSTEM = {"role": "system", "content": "SECRET prompt"}


def conversation():
    litellm.completion(model=MODEL, messages=[SYSTEM, *HISTORY, {"role": "user", "content": "Q last"}])


def streamed():
    for _ in litellm.completion(model=MODEL, messages=[SYSTEM, {"role": "user", "content": "Q streamed"}], stream=True):
        pass


def tool():
    messages = [SYSTEM, {"role": "user", "content": "Q TOOL call"}]
    tools = [{"type": "function", "function": LOOKUP}]
    asked = litellm.completion(model=MODEL, messages=messages, tools=tools).choices[0].message
    messages += [asked.model_dump(exclude_none=True), {"role": "tool", "tool_call_id": "call-1", "content": OUTPUT}]
    litellm.completion(model=MODEL, messages=messages, tools=tools)


SCENARIOS = {run.__name__: run for run in (conversation, streamed, tool)}
