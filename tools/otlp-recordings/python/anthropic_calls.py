"""Calls of the Anthropic client, for the instrumentations of it."""

from anthropic import Anthropic
from recorded import HISTORY, LOOKUP, OUTPUT

COMMON = {"model": "fake-model", "max_tokens": 100, "system": "SECRET prompt"}


def conversation():
    Anthropic().messages.create(**COMMON, messages=[*HISTORY, {"role": "user", "content": "Q last"}])


def streamed():
    with Anthropic().messages.stream(**COMMON, messages=[{"role": "user", "content": "Q streamed"}]) as stream:
        stream.get_final_message()


def streamed_raw():
    for _ in Anthropic().messages.create(**COMMON, messages=[{"role": "user", "content": "Q streamed"}], stream=True):
        pass


def tool():
    tools = [{"name": "lookup", "description": "Looks a word up.", "input_schema": LOOKUP["parameters"]}]
    messages = [{"role": "user", "content": [{"type": "text", "text": "Q TOOL call"}]}]
    asked = Anthropic().messages.create(**COMMON, messages=messages, tools=tools)
    result = {"type": "tool_result", "tool_use_id": "call-1", "content": OUTPUT}
    messages += [
        {"role": "assistant", "content": [asked.content[0].model_dump()]},
        {"role": "user", "content": [result]},
    ]
    Anthropic().messages.create(**COMMON, messages=messages, tools=tools)


SCENARIOS = {run.__name__: run for run in (conversation, streamed, streamed_raw, tool)}
