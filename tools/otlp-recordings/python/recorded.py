"""What the programs in Python share: a provider as an application opens it, and the start of a scenario."""

import sys


def open_provider():
    from opentelemetry import trace
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    return provider


def run(provider, scenarios):
    """Runs the scenario that the command line names and sends what is left."""
    scenarios[sys.argv[1]]()
    if provider is not None:
        provider.force_flush()


LOOKUP = {
    "name": "lookup",
    "description": "Looks a word up.",
    "parameters": {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
}
OUTPUT = "TOOL OUTPUT SECRET"
HISTORY = [{"role": "user", "content": "Q first"}, {"role": "assistant", "content": "A first"}]
