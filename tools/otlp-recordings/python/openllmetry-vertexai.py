# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "google-cloud-aiplatform==1.165.1",
#   "opentelemetry-instrumentation-vertexai==0.62.4",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
# Stays below: google-cloud-aiplatform 2
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from opentelemetry.instrumentation.vertexai import VertexAIInstrumentor

VertexAIInstrumentor().instrument(tracer_provider=provider)
# docs: end
from vertexai_calls import SCENARIOS

run(provider, SCENARIOS)
