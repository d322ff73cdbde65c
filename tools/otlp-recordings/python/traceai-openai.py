# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==2.54.0",
#   "traceai-openai==0.1.10",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
# Stays below: openai 3
from openai_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from traceai_openai import OpenAIInstrumentor

OpenAIInstrumentor().instrument(tracer_provider=provider)
# docs: end
run(provider, SCENARIOS)
