# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "google-genai==3.6.1",
#   "traceai-google-genai==0.1.2",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from traceai_google_genai import GoogleGenAIInstrumentor

GoogleGenAIInstrumentor().instrument(tracer_provider=provider)
# docs: end
from google_calls import SCENARIOS

run(provider, SCENARIOS)
