# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "splunk-otel-instrumentation-langchain==0.1.16",
#   "langchain==1.5.2",
#   "langchain-openai==1.7.4",
#   "langgraph==1.2.24",
#   "opentelemetry-sdk==1.38.0",
#   "opentelemetry-exporter-otlp-proto-http==1.38.0",
# ]
# ///
import os

from recorded import open_provider, run

provider = open_provider()
# docs: begin
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "true"
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT_MODE"] = "SPAN"

from opentelemetry.instrumentation.langchain import LangchainInstrumentor

LangchainInstrumentor().instrument(tracer_provider=provider)
# docs: end
from langchain_calls import SCENARIOS

run(provider, SCENARIOS)
