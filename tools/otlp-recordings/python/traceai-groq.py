# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "groq==1.7.0",
#   "traceai-groq==0.1.9",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from traceai_groq import GroqInstrumentor

GroqInstrumentor().instrument(tracer_provider=provider)
# docs: end
from groq_calls import SCENARIOS

run(provider, SCENARIOS)
