# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "upsonic==0.77.3",
#   "openai==3.57.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import os

os.environ["UPSONIC_TELEMETRY"] = "False"
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from recorded import OUTPUT, open_provider, run

provider = open_provider()
# docs: begin
from upsonic import Agent, Task
from upsonic.models.instrumented import InstrumentationSettings

settings = InstrumentationSettings(tracer_provider=provider, include_content=True)
# docs: end
from upsonic.tools import tool


@tool
def lookup(word: str) -> str:
    """Looks a word up."""
    return OUTPUT


def helper():
    return Agent("openai/fake-model", system_prompt="SECRET prompt", instrument=settings)


def single():
    helper().do(Task("Q single"))


def agent_with_tool():
    helper().do(Task("Q TOOL agent", tools=[lookup]))


def streamed():
    for _ in helper().stream(Task("Q streamed")):
        pass


run(provider, globals())
