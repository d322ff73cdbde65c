# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "nemoguardrails[tracing]==0.24.1",
#   "langchain-openai==1.7.4",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import asyncio
import os

from recorded import HISTORY, open_provider, run

provider = open_provider()
# docs: begin
from nemoguardrails import LLMRails, RailsConfig

TRACING = """
tracing:
  enabled: true
  enable_content_capture: true
  adapters:
    - name: OpenTelemetry
"""
# docs: end
CHECKED = """
rails:
  input:
    flows:
      - self check input
prompts:
  - task: self_check_input
    content: SECRET check, should the message be blocked, yes or no? {{ user_input }}
"""
MODEL = f"""
models:
  - type: main
    engine: openai
    model: fake-model
    parameters:
      base_url: {os.environ["OPENAI_BASE_URL"]}
instructions:
  - type: general
    content: SECRET prompt
"""


def rails(*parts):
    return LLMRails(RailsConfig.from_content(yaml_content="".join([MODEL, TRACING, *parts])))


def ask(said, *parts):
    asyncio.run(rails(*parts).generate_async(messages=said))


def single():
    ask([{"role": "user", "content": "Q single"}])


def conversation():
    ask([*HISTORY, {"role": "user", "content": "Q last"}])


def checked():
    ask([{"role": "user", "content": "Q checked"}], CHECKED)


def blocked():
    ask([{"role": "user", "content": "Q BLOCK checked"}], CHECKED)


def streamed():
    async def go():
        async for _ in rails().stream_async(messages=[{"role": "user", "content": "Q streamed"}]):
            pass

    asyncio.run(go())


run(provider, globals())
