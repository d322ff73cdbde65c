# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "writer-sdk==2.3.2",
#   "opentelemetry-instrumentation-writer==0.62.4",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
# Stays below: writer-sdk 3
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from opentelemetry.instrumentation.writer import WriterInstrumentor

WriterInstrumentor().instrument(tracer_provider=provider)
# docs: end
from writer_calls import SCENARIOS

run(provider, SCENARIOS)
