# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "pydantic-ai-slim[openai]==1.107.10",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
# Stays below: pydantic-ai-slim[openai] 2
import asyncio

from pydantic import BaseModel
from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai_calls import SCENARIOS
from recorded import OUTPUT, open_provider, run

provider = open_provider()
# docs: begin
from pydantic_ai import Agent

Agent.instrument_all()
# docs: end


def helper():
    return Agent(OpenAIChatModel("fake-model"), instructions="SECRET prompt", name="helper")


def agent():
    asked = helper()

    @asked.tool_plain
    def lookup(word: str) -> str:
        """Looks a word up."""
        return OUTPUT

    history = [ModelRequest(parts=[UserPromptPart("Q first")]), ModelResponse(parts=[TextPart("A first")])]
    asked.run_sync("Q TOOL agent", message_history=history)


def streamed():
    async def ask():
        async with helper().run_stream("Q streamed") as result:
            async for _ in result.stream_text():
                pass

    asyncio.run(ask())


def structured():
    class Reply(BaseModel):
        text: str
        stars: int

    Agent(OpenAIChatModel("fake-model"), instructions="SECRET prompt", output_type=Reply).run_sync("Q structured")


def delegated():
    outer, inner = helper(), Agent(OpenAIChatModel("fake-model"), instructions="SECRET expert", name="expert")

    @outer.tool_plain
    async def lookup(word: str) -> str:
        """Asks an expert."""
        return (await inner.run(f"Q inner {word}")).output

    outer.run_sync("Q TOOL delegated")


def streamed_with_tool():
    asked = helper()

    @asked.tool_plain
    def lookup(word: str) -> str:
        """Looks a word up."""
        return OUTPUT

    async def ask():
        async with asked.iter("Q TOOL iterated") as steps:
            async for _ in steps:
                pass

    asyncio.run(ask())


def parts():
    from pydantic_ai import ImageUrl

    helper().run_sync(["Q parts", ImageUrl(url="https://example.com/a.png")])


run(provider, {**globals(), **SCENARIOS})
