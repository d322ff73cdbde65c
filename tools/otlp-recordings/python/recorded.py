"""What the programs in Python share: a provider as an application opens it, and the start of a scenario."""

import os
import sys
import urllib.request


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
    """Runs the scenarios that the command line names, each in a process of its own, and sends what is left."""
    names = sys.argv[1:]
    for name in names:
        # What was imported so far is imported once for all of them.
        child = os.fork() if len(names) > 1 else 0
        if child == 0:
            scenarios[name]()
            if provider is not None:
                provider.force_flush()
            return
        _, status = os.waitpid(child, 0)
        tell_end(name, status)
    os._exit(0)


def tell_end(name, status):
    """Tells the recorder that a scenario has sent all that it sends."""
    url = f"{os.environ['OTEL_EXPORTER_OTLP_ENDPOINT']}/ended/{name}/{status}"
    urllib.request.urlopen(urllib.request.Request(url, data=b"", method="POST")).close()


LOOKUP = {
    "name": "lookup",
    "description": "Looks a word up.",
    "parameters": {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
}
OUTPUT = "TOOL OUTPUT SECRET"
HISTORY = [{"role": "user", "content": "Q first"}, {"role": "assistant", "content": "A first"}]
