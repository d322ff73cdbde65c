# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==3.57.0",
#   "elastic-opentelemetry-instrumentation-openai==1.2.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from openai_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
import os

os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "true"

from opentelemetry._logs import set_logger_provider
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.instrumentation.openai import OpenAIInstrumentor
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor

logs = LoggerProvider()
logs.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
set_logger_provider(logs)
OpenAIInstrumentor().instrument(tracer_provider=provider)
# docs: end


def flushed(scenario):
    def go():
        scenario()
        logs.force_flush()

    return go


run(provider, {name: flushed(scenario) for name, scenario in SCENARIOS.items()})
