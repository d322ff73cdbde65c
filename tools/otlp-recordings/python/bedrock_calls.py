"""Calls of Amazon Bedrock, for the instrumentations of boto3."""

import json

import boto3
from recorded import LOOKUP, OUTPUT

SYSTEM = [{"text": "SECRET prompt"}]
MODEL = "anthropic.claude-3-haiku-20240307-v1:0"


def client():
    return boto3.client("bedrock-runtime")


def say(role, text):
    return {"role": role, "content": [{"text": text}]}


def conversation():
    messages = [say("user", "Q first"), say("assistant", "A first"), say("user", "Q last")]
    client().converse(modelId=MODEL, system=SYSTEM, messages=messages)


def streamed():
    for _ in client().converse_stream(modelId=MODEL, system=SYSTEM, messages=[say("user", "Q streamed")])["stream"]:
        pass


def invoked():
    messages = [{"role": "user", "content": "Q invoked"}]
    body = {
        "anthropic_version": "bedrock-2023-05-31",
        "max_tokens": 100,
        "system": "SECRET prompt",
        "messages": messages,
    }
    client().invoke_model(modelId=MODEL, body=json.dumps(body))["body"].read()


def tool():
    specification = {"name": "lookup", "description": "Looks a word up.", "inputSchema": {"json": LOOKUP["parameters"]}}
    tools = {"tools": [{"toolSpec": specification}]}
    messages = [say("user", "Q TOOL call")]
    asked = client().converse(modelId=MODEL, system=SYSTEM, messages=messages, toolConfig=tools)["output"]["message"]
    result = {"toolResult": {"toolUseId": "call-1", "content": [{"text": OUTPUT}]}}
    messages += [asked, {"role": "user", "content": [result]}]
    client().converse(modelId=MODEL, system=SYSTEM, messages=messages, toolConfig=tools)


SCENARIOS = {run.__name__: run for run in (conversation, streamed, invoked, tool)}
