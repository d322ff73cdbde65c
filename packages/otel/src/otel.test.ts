import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Attributes } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type SpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { answering, answerSpan, createMarkingProcessor, hashId } from './index.ts';

let exporter: InMemorySpanExporter;
beforeEach(() => {
  exporter = new InMemorySpanExporter();
});

function open(...processors: readonly SpanProcessor[]) {
  const provider = new TracerProvider({ spanProcessors: [...processors, new SimpleSpanProcessor({ exporter })] });
  return (scope: string) => provider.getTracer(scope);
}

const exported = (): readonly Attributes[] => exporter.getFinishedSpans().map(({ attributes }) => attributes);

describe('answerSpan', () => {
  it('makes one marked span of what is known before, told on the way and returned', async () => {
    const options = { tracer: open()('app'), key: 'msg-1', question: 'q', endUserIdHash: 'u', sessionIdHash: 's' };
    const returned = await answerSpan(options, async (tell) => {
      tell({ sources: [{ source_name: 'a.md' }] });
      return Promise.resolve('30 days.');
    });
    expect(returned).toBe('30 days.');
    expect(exported()).toEqual([
      {
        'service.audit.idempotency_key': 'msg-1',
        'service.audit.question_text': 'q',
        'service.audit.answer_text': '30 days.',
        'service.audit.source_refs': '[{"source_name":"a.md"}]',
        'enduser.id_hash': 'u',
        'session.id_hash': 's',
      },
    ]);
  });

  it('takes the answer that was told before a text that is returned', async () => {
    await answerSpan({ tracer: open()('app'), key: 'msg-1' }, (tell) => {
      tell({ answer: 'told' });
      return 'returned';
    });
    expect(exported()[0]).toMatchObject({ 'service.audit.answer_text': 'told' });
  });

  it('marks nothing when the function throws, and quotes nothing of the error', async () => {
    const failing = answerSpan({ tracer: open()('app'), key: 'msg-1', question: 'q' }, () => {
      throw new Error('a text of somebody');
    });
    await expect(failing).rejects.toThrow('a text of somebody');
    const [span] = exporter.getFinishedSpans();
    expect([span?.attributes, span?.status, span?.events]).toEqual([{}, { code: 2 }, []]);
  });

  it('wraps a function, whose arguments say what is known', async () => {
    const tracer = open()('app');
    const reply = answering(
      (key: string, question: string) => ({ tracer, key, question }),
      (_key, question) => `answer to ${question}`,
    );
    expect(await reply('msg-2', 'q')).toBe('answer to q');
    expect(exported()[0]).toMatchObject({
      'service.audit.idempotency_key': 'msg-2',
      'service.audit.answer_text': 'answer to q',
    });
  });
});

describe('a marking processor', () => {
  it.each([
    ['its scope', { scopeName: 'mailer' }, true],
    ['the beginning of its scope', { scopeName: 'mail*' }, true],
    ['its name', { spanName: 'reply' }, true],
    ['an attribute that comes later', { attributes: { 'app.kind': 'final' } }, true],
    ['another scope', { scopeName: 'other' }, false],
    ['one of two properties', { scopeName: 'mailer', spanName: 'draft' }, false],
    ['another value', { attributes: { 'app.kind': 'draft' } }, false],
  ])('that names %s marks a span as it should', (_, rule, isMarked) => {
    const span = open(createMarkingProcessor([rule]))('mailer').startSpan('reply');
    span.setAttribute('app.kind', 'final');
    span.end();
    const { traceId, spanId } = span.spanContext();
    expect(exported()[0]?.['service.audit.idempotency_key']).toBe(isMarked ? `${traceId}-${spanId}` : undefined);
  });

  it('takes the key from the rule, by the attributes at the end, and leaves a mark of the application', () => {
    const facts = ({ attributes }: { attributes: Readonly<Attributes> }) => ({ key: String(attributes['app.id']) });
    const tracerOf = open(createMarkingProcessor([{ facts }]));
    const span = tracerOf('mailer').startSpan('reply');
    span.setAttribute('app.id', 'msg-7');
    span.end();
    tracerOf('app')
      .startSpan('answer', { attributes: { 'service.audit.idempotency_key': 'mine' } })
      .end();
    expect(exported().map(({ 'service.audit.idempotency_key': key }) => key)).toEqual(['msg-7', 'mine']);
  });
});

describe('hashId', () => {
  it('is the HMAC-SHA-256 of the id, and refuses an empty secret', () => {
    // RFC 4231, test case 2.
    const mac = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
    expect(hashId('Jefe', 'what do ya want for nothing?')).toBe(`hmac-sha256:${mac}`);
    expect(() => hashId('', 'ada')).toThrow('must not be empty');
  });
});
