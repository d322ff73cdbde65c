# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "semantic-kernel==1.45.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import os

# docs: begin
os.environ["SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS_SENSITIVE"] = "true"
# docs: end
from opentelemetry._logs import set_logger_provider
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.sdk._logs import LoggerProvider, LoggingHandler
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from recorded import open_provider, run

provider = open_provider()
logs = LoggerProvider()
logs.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
set_logger_provider(logs)

import logging

import semantic_kernel_calls

logging.getLogger().addHandler(LoggingHandler(logger_provider=logs))
logging.getLogger().setLevel(logging.INFO)
run(provider, vars(semantic_kernel_calls))
logs.force_flush()
