# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "crewai==1.15.30",
#   "opentelemetry-instrumentation-crewai==0.62.4",
#   "opentelemetry-instrumentation-openai==0.62.4",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import os

os.environ.update(CREWAI_DISABLE_TELEMETRY="true", CREWAI_TRACING_ENABLED="false", CREWAI_TESTING="true")

from crewai import LLM, Agent, Crew, Task
from crewai.tools import tool
from recorded import OUTPUT, open_provider, run

provider = open_provider()
# docs: begin
from opentelemetry.instrumentation.crewai import CrewAIInstrumentor
from opentelemetry.instrumentation.openai import OpenAIInstrumentor

CrewAIInstrumentor().instrument(tracer_provider=provider)
OpenAIInstrumentor().instrument(tracer_provider=provider)
# docs: end


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
    written = Task(description="Write a text about {question}", expected_output="one sentence", agent=writer, context=[found])
    Crew(agents=[finder, writer], tasks=[found, written]).kickoff(inputs={"question": "Q TOOL two"})


def flow():
    from crewai.flow.flow import Flow, listen, start

    class Helper(Flow):
        @start()
        def first(self):
            model = LLM(model="openai/gpt-4o-mini", base_url=os.environ["OPENAI_BASE_URL"], api_key="none")
            return model.call([{"role": "system", "content": "SECRET prompt"}, {"role": "user", "content": self.state["question"]}])

        @listen(first)
        def second(self, said):
            return said

    Helper().kickoff(inputs={"question": "Q flow"})


run(provider, globals())
