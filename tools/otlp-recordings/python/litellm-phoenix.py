# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "litellm==1.110.2",
#   "mcp==2.3.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from recorded import open_provider, run

provider = open_provider()
# docs: begin
import os

import litellm

os.environ["PHOENIX_COLLECTOR_HTTP_ENDPOINT"] = os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] + "/v1/traces"
os.environ["PHOENIX_API_KEY"] = "none"
litellm.callbacks = ["arize_phoenix"]
# docs: end
from litellm_calls import SCENARIOS


def settled(scenario):
    def go():
        import time

        scenario()
        time.sleep(2)

    return go


run(provider, {name: settled(scenario) for name, scenario in SCENARIOS.items()})
