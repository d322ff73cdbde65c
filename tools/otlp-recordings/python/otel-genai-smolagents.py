# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "smolagents[openai]==1.26.0",
#   "opentelemetry-instrumentation-genai-smolagents==1.2b0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from recorded import open_provider, run

provider = open_provider()
# docs: begin
import os

os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "span_only"

from opentelemetry.instrumentation.genai.smolagents import SmolagentsInstrumentor

SmolagentsInstrumentor().instrument(tracer_provider=provider)
# docs: end
import smolagents_calls

run(provider, vars(smolagents_calls))
