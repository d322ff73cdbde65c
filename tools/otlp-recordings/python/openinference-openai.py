# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==3.54.0",
#   "openinference-instrumentation-openai==0.1.66",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from openai_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from openinference.instrumentation.openai import OpenAIInstrumentor

OpenAIInstrumentor().instrument(tracer_provider=provider)
# docs: end
run(provider, SCENARIOS)
