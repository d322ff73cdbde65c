# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "groq==1.7.0",
#   "openinference-instrumentation-groq==0.1.33",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from groq_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from openinference.instrumentation.groq import GroqInstrumentor

GroqInstrumentor().instrument(tracer_provider=provider)
# docs: end
run(provider, SCENARIOS)
