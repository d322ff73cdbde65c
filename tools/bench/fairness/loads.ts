import { randomBytes } from 'node:crypto';
import { APPLICATION_KEY } from '../service/create-body.ts';

/** One request of a hostile load. */
export type HostileRequest = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly contentType?: string;
  readonly body?: Uint8Array;
};

/** A load that one token makes: so many of its requests are always on their way. */
type HostileLoad = {
  readonly name: string;
  readonly parallel: number;
  /** Sent in place of the token, by somebody who has none. */
  readonly token?: string;
  /** Made once; the result makes each request, cheaply, so that the load costs the generator little. */
  readonly prepare: (known: { readonly recordId: string }) => () => HostileRequest;
};

const MIB = 1024 * 1024;
const JSON_TYPE = 'application/json';
const RECONCILIATIONS = '/api/reconciliations/runs';

/** The loads that an attacker would send, each the worst that its route lets in. */
export const HOSTILE_LOADS: readonly HostileLoad[] = [
  otlp('OTLP JSON, 9,900 spans of 18 attributes', 4, createPlainSpans),
  otlp('OTLP JSON, 9,900 spans of 18 attributes', 1, createPlainSpans),
  otlp('OTLP JSON, 5,000 answers', 2, createAnswerSpans),
  { name: 'OTLP protobuf, 12 MB of spans', parallel: 4, prepare: prepareProtobuf },
  reconciliation('escapes', 4, () => `"${'\\u0061'.repeat(8 * MIB)}"`),
  reconciliation('escapes', 1, () => `"${'\\u0061'.repeat(8 * MIB)}"`),
  reconciliation('numbers', 4, () => `[${'1,'.repeat(8 * MIB)}`),
  reconciliation('600,000 names', 4, () => `{${Array.from({ length: 600_000 }, (_, n) => `"k${n}":1`).join(',')}}`),
  reconciliation('small objects', 4, () => `[${'{"a":1},'.repeat(MIB)}`),
  { name: 'reconciliation, 10,000 references', parallel: 4, prepare: prepareReferences },
  { name: 'creates with 200 refs of 250 members', parallel: 8, prepare: prepareRefs },
  { name: 'evidence, 2 MB of text in base64', parallel: 4, prepare: () => prepareEvidence('text/plain', '\n\n') },
  { name: 'evidence, 2 MB of HTML in base64', parallel: 4, prepare: () => prepareEvidence('text/html', '<p>') },
  { name: 'bundles with 5,000 attached traces', parallel: 4, prepare: prepareBundle },
  ...[1, 4].map((parallel) => ({ name: 'ledger checks', parallel, prepare: prepareCheck })),
  {
    name: '8 MiB with a bad token',
    parallel: 4,
    token: 'nobody',
    prepare: () => always(RECONCILIATIONS, JSON_TYPE, Buffer.alloc(8 * MIB, '1')),
  },
];

function always(path: string, contentType: string, body: Uint8Array): () => HostileRequest {
  return () => ({ method: 'POST', path, contentType, body });
}

function prepareCheck(): () => HostileRequest {
  return always('/api/trust/ledger-checks', JSON_TYPE, Buffer.from('{}'));
}

function prepareBundle({ recordId }: { readonly recordId: string }): () => HostileRequest {
  return () => ({ method: 'GET', path: `/api/trust/proofs/answers/${recordId}` });
}

function otlp(name: string, parallel: number, createSpans: () => readonly object[]): HostileLoad {
  return { name, parallel, prepare: () => varying('/api/answer-audit-logs/otel/v1/traces', traces(createSpans())) };
}

/** A body of whatever it is, cut at 8 MiB, so that it is as large as the route takes. */
function reconciliation(name: string, parallel: number, createText: () => string): HostileLoad {
  const prepare = () => {
    const body = Buffer.from(createText()).subarray(0, 8 * MIB);
    return always(RECONCILIATIONS, JSON_TYPE, body);
  };
  return { name: `reconciliation of 8 MiB, ${name}`, parallel, prepare };
}

/** Stands in a body where each request has 8 hex digits of its own. */
const MARK = 'cafe0123';

/** Sends a text with another mark each time; it has as many bytes as characters. */
function varying(path: string, text: string): () => HostileRequest {
  const template = Buffer.from(text);
  const places: number[] = [];
  for (let at = text.indexOf(MARK); at >= 0; at = text.indexOf(MARK, at + 1)) places.push(at);
  return () => {
    const body = Buffer.from(template);
    const mark = randomBytes(4).toString('hex');
    for (const at of places) body.write(mark, at, 'latin1');
    return { method: 'POST', path, contentType: JSON_TYPE, body };
  };
}

