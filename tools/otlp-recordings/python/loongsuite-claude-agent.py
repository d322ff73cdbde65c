# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "claude-agent-sdk==0.2.189",
#   "loongsuite-instrumentation-claude-agent-sdk==0.9.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from recorded import open_provider, run

provider = open_provider()
# docs: begin
import os

os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "SPAN_ONLY"

from opentelemetry.instrumentation.claude_agent_sdk import ClaudeAgentSDKInstrumentor

ClaudeAgentSDKInstrumentor().instrument(tracer_provider=provider)
# docs: end
import claude_agent_calls

run(provider, vars(claude_agent_calls))
