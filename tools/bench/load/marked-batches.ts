import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { APPLICATION_KEY } from '../service/create-body.ts';

/** Stands in the first batch for what is of one batch alone: the id of its trace, and the beginning of its keys. */
const PLACE = '#'.repeat(16);
const ANSWER = 'The answer, as the customer saw it. '.repeat(20);

/** Writes a request of spans that go by this name, in place of the one before. */
type WriteBatch = (name: string) => Uint8Array;

/**
 * So many writers of requests of marked spans in protobuf, each of one trace. Each has one request, in which only ids
 * and keys change, so that the load costs the machine as little as that of the creates does.
 */
export function createMarkedBatches(spans: number, writers: number): readonly WriteBatch[] {
  const first = Buffer.from(serializeSpans(spans));
  const places: number[] = [];
  for (let at = first.indexOf(PLACE); at !== -1; at = first.indexOf(PLACE, at + PLACE.length)) places.push(at);
  if (places.length !== 2 * spans) throw new Error(`${places.length} places were found for ${spans} ids and keys`);
  return Array.from({ length: writers }, () => {
    const batch = Buffer.from(first);
    return (name) => {
      const own = name.padStart(PLACE.length, '.').slice(-PLACE.length);
      for (const place of places) batch.write(own, place, 'latin1');
      return batch;
    };
  });
}

function serializeSpans(count: number): Uint8Array {
  const exporter = new InMemorySpanExporter();
  let spans = 0;
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': APPLICATION_KEY }),
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
    idGenerator: {
      generateTraceId: () => Buffer.from(PLACE).toString('hex'),
      generateSpanId: () => (++spans).toString(16).padStart(16, '0'),
    },
  });
  const tracer = provider.getTracer('bench', '1.0.0');
  for (let n = 0; n < count; n++) {
    const span = tracer.startSpan('answer');
    span.setAttributes({
      'service.audit.idempotency_key': `${PLACE}-${n}`,
      'service.audit.question_text': `What is the answer to question ${n}?`,
      'service.audit.answer_text': ANSWER,
    });
    span.end();
  }
  const bytes = ProtobufTraceSerializer.serializeRequest(exporter.getFinishedSpans());
  if (bytes === undefined) throw new Error('the SDK has written nothing');
  return bytes;
}
