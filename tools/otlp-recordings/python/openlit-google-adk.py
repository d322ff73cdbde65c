# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "google-adk==2.13.0",
#   "openlit==1.45.0",
#   "opentelemetry-sdk==1.44.0",
#   "opentelemetry-exporter-otlp-proto-http==1.44.0",
# ]
# ///
from opentelemetry import trace
from recorded import run

# docs: begin
import openlit

openlit.init(application_name="support-bot", disable_metrics=True, disable_events=True)
# docs: end
from google_adk_calls import SCENARIOS

run(trace.get_tracer_provider(), SCENARIOS)
