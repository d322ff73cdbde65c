# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==3.57.0",
#   "netra-sdk==1.2.2",
#   "opentelemetry-sdk==1.41.1",
#   "opentelemetry-exporter-otlp-proto-http==1.41.1",
# ]
# ///
import os

from openai import OpenAI
from openai_calls import SCENARIOS
from opentelemetry import trace as trace_api
from recorded import OUTPUT, run

# docs: begin
from netra import Netra
from netra.decorators import task, workflow

os.environ["NETRA_OTLP_ENDPOINT"] = os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"]
Netra.init(app_name="support-bot", headers="x-api-key=none", trace_content=True)
# docs: end


@task
def lookup(word):
    return OUTPUT


@workflow
def ask(question):
    lookup("SECRET argument")
    said = [{"role": "system", "content": "SECRET prompt"}, {"role": "user", "content": question}]
    return OpenAI().chat.completions.create(model="fake-model", messages=said).choices[0].message.content


def observed():
    ask("Q observed")


calls = {name: SCENARIOS[name] for name in ("conversation", "streamed", "tool", "responses")}
run(trace_api.get_tracer_provider(), {"observed": observed, **calls})
