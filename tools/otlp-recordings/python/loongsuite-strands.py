# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "strands-agents[openai]==1.62.0",
#   "loongsuite-instrumentation-strands==0.9.0",
#   "opentelemetry-sdk==1.45.1",
#   "opentelemetry-exporter-otlp-proto-http==1.45.1",
# ]
# ///
from recorded import open_provider, run

provider = open_provider()
# docs: begin
import os

os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "SPAN_ONLY"

from opentelemetry.instrumentation.strands import StrandsInstrumentor

StrandsInstrumentor().instrument(tracer_provider=provider)
# docs: end
import strands_calls

run(provider, vars(strands_calls))
