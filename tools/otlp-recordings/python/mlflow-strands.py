# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "mlflow==3.17.2",
#   "strands-agents[openai]==1.62.0",
#   "opentelemetry-sdk==1.45.1",
#   "opentelemetry-exporter-otlp-proto-http==1.45.1",
# ]
# ///
from mlflow_recorded import run

# docs: begin
import mlflow

mlflow.strands.autolog()
# docs: end
import strands_calls

run(vars(strands_calls))
