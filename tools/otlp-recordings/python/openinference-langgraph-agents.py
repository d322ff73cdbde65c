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
#   "openinference-instrumentation-langchain==0.1.80",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from langgraph_agents_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from openinference.instrumentation.langchain import LangChainInstrumentor

LangChainInstrumentor().instrument(tracer_provider=provider)
# docs: end
run(provider, SCENARIOS)
