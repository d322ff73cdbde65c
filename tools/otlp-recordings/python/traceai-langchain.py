# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "langchain==1.4.7",
#   "langchain-openai==1.7.3",
#   "langgraph==1.2.22",
#   "traceai-langchain==0.2.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from langchain_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from traceai_langchain import LangChainInstrumentor

LangChainInstrumentor().instrument(tracer_provider=provider)
# docs: end
run(provider, SCENARIOS)
