# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "google-adk==2.1.0",
#   "traceai-google-adk==0.1.5",
#   "opentelemetry-sdk==1.41.1",
#   "opentelemetry-exporter-otlp-proto-http==1.41.1",
# ]
# ///
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from traceai_google_adk import GoogleADKInstrumentor

GoogleADKInstrumentor().instrument(tracer_provider=provider)
# docs: end
import google_adk_calls

run(provider, vars(google_adk_calls))
