# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "azure-ai-projects==2.10.0",
#   "openai==3.57.0",
#   "azure-core-tracing-opentelemetry==1.0.0b13",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import os

from recorded import open_provider, run

provider = open_provider()
# docs: begin
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "true"
os.environ["AZURE_EXPERIMENTAL_ENABLE_GENAI_TRACING"] = "true"

from azure.ai.projects.telemetry import AIProjectInstrumentor
from azure.core.settings import settings

settings.tracing_implementation = "opentelemetry"
AIProjectInstrumentor().instrument()
# docs: end
from openai_calls import SCENARIOS

run(provider, SCENARIOS)
