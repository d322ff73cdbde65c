# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "anthropic==2.12.0",
#   "logfire==5.2.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from opentelemetry import trace

# docs: begin
import logfire

logfire.configure(service_name="support-bot", send_to_logfire=False)
logfire.instrument_anthropic()
# docs: end
from anthropic_calls import SCENARIOS
from recorded import run

run(trace.get_tracer_provider(), SCENARIOS)
