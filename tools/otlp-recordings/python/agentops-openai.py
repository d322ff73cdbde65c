# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==3.57.0",
#   "agentops==0.4.21",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import os

from recorded import OUTPUT, run

# docs: begin
import agentops
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace.export import BatchSpanProcessor

agentops.init(api_key="none", endpoint=os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"], auto_start_session=False)
trace.get_tracer_provider().add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
# docs: end
from agentops.sdk.decorators import agent, operation, tool
from openai import OpenAI
from openai_calls import SCENARIOS


@tool(name="lookup")
def lookup(word):
    return OUTPUT


@agent
class Helper:
    @operation
    def reply(self, question):
        lookup("SECRET argument")
        said = [{"role": "system", "content": "SECRET prompt"}, {"role": "user", "content": question}]
        return OpenAI().chat.completions.create(model="fake-model", messages=said).choices[0].message.content


def decorated():
    Helper().reply("Q decorated")


run(trace.get_tracer_provider(), {**SCENARIOS, "decorated": decorated})
