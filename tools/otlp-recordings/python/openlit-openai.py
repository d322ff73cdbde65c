# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==2.54.0",
#   "openlit==1.45.0",
#   "opentelemetry-sdk==1.45.1",
#   "opentelemetry-exporter-otlp-proto-http==1.45.1",
# ]
# ///
from openai_calls import SCENARIOS
from recorded import open_provider, run

provider = open_provider()
# docs: begin
import openlit

openlit.init(application_name="support-bot", tracer=provider.get_tracer("openlit"), disable_metrics=True)
# docs: end
run(provider, SCENARIOS)
