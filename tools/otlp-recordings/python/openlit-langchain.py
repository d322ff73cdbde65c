# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "langchain==1.4.7",
#   "langchain-openai==1.7.4",
#   "langgraph==1.2.22",
#   "openlit==1.45.0",
#   "opentelemetry-sdk==1.45.1",
#   "opentelemetry-exporter-otlp-proto-http==1.45.1",
# ]
# ///
from langchain_calls import SCENARIOS
from opentelemetry import trace
from recorded import run

# docs: begin
import openlit

openlit.init(application_name="support-bot", disable_metrics=True, disable_events=True)
# docs: end
run(trace.get_tracer_provider(), SCENARIOS)
