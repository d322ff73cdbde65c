"""Agents of Google's Agent Development Kit, for the instrumentations of it."""

import asyncio
import os

os.environ["GOOGLE_GEMINI_BASE_URL"] = os.environ["MODEL_URL"]

from google.adk.agents import LlmAgent, SequentialAgent
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.runners import InMemoryRunner
from google.genai import types
from recorded import OUTPUT


def lookup(word: str) -> dict:
    """Looks a word up."""
    return {"result": OUTPUT}


def helper(name="helper", **options):
    return LlmAgent(name=name, model="gemini-2.0-flash", instruction="SECRET prompt", **options)


def ask(*texts, agent=None, **options):
    async def converse():
        runner = InMemoryRunner(agent=agent or helper(tools=[lookup]), app_name="support-bot")
        session = await runner.session_service.create_session(app_name="support-bot", user_id="1")
        for text in texts:
            said = types.Content(role="user", parts=[types.Part(text=text)])
            async for _ in runner.run_async(user_id="1", session_id=session.id, new_message=said, **options):
                pass

    asyncio.run(converse())


def agent_with_memory():
    ask("Q first", "Q TOOL second")


def streamed():
    ask("Q streamed", run_config=RunConfig(streaming_mode=StreamingMode.SSE))


def sequence():
    ask("Q sequence", agent=SequentialAgent(name="sequence", sub_agents=[helper("writer"), helper("reviewer")]))


def transferred():
    expert = helper("expert", description="An expert", tools=[lookup])
    ask("Q HANDOFF transferred", agent=helper("front", sub_agents=[expert]))


def agent_as_tool():
    from google.adk.tools.agent_tool import AgentTool

    ask("Q TOOL outer", agent=helper(tools=[AgentTool(helper("lookup_expert", description="An expert"))]))


def parallel():
    from google.adk.agents import ParallelAgent

    both = ParallelAgent(name="both", sub_agents=[helper("left", output_key="left"), helper("right", output_key="right")])
    ask("Q parallel", agent=SequentialAgent(name="all", sub_agents=[both, helper("merger")]))


SCENARIOS = {run.__name__: run for run in (agent_with_memory, sequence, streamed, transferred, agent_as_tool, parallel)}
