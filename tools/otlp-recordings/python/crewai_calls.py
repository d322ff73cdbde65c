"""Crews and flows of CrewAI, for the instrumentations of them."""

import os

os.environ.update(CREWAI_DISABLE_TELEMETRY="true", CREWAI_TRACING_ENABLED="false", CREWAI_TESTING="true")

from crewai import LLM, Agent, Crew, Task
from crewai.tools import tool
from recorded import OUTPUT


@tool("lookup")
def lookup(word: str) -> str:
    """Looks a word up."""
    return OUTPUT


def kick_off(question, tools, inputs=None):
    model = LLM(model="openai/gpt-4o-mini", base_url=os.environ["OPENAI_BASE_URL"], api_key="none")
    agent = Agent(role="helper", goal="SECRET goal", backstory="SECRET prompt", llm=model, tools=tools)
    task = Task(description=question, expected_output="one sentence", agent=agent)
    Crew(agents=[agent], tasks=[task]).kickoff(inputs=inputs)


def crew():
    kick_off("Q {topic}", [], {"topic": "crew"})


def crew_with_tool():
    kick_off("Q TOOL crew", [lookup])


def crew_of_two():
    model = LLM(model="openai/gpt-4o-mini", base_url=os.environ["OPENAI_BASE_URL"], api_key="none")
    finder = Agent(role="finder", goal="SECRET goal", backstory="SECRET prompt", llm=model, tools=[lookup])
    writer = Agent(role="writer", goal="SECRET goal", backstory="SECRET prompt", llm=model)
    found = Task(description="Find facts about {question}", expected_output="a list", agent=finder)
    written = Task(
        description="Write a text about {question}", expected_output="one sentence", agent=writer, context=[found]
    )
    Crew(agents=[finder, writer], tasks=[found, written]).kickoff(inputs={"question": "Q TOOL two"})


def flow():
    from crewai.flow.flow import Flow, listen, start

    class Helper(Flow):
        @start()
        def first(self):
            model = LLM(model="openai/gpt-4o-mini", base_url=os.environ["OPENAI_BASE_URL"], api_key="none")
            return model.call(
                [{"role": "system", "content": "SECRET prompt"}, {"role": "user", "content": self.state["question"]}]
            )

        @listen(first)
        def second(self, said):
            return said

    Helper().kickoff(inputs={"question": "Q flow"})


def helper(role="helper", **options):
    model = LLM(model="openai/gpt-4o-mini", base_url=os.environ["OPENAI_BASE_URL"], api_key="none")
    return Agent(role=role, goal="SECRET goal", backstory="SECRET prompt", llm=model, **options)


def crew_structured():
    from pydantic import BaseModel

    class Reply(BaseModel):
        text: str
        stars: int

    agent = helper()
    task = Task(description="Q structured", expected_output="an object", agent=agent, output_pydantic=Reply)
    Crew(agents=[agent], tasks=[task]).kickoff()


def crew_guarded():
    """A guardrail refuses the first answer, and takes the second."""
    seen = []

    def check(output):
        seen.append(output)
        return (False, "SECRET reason") if len(seen) == 1 else (True, "I may not say that.")

    agent = helper()
    task = Task(
        description="Q guarded", expected_output="one sentence", agent=agent, guardrail=check, guardrail_max_retries=2
    )
    Crew(agents=[agent], tasks=[task]).kickoff()


def crew_refused():
    agent = helper()
    task = Task(
        description="Q refused",
        expected_output="one sentence",
        agent=agent,
        guardrail=lambda _: (False, "SECRET reason"),
        guardrail_max_retries=0,
    )
    try:
        Crew(agents=[agent], tasks=[task]).kickoff()
    except Exception:
        pass


def crew_for_each():
    agent = helper()
    task = Task(description="Q about {topic}", expected_output="one sentence", agent=agent)
    Crew(agents=[agent], tasks=[task]).kickoff_for_each(inputs=[{"topic": "one"}, {"topic": "two"}])
