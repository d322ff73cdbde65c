# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "langchain==0.3.30",
#   "langchain-openai==0.3.35",
#   "langgraph==1.0.1",
#   "openlit==1.34.43",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from langchain_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
import openlit

openlit.init(application_name="support-bot", tracer=provider.get_tracer("openlit"), disable_metrics=True)
# docs: end
run(provider, SCENARIOS)
