# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "livekit-agents[openai]==1.8.9",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import asyncio

from recorded import OUTPUT, open_provider, run

provider = open_provider()
# docs: begin
from livekit.agents import telemetry

telemetry.set_tracer_provider(provider)
# docs: end
from livekit.agents import Agent, AgentSession, function_tool
from livekit.plugins import openai


@function_tool(name="lookup")
async def lookup(word: str) -> str:
    """Looks a word up."""
    return OUTPUT


def converse(*texts, **options):
    async def go():
        session = AgentSession(llm=openai.LLM(model="fake-model"))
        await session.start(Agent(instructions="SECRET prompt", **options))
        for text in texts:
            await session.run(user_input=text)
        await session.aclose()

    asyncio.run(go())


def agent_with_memory():
    converse("Q first", "Q second")


def agent_with_tool():
    converse("Q TOOL agent", tools=[lookup])


run(provider, globals())
