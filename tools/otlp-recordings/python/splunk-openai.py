# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==2.54.0",
#   "splunk-otel-instrumentation-openai==0.1.2",
#   "opentelemetry-sdk==1.38.0",
#   "opentelemetry-exporter-otlp-proto-http==1.38.0",
# ]
# ///
# Stays below: openai 3
from recorded import open_provider, run

provider = open_provider()
# docs: begin
import os

os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "true"
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT_MODE"] = "SPAN"

from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor

OpenAIInstrumentor().instrument(tracer_provider=provider)
# docs: end
from openai_calls import SCENARIOS

run(provider, SCENARIOS)
