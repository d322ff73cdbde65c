# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "ollama==0.6.3",
#   "opentelemetry-instrumentation-ollama==0.62.4",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from ollama_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from opentelemetry.instrumentation.ollama import OllamaInstrumentor

OllamaInstrumentor().instrument(tracer_provider=provider)
# docs: end
run(provider, SCENARIOS)
