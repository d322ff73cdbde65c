# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "litellm==1.110.2",
#   "mcp==2.3.0",
#   "loongsuite-instrumentation-litellm==0.9.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from recorded import open_provider, run

provider = open_provider()
# docs: begin
import os

os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "SPAN_ONLY"

from opentelemetry.instrumentation.litellm import LiteLLMInstrumentor

LiteLLMInstrumentor().instrument(tracer_provider=provider)
# docs: end
import litellm_calls

run(provider, vars(litellm_calls))
