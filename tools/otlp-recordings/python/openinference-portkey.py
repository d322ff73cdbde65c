# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "portkey-ai==2.3.4",
#   "openinference-instrumentation-portkey==0.1.22",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from portkey_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
from openinference.instrumentation.portkey import PortkeyInstrumentor

PortkeyInstrumentor().instrument(tracer_provider=provider)
# docs: end
run(provider, SCENARIOS)
