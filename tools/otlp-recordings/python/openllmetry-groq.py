# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "groq==1.7.0",
#   "opentelemetry-instrumentation-groq==0.62.4",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from groq_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from opentelemetry.instrumentation.groq import GroqInstrumentor

GroqInstrumentor().instrument(tracer_provider=provider)
# docs: end
run(provider, SCENARIOS)
