# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
#   "opentelemetry-exporter-otlp-proto-grpc==1.45.2",
# ]
# ///
"""Exports batches of spans with the OTLP exporters of OpenTelemetry's Python SDK until standard input ends, and says
what became of each. See ../README.md for what a batch is.
"""

import itertools
import json
import logging
import os
import sys
import threading
import time

from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExportResult
from opentelemetry.trace import SpanContext, TraceFlags

if os.environ["OTEL_EXPORTER_OTLP_PROTOCOL"] == "grpc":
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
else:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

PAUSE_S = 0.5
RESOURCE = Resource.create()
IS_OVER = threading.Event()
NUMBERS = itertools.count()


class LastWords(logging.Handler):
    """Keeps what an exporter said last of its failure, which is all that it says."""

    def emit(self, record):
        LAST.words = record.getMessage().replace("\n", " ")


LAST = threading.local()


def lane(marked):
    exporter = OTLPSpanExporter()
    while not IS_OVER.is_set():
        n = next(NUMBERS)
        spans = batch(n, marked)
        LAST.words = ""
        while exporter.export(spans) != SpanExportResult.SUCCESS:
            print(f"failed {n} {LAST.words}\n", end="", flush=True)
            time.sleep(PAUSE_S)
        print(f"acknowledged {n}\n", end="", flush=True)
        time.sleep(PAUSE_S)


def batch(n, marked):
    spans = []
    for m in range(marked):
        key = f"answer-{n}-{m}"
        texts = {"question_text": f"the question {key}", "answer_text": f"the answer {key}"}
        attributes = {f"service.audit.{name}": text for name, text in {"idempotency_key": key, **texts}.items()}
        spans.append(span(n, m + 2, 1, None, attributes))
    spans.append(span(n, 1, 2, 1, call("chat", n)))
    if n > 0:
        spans.append(span(n - 1, 1, 1, None, call("invoke_agent", n - 1)))
    return spans


def call(operation, n):
    def message(role, text):
        return json.dumps([{"role": role, "parts": [{"type": "text", "content": f"{text} {n}"}]}])

    return {
        "gen_ai.operation.name": operation,
        "gen_ai.input.messages": message("user", "the question"),
        "gen_ai.output.messages": message("assistant", "the answer"),
    }


def span(n, trace, id, parent, attributes):
    def context(id):
        return SpanContext((n << 64) + trace, id, False, TraceFlags(TraceFlags.SAMPLED))

    return ReadableSpan(
        name="span",
        context=context(id),
        parent=None if parent is None else context(parent),
        resource=RESOURCE,
        attributes=attributes,
        start_time=time.time_ns(),
        end_time=time.time_ns(),
    )


logging.getLogger("opentelemetry").addHandler(LastWords())
logging.getLogger("opentelemetry").propagate = False
lanes = [threading.Thread(target=lane, args=[int(os.environ["MARKED"])]) for _ in range(int(os.environ["LANES"]))]
for thread in lanes:
    thread.start()
sys.stdin.read()
IS_OVER.set()
for thread in lanes:
    thread.join()
