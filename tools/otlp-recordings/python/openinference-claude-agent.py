# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "claude-agent-sdk==0.2.189",
#   "openinference-instrumentation-claude-agent-sdk==0.1.22",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from openinference.instrumentation.claude_agent_sdk import ClaudeAgentSDKInstrumentor

ClaudeAgentSDKInstrumentor().instrument(tracer_provider=provider)
# docs: end
from claude_agent_calls import SCENARIOS

run(provider, SCENARIOS)
