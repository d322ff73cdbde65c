# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "langchain==1.5.2",
#   "langchain-openai==1.7.4",
#   "langgraph==1.2.24",
#   "deepagents==0.7.32",
#   "langgraph-supervisor==0.0.31",
#   "langgraph-swarm==0.1.0",
#   "openai==3.57.0",
#   "opentelemetry-instrumentation-genai-langchain==1.3b0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from langgraph_agents_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
import os

os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "span_only"

from opentelemetry.instrumentation.genai.langchain import LangChainInstrumentor

LangChainInstrumentor().instrument(tracer_provider=provider)
# docs: end
run(provider, SCENARIOS)
