# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "ollama==0.6.3",
#   "traceai-ollama==0.1.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from traceai_ollama import OllamaInstrumentor

OllamaInstrumentor().instrument(tracer_provider=provider)
# docs: end
import ollama_calls

run(provider, vars(ollama_calls))
