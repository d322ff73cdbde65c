/** Where OTLP goes. */
export const OTEL = '/api/answer-audit-logs/otel';

/** A span with texts as attributes, as OTLP has it in JSON. Each number is a span of its own. */
export function span(n: number, attributes: Readonly<Record<string, string>>): object {
  return {
    traceId: 'c5855046bef4b73301353c59860c39d8',
    spanId: (n + 1).toString(16).padStart(16, '0'),
    name: 'answer',
    startTimeUnixNano: '1795165200000000000',
    attributes: attributesOf(attributes),
  };
}

/** A span that states an answer under a key. */
export function answerSpan(n: number, key: string, text = `the answer ${n}`): object {
  return span(n, {
    'service.audit.idempotency_key': key,
    'service.audit.question_text': `the question ${n}`,
    'service.audit.answer_text': text,
  });
}

/** A request of spans of one application. */
export function traces(spans: readonly object[], application = 'support-bot'): object {
  const resource = { attributes: attributesOf({ 'service.name': application }) };
  return { resourceSpans: [{ resource, scopeSpans: [{ spans }] }] };
}

function attributesOf(attributes: Readonly<Record<string, string>>): readonly object[] {
  return Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } }));
}
