# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "mlflow==3.17.2",
#   "langchain==1.4.7",
#   "langchain-openai==1.7.3",
#   "langgraph==1.2.22",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from mlflow_recorded import run

# docs: begin
import mlflow

mlflow.langchain.autolog()
# docs: end
from langchain_calls import SCENARIOS

run(SCENARIOS)
