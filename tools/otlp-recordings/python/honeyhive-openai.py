# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==3.57.0",
#   "honeyhive==1.7.0",
#   "openinference-instrumentation-openai==0.1.66",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from openai import OpenAI
from recorded import HISTORY, OUTPUT, open_provider, run

provider = open_provider()
# docs: begin
from honeyhive import HoneyHiveTracer, trace
from openinference.instrumentation.openai import OpenAIInstrumentor

tracer = HoneyHiveTracer.init(api_key="none", project="support-bot", test_mode=True)
OpenAIInstrumentor().instrument(tracer_provider=provider)
# docs: end


@trace(event_type="tool", tracer=tracer)
def lookup(word):
    return OUTPUT


@trace(event_type="chain", tracer=tracer)
def ask(question):
    lookup("SECRET argument")
    said = [{"role": "system", "content": "SECRET prompt"}, *HISTORY, {"role": "user", "content": question}]
    return OpenAI().chat.completions.create(model="fake-model", messages=said).choices[0].message.content


def traced():
    ask("Q traced")


run(provider, {"traced": traced})
