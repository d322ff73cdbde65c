# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==1.109.1",
#   "opentelemetry-instrumentation-openai==0.40.14",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
# Stays below: openai 2
# Stays below: opentelemetry-instrumentation-openai 0.41
from openai_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from opentelemetry.instrumentation.openai import OpenAIInstrumentor

OpenAIInstrumentor().instrument(tracer_provider=provider)
# docs: end
run(provider, SCENARIOS)
