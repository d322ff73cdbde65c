# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "instructor==1.17.0",
#   "openai==3.3.0",
#   "opentelemetry-instrumentation-openai==0.62.4",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from opentelemetry.instrumentation.openai import OpenAIInstrumentor

OpenAIInstrumentor().instrument(tracer_provider=provider)
# docs: end
from instructor_calls import SCENARIOS

run(provider, SCENARIOS)
