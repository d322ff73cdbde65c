# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "google-genai==3.4.0",
#   "openinference-instrumentation-google-genai==1.4.14",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from google_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from openinference.instrumentation.google_genai import GoogleGenAIInstrumentor

GoogleGenAIInstrumentor().instrument(tracer_provider=provider)
# docs: end
run(provider, SCENARIOS)
