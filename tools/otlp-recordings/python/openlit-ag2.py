# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "ag2[openai]==0.14.0",
#   "openlit==1.45.0",
#   "opentelemetry-sdk==1.45.1",
#   "opentelemetry-exporter-otlp-proto-http==1.45.1",
# ]
# ///
# Stays below: ag2[openai] 1
from opentelemetry import trace
from recorded import run

# docs: begin
import openlit

openlit.init(application_name="support-bot", disable_metrics=True, disable_events=True)
# docs: end
from ag2_calls import make

run(trace.get_tracer_provider(), make())
