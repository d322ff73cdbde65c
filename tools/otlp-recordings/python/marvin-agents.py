# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "marvin==3.2.7",
#   "pydantic-ai==1.9.0",
#   "opentelemetry-sdk==1.38.0",
#   "opentelemetry-exporter-otlp-proto-http==1.38.0",
# ]
# ///
# Stays below: pydantic-ai 2
import asyncio

from recorded import OUTPUT, open_provider, run

provider = open_provider()
# docs: begin
import marvin
from pydantic_ai import Agent

Agent.instrument_all()
# docs: end
from pydantic_ai.models.openai import OpenAIModel

MODEL = OpenAIModel("fake-model")


def lookup(word: str) -> str:
    """Looks a word up."""
    return OUTPUT


def helper(**options):
    return marvin.Agent(name="helper", model=MODEL, instructions="SECRET prompt", **options)


def single():
    helper().run("Q single")


def agent_with_tool():
    helper(tools=[lookup]).run("Q TOOL agent")


def conversation():
    with marvin.Thread():
        agent = helper()
        agent.run("Q first")
        agent.run("Q second")


run(provider, globals())
