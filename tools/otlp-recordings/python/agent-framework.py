# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "agent-framework-core==1.23.0",
#   "agent-framework-openai==1.17.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import asyncio

from agent_framework import Agent
from agent_framework.openai import OpenAIChatCompletionClient
from recorded import OUTPUT, open_provider, run

provider = open_provider()
# docs: begin
from agent_framework.observability import enable_instrumentation

enable_instrumentation(enable_sensitive_data=True)
# docs: end


def lookup(word: str) -> str:
    """Looks a word up."""
    return OUTPUT


def helper():
    return Agent(OpenAIChatCompletionClient(model="fake-model"), instructions="SECRET prompt", name="helper", tools=[lookup])


def agent_with_memory():
    async def ask():
        asked = helper()
        session = asked.create_session()
        await asked.run("Q first", session=session)
        await asked.run("Q TOOL second", session=session)

    asyncio.run(ask())


def streamed():
    async def ask():
        async for _ in helper().run("Q streamed", stream=True):
            pass

    asyncio.run(ask())


run(provider, globals())
