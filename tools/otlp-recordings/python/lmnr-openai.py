# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==3.54.0",
#   "lmnr==0.8.2",
#   "opentelemetry-sdk==1.45.1",
#   "opentelemetry-exporter-otlp-proto-http==1.45.1",
# ]
# ///
import os

from recorded import OUTPUT, run

from urllib.parse import urlsplit

given = urlsplit(os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"])
server, port, token = f"http://{given.hostname}", given.port, "none"
# docs: begin
from lmnr import Laminar, observe

Laminar.initialize(project_api_key=token, base_url=server, http_port=port, force_http=True)
# docs: end
from openai_calls import SCENARIOS, conversation, streamed


@observe(span_type="TOOL")
def lookup(word):
    return OUTPUT


@observe()
def ask(question):
    from openai import OpenAI

    lookup("SECRET argument")
    said = [{"role": "system", "content": "SECRET prompt"}, {"role": "user", "content": question}]
    return OpenAI().chat.completions.create(model="fake-model", messages=said).choices[0].message.content


def observed():
    ask("Q observed")


def flushed(scenario):
    def go():
        scenario()
        Laminar.flush()

    return go


run(None, {name: flushed(scenario) for name, scenario in {**SCENARIOS, "observed": observed}.items()})
