# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "agent-framework-core==1.23.0",
#   "agent-framework-openai==1.17.0",
#   "agent-framework-orchestrations==1.4.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from agent_framework.observability import enable_instrumentation

enable_instrumentation(enable_sensitive_data=True)
# docs: end
import agent_framework_calls

run(provider, vars(agent_framework_calls))
