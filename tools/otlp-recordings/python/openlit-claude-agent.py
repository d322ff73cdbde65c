# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "claude-agent-sdk==0.2.189",
#   "openlit==1.45.0",
#   "opentelemetry-sdk==1.45.1",
#   "opentelemetry-exporter-otlp-proto-http==1.45.1",
# ]
# ///
from opentelemetry import trace
from recorded import run

# docs: begin
import openlit

openlit.init(application_name="support-bot", disable_metrics=True, disable_events=True)
# docs: end
import claude_agent_calls

run(trace.get_tracer_provider(), vars(claude_agent_calls))
