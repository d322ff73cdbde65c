# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "agno==3.1.10",
#   "openai==3.54.0",
#   "opentelemetry-instrumentation-genai-agno==1.3b0",
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

from opentelemetry.instrumentation.genai.agno import AgnoInstrumentor

AgnoInstrumentor().instrument(tracer_provider=provider)
# docs: end
import agno_calls

run(provider, vars(agno_calls))
