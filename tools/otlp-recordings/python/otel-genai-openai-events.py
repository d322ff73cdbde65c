# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==3.54.0",
#   "opentelemetry-instrumentation-genai-openai==1.3b0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from openai_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
import os

os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "event_only"

from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.instrumentation.genai.openai import OpenAIInstrumentor
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor

logs = LoggerProvider()
logs.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
OpenAIInstrumentor().instrument(tracer_provider=provider, logger_provider=logs)
# docs: end


def flushed(scenario):
    def go():
        scenario()
        logs.force_flush()

    return go


run(provider, {name: flushed(scenario) for name, scenario in SCENARIOS.items()})
