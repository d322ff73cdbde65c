# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "replicate==1.0.7",
#   "opentelemetry-instrumentation-replicate==0.62.4",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import os

from recorded import open_provider, run

os.environ["REPLICATE_API_TOKEN"] = "none"
os.environ["REPLICATE_BASE_URL"] = os.environ["MODEL_URL"]
provider = open_provider()
# docs: begin
import replicate
from opentelemetry.instrumentation.replicate import ReplicateInstrumentor

ReplicateInstrumentor().instrument(tracer_provider=provider)
# docs: end
MODEL = "meta/fake-model"


def call():
    replicate.run(MODEL, input={"prompt": "Q last", "system_prompt": "SECRET prompt"})


def streamed():
    for _ in replicate.stream(MODEL, input={"prompt": "Q streamed", "system_prompt": "SECRET prompt"}):
        pass


run(provider, {"call": call, "streamed": streamed})
