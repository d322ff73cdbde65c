# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "opentelemetry-instrumentation-google-generativeai==0.62.4",
#   "google-genai==3.6.1",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from opentelemetry.instrumentation.google_generativeai import GoogleGenerativeAiInstrumentor

GoogleGenerativeAiInstrumentor().instrument(tracer_provider=provider)
# docs: end
from google_calls import SCENARIOS

run(provider, SCENARIOS)
