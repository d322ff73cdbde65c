# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai-agents==0.24.0",
#   "openinference-instrumentation-openai-agents==2.6.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import asyncio

from agents import Agent, Runner, function_tool
from recorded import HISTORY, OUTPUT, open_provider, run

provider = open_provider()
# docs: begin
from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor

OpenAIAgentsInstrumentor().instrument(tracer_provider=provider)
# docs: end


@function_tool
def lookup(word: str) -> str:
    """Looks a word up."""
    return OUTPUT


AGENT = Agent(name="helper", instructions="SECRET prompt", model="fake-model", tools=[lookup])


def agent():
    Runner.run_sync(AGENT, [*HISTORY, {"role": "user", "content": "Q TOOL agent"}])


def streamed():
    async def ask():
        async for _ in Runner.run_streamed(AGENT, "Q streamed").stream_events():
            pass

    asyncio.run(ask())


run(provider, globals())
