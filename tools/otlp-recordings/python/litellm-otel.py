# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "litellm==1.106.2",
#   "mcp==2.3.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from recorded import HISTORY, LOOKUP, OUTPUT, open_provider, run

provider = open_provider()
# docs: begin
import litellm

litellm.callbacks = ["otel"]
# docs: end
MODEL = "openai/fake-model"
SYSTEM = {"role": "system", "content": "SECRET prompt"}


def settle():
    import time

    time.sleep(2)


def conversation():
    litellm.completion(model=MODEL, messages=[SYSTEM, *HISTORY, {"role": "user", "content": "Q last"}])
    settle()


def streamed():
    for _ in litellm.completion(model=MODEL, messages=[SYSTEM, {"role": "user", "content": "Q streamed"}], stream=True):
        pass
    settle()


def tool():
    messages = [SYSTEM, {"role": "user", "content": "Q TOOL call"}]
    tools = [{"type": "function", "function": LOOKUP}]
    asked = litellm.completion(model=MODEL, messages=messages, tools=tools).choices[0].message
    messages += [asked.model_dump(exclude_none=True), {"role": "tool", "tool_call_id": "call-1", "content": OUTPUT}]
    litellm.completion(model=MODEL, messages=messages, tools=tools)
    settle()


run(provider, globals())
