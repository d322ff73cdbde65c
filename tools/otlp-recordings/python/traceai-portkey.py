# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "portkey-ai==2.3.4",
#   "traceai-portkey==0.1.2",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from traceai_portkey import PortkeyInstrumentor

PortkeyInstrumentor().instrument(tracer_provider=provider)
# docs: end
import portkey_calls

run(provider, vars(portkey_calls))
