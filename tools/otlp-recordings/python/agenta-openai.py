# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==2.54.0",
#   "agenta==0.125.1",
#   "openinference-instrumentation-openai==0.1.66",
#   "opentelemetry-sdk==1.43.0",
#   "opentelemetry-exporter-otlp-proto-http==1.43.0",
# ]
# ///
# Stays below: openai 3
import os

from openai import OpenAI
from recorded import HISTORY, OUTPUT, run

os.environ["AGENTA_API_KEY"] = "none"
os.environ["AGENTA_HOST"] = os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] + "/agenta"
# docs: begin
import agenta
from openinference.instrumentation.openai import OpenAIInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace.export import BatchSpanProcessor

agenta.init()
provider = agenta.tracing.tracer_provider
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
OpenAIInstrumentor().instrument(tracer_provider=provider)
# docs: end


@agenta.instrument(type="tool")
def lookup(word):
    return OUTPUT


@agenta.instrument(type="workflow")
def ask(question):
    lookup("SECRET argument")
    said = [{"role": "system", "content": "SECRET prompt"}, *HISTORY, {"role": "user", "content": question}]
    return OpenAI().chat.completions.create(model="fake-model", messages=said).choices[0].message.content


@agenta.instrument(type="chat")
def reply(question):
    return f"A to {question}"


def instrumented():
    ask("Q instrumented")


def instrumented_alone():
    reply("Q alone")


run(provider, {"instrumented": instrumented, "instrumented_alone": instrumented_alone})
