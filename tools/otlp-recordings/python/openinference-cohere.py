# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "cohere==7.3.1",
#   "openinference-instrumentation-cohere==0.1.15",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from cohere_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from openinference.instrumentation.cohere import CohereInstrumentor

CohereInstrumentor().instrument(tracer_provider=provider)
# docs: end
run(provider, SCENARIOS)
