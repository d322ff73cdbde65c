# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "litellm==1.110.2",
#   "mcp==2.3.0",
#   "logfire[litellm]==5.4.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from opentelemetry import trace
from recorded import run

# docs: begin
import logfire

logfire.configure(service_name="support-bot", send_to_logfire=False)
logfire.instrument_litellm()
# docs: end
from litellm_calls import SCENARIOS

run(trace.get_tracer_provider(), SCENARIOS)
