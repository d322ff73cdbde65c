import { SpanKind } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

const SENTENCE = 'The Danube is 2,850 kilometres long and flows through ten countries. ';
const SENTENCES = 6;

/** As many spans of model calls as an SDK sends at a time by default, each with ten attributes and 1 KB of messages. */
export function createSpanBatch(count: number): ReadableSpan[] {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'bench', 'deployment.environment.name': 'production' }),
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('bench', '1.0.0');
  for (let n = 0; n < count; n++) {
    const span = tracer.startSpan('chat gpt-4o', { kind: SpanKind.CLIENT });
    span.setAttributes({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.response.model': 'gpt-4o-2024-08-06',
      'gen_ai.response.id': `chatcmpl-${n.toString(36).padStart(24, 'x')}`,
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.request.temperature': 0.7,
      'gen_ai.usage.output_tokens': 100 + n,
      'gen_ai.input.messages': formatMessages('user', `Question ${n}: ${SENTENCE}`),
      'gen_ai.output.messages': formatMessages('assistant', SENTENCE.repeat(SENTENCES)),
    });
    span.end();
  }
  return exporter.getFinishedSpans();
}

function formatMessages(role: string, content: string): string {
  return JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
}
