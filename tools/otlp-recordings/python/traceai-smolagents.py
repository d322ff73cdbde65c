# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "smolagents[openai]==1.26.0",
#   "traceai-smolagents==0.1.5",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from traceai_smolagents import SmolagentsInstrumentor

SmolagentsInstrumentor().instrument(tracer_provider=provider)
# docs: end
import smolagents_calls

run(provider, vars(smolagents_calls))
