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

    # A runner does not end by itself after an error.
    asyncio.run(asyncio.wait_for(converse(), 30))


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

    both = ParallelAgent(
        name="both", sub_agents=[helper("left", output_key="left"), helper("right", output_key="right")]
    )
    ask("Q parallel", agent=SequentialAgent(name="all", sub_agents=[both, helper("merger")]))


def structured():
    from pydantic import BaseModel

    class Reply(BaseModel):
        text: str
        stars: int

    ask("Q structured", agent=helper(output_schema=Reply, output_key="reply"))


def answer_replaced():
    """A callback puts another answer in the place of the model's."""
    from google.adk.models import LlmResponse

    def refuse(callback_context, llm_response):
        return LlmResponse(content=types.Content(role="model", parts=[types.Part(text="I may not say that.")]))

    ask("Q replaced", agent=helper(after_model_callback=refuse))


def question_refused():
    from google.adk.models import LlmResponse

    def refuse(callback_context, llm_request):
        return LlmResponse(content=types.Content(role="model", parts=[types.Part(text="I may not say that.")]))

    ask("Q not allowed", agent=helper(before_model_callback=refuse))


def failed():
    try:
        ask("Q TOOL SAYING FAIL agent")
    except Exception:
        pass


def tools_in_parallel():
    ask("Q PARALLEL SAYING agent")


RUNS = (agent_with_memory, sequence, streamed, transferred, agent_as_tool, parallel)
RUNS += (structured, answer_replaced, question_refused, failed, tools_in_parallel)
SCENARIOS = {run.__name__: run for run in RUNS}
