# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==3.57.0",
#   "judgeval==1.6.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import os

from openai import OpenAI
from openai_calls import SCENARIOS
from recorded import OUTPUT, run

os.environ.update(JUDGMENT_API_KEY="none", JUDGMENT_ORG_ID="none")
os.environ["JUDGMENT_API_URL"] = os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] + "/judgment"
# docs: begin
from judgeval import Tracer
from judgeval.trace import JudgmentTracerProvider
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = JudgmentTracerProvider.get_instance()
tracer = Tracer.init(project_name="support-bot")
answers = BatchSpanProcessor(OTLPSpanExporter())
provider.add_span_processor(answers)
client = Tracer.wrap(OpenAI())
# docs: end


@Tracer.observe(span_type="tool")
def lookup(word):
    return OUTPUT


@Tracer.observe(span_type="agent")
def ask(question):
    lookup("SECRET argument")
    said = [{"role": "system", "content": "SECRET prompt"}, {"role": "user", "content": question}]
    return client.chat.completions.create(model="fake-model", messages=said).choices[0].message.content


def observed():
    ask("Q observed")


def called(name):
    return lambda: SCENARIOS[name](client)


calls = {name: called(name) for name in ("conversation", "streamed", "tool", "responses")}
run(answers, {"observed": observed, **calls})
