# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai-agents==0.24.0",
#   "splunk-otel-instrumentation-openai-agents==0.1.5",
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

from opentelemetry.instrumentation.openai_agents import OpenAIAgentsInstrumentor

OpenAIAgentsInstrumentor().instrument(tracer_provider=provider)
# docs: end
from openai_agents_calls import SCENARIOS

run(provider, SCENARIOS)
