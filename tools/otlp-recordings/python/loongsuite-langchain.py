# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "loongsuite-instrumentation-langchain==0.9.0",
#   "langchain==1.5.2",
#   "langchain-openai==1.7.4",
#   "langgraph==1.2.24",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import os

from recorded import open_provider, run

provider = open_provider()
# docs: begin
os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "SPAN_ONLY"

from opentelemetry.instrumentation.langchain import LangChainInstrumentor

LangChainInstrumentor().instrument(tracer_provider=provider)
# docs: end
from langchain_calls import SCENARIOS

run(provider, SCENARIOS)
