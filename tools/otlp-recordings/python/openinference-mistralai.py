# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "mistralai==3.7.0",
#   "openinference-instrumentation-mistralai==2.2.2",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from mistral_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from openinference.instrumentation.mistralai import MistralAIInstrumentor

MistralAIInstrumentor().instrument(tracer_provider=provider)
# docs: end
run(provider, SCENARIOS)
