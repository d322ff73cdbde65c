# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "mlflow==3.17.2",
#   "agno==3.1.10",
#   "openinference-instrumentation-agno==1.0.15",
#   "opentelemetry-exporter-otlp==1.45.2",
#   "openai==3.57.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from mlflow_recorded import run

# docs: begin
import mlflow

mlflow.agno.autolog()
# docs: end
import agno_calls

run(vars(agno_calls))
