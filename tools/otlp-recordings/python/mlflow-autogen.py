# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "mlflow==3.17.2",
#   "autogen-agentchat==0.7.5",
#   "autogen-ext[openai]==0.7.5",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from mlflow_recorded import run

# docs: begin
import mlflow

mlflow.autogen.autolog()
# docs: end
import autogen_calls

run(vars(autogen_calls))
