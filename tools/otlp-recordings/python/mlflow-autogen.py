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
import os

from recorded import run

os.environ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] = os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] + "/v1/traces"
# docs: begin
import mlflow

mlflow.autogen.autolog()
# docs: end
import autogen_calls


def flushed(scenario):
    def go():
        scenario()
        mlflow.flush_trace_async_logging()

    return go


run(None, {name: flushed(scenario) for name, scenario in vars(autogen_calls).items() if callable(scenario)})
