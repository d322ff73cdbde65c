# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "google-adk==2.13.0",
#   "openinference-instrumentation-google-adk==1.0.5",
#   "opentelemetry-sdk==1.44.0",
#   "opentelemetry-exporter-otlp-proto-http==1.44.0",
# ]
# ///
from google_adk_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from openinference.instrumentation.google_adk import GoogleADKInstrumentor

GoogleADKInstrumentor().instrument(tracer_provider=provider)
# docs: end
run(provider, SCENARIOS)
