# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "anthropic==2.12.0",
#   "opentelemetry-instrumentation-genai-anthropic==1.3b0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from anthropic_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
import os

os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "span_only"

from opentelemetry.instrumentation.genai.anthropic import AnthropicInstrumentor

AnthropicInstrumentor().instrument(tracer_provider=provider)
# docs: end
run(provider, SCENARIOS)
