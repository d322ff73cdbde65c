# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "cohere==5.21.1",
#   "opentelemetry-instrumentation-cohere==0.62.4",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
# Stays below: cohere 6
from cohere_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from opentelemetry.instrumentation.cohere import CohereInstrumentor

CohereInstrumentor().instrument(tracer_provider=provider)
# docs: end
run(provider, SCENARIOS)
