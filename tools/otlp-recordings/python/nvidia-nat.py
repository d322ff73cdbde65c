# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "nvidia-nat[langchain,opentelemetry]==1.9.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import asyncio
import os
import tempfile

from recorded import run

ENDPOINT = os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"]
# docs: begin
TRACING = f"""
general:
  telemetry:
    tracing:
      answers:
        _type: otelcollector
        endpoint: {ENDPOINT}/v1/traces
        project: support-bot
"""
# docs: end
MODEL = f"""
llms:
  model:
    _type: openai
    model_name: fake-model
    api_key: none
    base_url: {os.environ["OPENAI_BASE_URL"]}
"""
CHAT = """
workflow:
  _type: chat_completion
  llm_name: model
  system_prompt: SECRET prompt
"""
AGENT = """
functions:
  lookup:
    _type: current_datetime
workflow:
  _type: tool_calling_agent
  llm_name: model
  tool_names: [lookup]
  system_prompt: SECRET prompt
"""


def ask(question, workflow, is_streamed=False):
    from nat.runtime.loader import load_workflow

    async def go():
        with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
            file.write(TRACING + MODEL + workflow)
            file.flush()
            async with load_workflow(file.name) as session, session.run(question) as runner:
                if is_streamed:
                    async for _ in runner.result_stream():
                        pass
                else:
                    await runner.result(to_type=str)
            await asyncio.sleep(3)

    asyncio.run(go())


def single():
    ask("Q single", CHAT)


def agent_with_tool():
    ask("Q TOOL agent", AGENT)


def agent_streamed():
    ask("Q TOOL streamed", AGENT, is_streamed=True)


run(None, globals())
