# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "langchain==1.4.7",
#   "langchain-openai==1.7.3",
#   "langgraph==1.2.22",
#   "openai==3.54.0",
#   "langsmith[otel]==0.15.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
# docs: begin
import os

os.environ["LANGSMITH_TRACING"] = "true"
os.environ["LANGSMITH_OTEL_ENABLED"] = "true"
os.environ["LANGSMITH_OTEL_ONLY"] = "true"
# docs: end
os.environ.update(LANGSMITH_API_KEY="none", LANGSMITH_ENDPOINT=os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] + "/langsmith")
from langchain_calls import SCENARIOS
from langchain_core.tracers.langchain import get_client, wait_for_all_tracers
from recorded import open_provider, run

provider = open_provider()
run(None, SCENARIOS)
# Its spans are made by a thread of its own.
wait_for_all_tracers()
get_client().flush()
provider.force_flush()
