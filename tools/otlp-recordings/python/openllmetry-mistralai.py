# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "mistralai==1.12.4",
#   "opentelemetry-instrumentation-mistralai==0.62.4",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
# Stays below: mistralai 2
from mistral_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from opentelemetry.instrumentation.mistralai import MistralAiInstrumentor

MistralAiInstrumentor().instrument(tracer_provider=provider)
# docs: end
run(provider, SCENARIOS)
