# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "claude-agent-sdk==0.2.189",
# ]
# ///
from claude_agent_calls import ALONE, SCENARIOS
from recorded import run

# docs: begin
telemetry = {
    "CLAUDE_CODE_ENABLE_TELEMETRY": "1",
    "CLAUDE_CODE_ENHANCED_TELEMETRY_BETA": "1",
    "OTEL_TRACES_EXPORTER": "otlp",
    "OTEL_LOGS_EXPORTER": "otlp",
    "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf",
    "OTEL_LOG_USER_PROMPTS": "1",
    "OTEL_LOG_ASSISTANT_RESPONSES": "1",
}
# docs: end
ALONE.update(telemetry, OTEL_METRICS_EXPORTER="none")
run(None, SCENARIOS)