function traces(spans: readonly object[]): string {
  const resource = { attributes: [attribute('service.name', APPLICATION_KEY)] };
  return JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'load' }, spans }] }] });
}

function attribute(key: string, stringValue: string): object {
  return { key, value: { stringValue } };
}

function span(n: number, attributes: readonly object[]): object {
  const id = n.toString(16).padStart(8, '0');
  return {
    traceId: `${MARK}${id}`.padEnd(32, '1'),
    spanId: `${MARK}${id}`,
    name: 'step',
    startTimeUnixNano: '1',
    attributes,
  };
}

/** Spans that are no answers, for which all work is reading. */
function createPlainSpans(): readonly object[] {
  const attributes = Array.from({ length: 18 }, (_, n) => attribute(`key.${n}`, `value ${n}`));
  return Array.from({ length: 9_900 }, (_, n) => span(n, attributes));
}

function createAnswerSpans(): readonly object[] {
  return Array.from({ length: 5_000 }, (_, n) =>
    span(n, [
      attribute('service.audit.question_text', `Question ${n}`),
      attribute('service.audit.answer_text', `Answer ${n}`),
    ]),
  );
}

/** Spans that are attached to one record, whose idempotency key that is. */
export function formatAttachedSpans(idempotencyKey: string, count: number): Uint8Array {
  const spans = Array.from({ length: count }, (_, n) =>
    span(n, [attribute('service.audit.idempotency_key', idempotencyKey)]),
  );
  return Buffer.from(traces(spans));
}

function prepareProtobuf(): () => HostileRequest {
  const strings = Array.from({ length: 18 }, (_, n) => [`key.${n}`, `value ${n}`] as const);
  const attributes = strings.map(([key, value]) =>
    message(9, [message(1, [Buffer.from(key)]), message(2, [message(1, [Buffer.from(value)])])]),
  );
  const spans = Array.from({ length: 9_900 }, () =>
    message(2, [message(1, [randomBytes(16)]), message(2, [randomBytes(8)]), ...attributes, message(5, [filler])]),
  );
  const body = message(1, [message(2, spans)]);
  return always('/api/answer-audit-logs/otel/v1/traces', 'application/x-protobuf', body);
}

/** The name of a span that brings the request to some 12 MB. */
const filler = Buffer.alloc(760, 'n');

/** A field of wire type 2 (protobuf encoding, "Length-Delimited Records"). */
function message(field: number, parts: readonly Uint8Array[]): Uint8Array {
  const content = Buffer.concat(parts);
  const head = [(field << 3) | 2];
  let rest = content.length;
  for (; rest > 127; rest >>>= 7) head.push((rest & 127) | 128);
  return Buffer.concat([Buffer.from([...head, rest]), content]);
}

function prepareReferences(): () => HostileRequest {
  const end = Date.now();
  const start = end - 3_600_000;
  const references = Array.from({ length: 10_000 }, (_, n) => ({
    reference_id: `reference-${n}-${'x'.repeat(150)}`,
    occurred_at: new Date(start + n).toISOString(),
    question_hash: `sha256:${n.toString(16).padStart(64, '0')}`,
    answer_hash: `sha256:${n.toString(16).padStart(64, 'a')}`,
  }));
  const body = JSON.stringify({
    application_key: APPLICATION_KEY,
    match_on: 'external_message_id',
    window_start: new Date(start).toISOString(),
    window_end: new Date(end).toISOString(),
    references,
  });
  return always(RECONCILIATIONS, JSON_TYPE, Buffer.from(body));
}

function prepareRefs(): () => HostileRequest {
  const ref = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`k${n}`, n]));
  const text = JSON.stringify({
    application_key: APPLICATION_KEY,
    idempotency_key: `refs-${MARK}`,
    question: { text: 'How many?' },
    answer: { text: 'Many.' },
    semantic_refs: Array.from({ length: 200 }, () => ref),
  });
  return varying('/api/answer-audit-logs', text);
}

/** As many passages as 2 MB have: each is sealed under a key of its own. */
function prepareEvidence(contentType: string, separator: string): () => HostileRequest {
  const text = `A passage.${separator}`.repeat(2 * MIB).slice(0, 2 * MIB - 16);
  return () => {
    const content = Buffer.from(`${randomBytes(8).toString('hex')}${text}`).toString('base64');
    const body = JSON.stringify({
      application_key: APPLICATION_KEY,
      content_type: contentType,
      content_base64: content,
    });
    return { method: 'POST', path: '/api/evidence-assets', contentType: JSON_TYPE, body: Buffer.from(body) };
  };
}
