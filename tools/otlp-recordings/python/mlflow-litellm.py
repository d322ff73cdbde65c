# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "mlflow==3.17.2",
#   "litellm==1.110.2",
#   "mcp==2.3.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from mlflow_recorded import run

# docs: begin
import mlflow

mlflow.litellm.autolog()
# docs: end
from litellm_calls import SCENARIOS

run(SCENARIOS)
