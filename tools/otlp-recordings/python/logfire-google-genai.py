# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "logfire==5.4.0",
#   "google-genai==2.34.0",
#   "opentelemetry-instrumentation-google-genai==1.3b0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import os

from recorded import run

os.environ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] = os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] + "/v1/traces"
# docs: begin
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "true"

import logfire

logfire.configure(send_to_logfire=False, console=False)
logfire.instrument_google_genai()
# docs: end
from google_calls import SCENARIOS
from opentelemetry import trace

run(trace.get_tracer_provider(), SCENARIOS)
