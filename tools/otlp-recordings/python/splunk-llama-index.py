# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "llama-index-core==0.14.25",
#   "llama-index-llms-openai==0.8.3",
#   "llama-index-embeddings-openai==0.7.0",
#   "splunk-otel-instrumentation-llamaindex==0.1.2",
#   "opentelemetry-sdk==1.38.0",
#   "opentelemetry-exporter-otlp-proto-http==1.38.0",
# ]
# ///
from recorded import open_provider, run

provider = open_provider()
# docs: begin
import os

os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "true"
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT_MODE"] = "SPAN"

from opentelemetry.instrumentation.llamaindex import LlamaindexInstrumentor

LlamaindexInstrumentor().instrument(tracer_provider=provider)
# docs: end
from llama_index_calls import SCENARIOS

run(provider, SCENARIOS)
