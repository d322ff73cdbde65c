"""Agents of Agno, for the instrumentations of them."""

import os

from recorded import OUTPUT
from agno.agent import Agent
from agno.models.openai import OpenAIChat


def lookup(word: str) -> str:
    """Looks a word up."""
    return OUTPUT


def helper():
    model = OpenAIChat(id="fake-model", base_url=os.environ["OPENAI_BASE_URL"], api_key="none")
    return Agent(model=model, tools=[lookup], instructions="SECRET prompt", telemetry=False)


def agent_with_tool():
    helper().run("Q TOOL agent")


def streamed():
    for _ in helper().run("Q streamed", stream=True):
        pass


def team():
    from agno.team import Team

    model = OpenAIChat(id="fake-model", base_url=os.environ["OPENAI_BASE_URL"], api_key="none")
    Team(members=[helper()], model=model, tools=[lookup], instructions="SECRET prompt", telemetry=False).run(
        "Q TOOL team"
    )


def conversation():
    from agno.db.in_memory import InMemoryDb

    model = OpenAIChat(id="fake-model", base_url=os.environ["OPENAI_BASE_URL"], api_key="none")
    asked = Agent(
        model=model, db=InMemoryDb(), add_history_to_context=True, instructions="SECRET prompt", telemetry=False
    )
    asked.run("Q first", session_id="1")
    asked.run("Q second", session_id="1")


def structured():
    from pydantic import BaseModel

    class Reply(BaseModel):
        text: str
        stars: int

    model = OpenAIChat(id="fake-model", base_url=os.environ["OPENAI_BASE_URL"], api_key="none")
    Agent(model=model, output_schema=Reply, instructions="SECRET prompt", telemetry=False).run("Q structured")


def tools_in_parallel():
    helper().run("Q PARALLEL SAYING agent")


def failed():
    try:
        helper().run("Q TOOL SAYING FAIL agent")
    except Exception:
        pass


def answer_refused():
    from agno.exceptions import CheckTrigger, OutputCheckError

    def check(run_output):
        raise OutputCheckError("SECRET reason", check_trigger=CheckTrigger.OUTPUT_NOT_ALLOWED)

    model = OpenAIChat(id="fake-model", base_url=os.environ["OPENAI_BASE_URL"], api_key="none")
    try:
        Agent(model=model, post_hooks=[check], instructions="SECRET prompt", telemetry=False).run("Q refused")
    except OutputCheckError:
        pass


def question_refused():
    from agno.exceptions import CheckTrigger, InputCheckError

    def check(run_input):
        raise InputCheckError("SECRET reason", check_trigger=CheckTrigger.INPUT_NOT_ALLOWED)

    model = OpenAIChat(id="fake-model", base_url=os.environ["OPENAI_BASE_URL"], api_key="none")
    try:
        Agent(model=model, pre_hooks=[check], instructions="SECRET prompt", telemetry=False).run("Q not allowed")
    except InputCheckError:
        pass


def parts():
    from agno.media import Image

    helper().run("Q parts", images=[Image(url="https://example.com/SECRET.png")])
