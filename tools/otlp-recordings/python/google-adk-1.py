# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "google-adk==1.39.1",
#   "opentelemetry-sdk==1.41.1",
#   "opentelemetry-exporter-otlp-proto-http==1.41.1",
# ]
# ///
# Stays below: google-adk 2
# docs: begin
import os

os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "SPAN_ONLY"
# docs: end
from google_adk_calls import SCENARIOS
from recorded import open_provider, run

run(open_provider(), SCENARIOS)
