# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "microsoft-agents-a365-observability-core==2.0.0",
#   "microsoft-agents-a365-observability-extensions-openai==2.0.0",
#   "openai-agents==0.24.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from microsoft_agents_a365.observability.core import configure
from microsoft_agents_a365.observability.extensions.openai import OpenAIAgentsTraceInstrumentor

configure(service_name="support-bot", service_namespace="support")
OpenAIAgentsTraceInstrumentor().instrument()
# docs: end
from openai_agents_calls import SCENARIOS

run(provider, SCENARIOS)
