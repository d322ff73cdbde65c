"""Agents of smolagents, for the instrumentations of them."""

import os

from recorded import OUTPUT
from smolagents import CodeAgent, OpenAIServerModel, ToolCallingAgent, tool


@tool
def lookup(word: str) -> str:
    """Looks a word up.

    Args:
        word: the word
    """
    return OUTPUT


def ask(question):
    model = OpenAIServerModel("fake-model", api_base=os.environ["OPENAI_BASE_URL"], api_key="none")
    ToolCallingAgent(tools=[lookup], model=model, instructions="SECRET prompt", verbosity_level=0).run(question)


def agent_of_text():
    ask("Q agent")


def agent_with_tool():
    ask("Q TOOL agent")


def agent_streamed():
    model = OpenAIServerModel("fake-model", api_base=os.environ["OPENAI_BASE_URL"], api_key="none")
    for _ in ToolCallingAgent(tools=[lookup], model=model, stream_outputs=True, verbosity_level=0).run(
        "Q streamed", stream=True
    ):
        pass


def failed():
    try:
        ask("Q FAIL agent")
    except Exception:
        pass


def managed():
    model = OpenAIServerModel("fake-model", api_base=os.environ["OPENAI_BASE_URL"], api_key="none")
    expert = ToolCallingAgent(tools=[], model=model, name="lookup_expert", description="An expert", verbosity_level=0)
    ToolCallingAgent(
        tools=[], managed_agents=[expert], model=model, instructions="SECRET prompt", verbosity_level=0
    ).run("Q TOOL managed")


def tools_in_parallel():
    ask("Q PARALLEL agent")


def code_agent():
    model = OpenAIServerModel("fake-model", api_base=os.environ["OPENAI_BASE_URL"], api_key="none")
    CodeAgent(tools=[], model=model, instructions="SECRET prompt", verbosity_level=0).run("Q code")
