# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "claude-agent-sdk==0.2.189",
#   "traceai-claude-agent-sdk==0.1.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from traceai_claude_agent_sdk import ClaudeAgentInstrumentor

ClaudeAgentInstrumentor().instrument(tracer_provider=provider)
# docs: end
import claude_agent_calls

run(provider, vars(claude_agent_calls))
