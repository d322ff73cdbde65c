# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "claude-agent-sdk==0.2.189",
#   "logfire==5.4.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from opentelemetry import trace
from recorded import run

# docs: begin
import logfire

logfire.configure(service_name="support-bot", send_to_logfire=False)
logfire.instrument_claude_agent_sdk()
# docs: end
import claude_agent_calls

run(trace.get_tracer_provider(), vars(claude_agent_calls))
