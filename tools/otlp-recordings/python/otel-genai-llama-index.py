# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "llama-index-core==0.14.25",
#   "llama-index-llms-openai==0.8.3",
#   "llama-index-embeddings-openai==0.7.0",
#   "opentelemetry-instrumentation-genai-llama-index==1.3b0",
#   "opentelemetry-instrumentation-genai-openai==1.3b0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from llama_index_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
import os

os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "span_only"

from opentelemetry.instrumentation.genai.openai import OpenAIInstrumentor
from opentelemetry.instrumentation.genai.llama_index import LlamaIndexInstrumentor

OpenAIInstrumentor().instrument(tracer_provider=provider)
LlamaIndexInstrumentor().instrument(tracer_provider=provider)
# docs: end
run(provider, SCENARIOS)
