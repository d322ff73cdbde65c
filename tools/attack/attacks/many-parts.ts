import { textAttribute, tracesBody } from '../../../libs/formats/otlp/fixtures/bodies.ts';
import { type Attack, describeStatuses, serverFaults } from '../attack.ts';
import { measureProcessor, PROCESSOR_MS_MAX } from '../measure-processor.ts';
import { type Scene, someOf } from '../scene.ts';

const RECORDS = '/api/answer-audit-logs';
const HTML = 'text/html';
/** The first of a kind compile its code; of the others the one in the middle counts. */
const [WARM, MEASURED] = [4, 5];

/** A request that has as many parts as a megabyte holds, or as the path takes; its status. */
type Ask = (scene: Scene, n: number) => Promise<number>;

const post =
  (path: string, make: (scene: Scene, n: number) => object): Ask =>
  async (scene, n) => {
    const body = JSON.stringify(make(scene, n));
    return statusOf(await scene.call('POST', path, { token: scene.ours.first, body }));
  };

async function statusOf(reply: Response): Promise<number> {
  await reply.arrayBuffer();
  return reply.status;
}

/** An asset of the text in base64. */
const asset = (text: (n: number) => string, type: string) =>
  post('/api/evidence-assets', ({ ours }, n) => ({
    application_key: ours.target.applicationKey,
    content_type: type,
    content_base64: Buffer.from(`${n} ${crypto.randomUUID()} ${text(n)}`).toString('base64'),
  }));

const questionOf = (n: number) => [
  textAttribute('openinference.span.kind', 'LLM'),
  textAttribute('input.value', `q${n}`),
];

/** A body by its resource: spans that name no application are refused, and cost less. */
type Body = (resource: object) => Uint8Array;

/** A body of so many spans, each in a trace of its own. */
const spans =
  (count: number, attributesOf: (n: number) => readonly object[]): Body =>
  (resource) =>
    tracesBody(
      'protobuf',
      Array.from({ length: count }, (_, n) => ({
        traceId: crypto.getRandomValues(new Uint8Array(16)),
        spanId: crypto.getRandomValues(new Uint8Array(8)),
        attributes: attributesOf(n),
      })),
      resource,
    );

/** A body of one span with so many attributes. */
const attributes = (count: number, name: (n: number) => string): Body =>
  spans(1, () => [...questionOf(0), ...Array.from({ length: count }, (_, n) => textAttribute(name(n), 'v'))]);

const otlp =
  (path: string, make: () => Body): Ask =>
  async ({ call, ours }) => {
    const headers = { 'Content-Type': 'application/x-protobuf' };
    const body = make()({ attributes: [textAttribute('service.name', ours.target.applicationKey)] });
    return statusOf(await call('POST', path, { token: ours.first, headers, body }));
  };

/** A body of one span that has this in the place of its messages. */
const texts = (text: string): Body => spans(1, () => [textAttribute('output.value', text), ...questionOf(0)]);

const message = (n: number) => `llm.input_messages.${n}.message.content`;

/** The most parts that each path takes in a megabyte. */
const PATHS: Readonly<Record<string, Ask>> = {
  'a reconciliation of 10,000 references': post('/api/reconciliations/runs', ({ ours }, n) => ({
    application_key: ours.target.applicationKey,
    window_start: new Date(Date.now() - 1_800_000).toISOString(),
    window_end: new Date(Date.now() - 60_000).toISOString(),
    match_on: 'idempotency_key',
    references: Array.from({ length: 10_000 }, (_, at) => ({
      reference_id: `${n}.${at}.${crypto.randomUUID()}`.slice(0, 30),
      occurred_at: new Date(Date.now() - 900_000 + at).toISOString(),
    })),
  })),
  'evidence in 2,000 segments': post('/api/evidence-assets', ({ ours }, n) => ({
    application_key: ours.target.applicationKey,
    segments: Array.from({ length: 2_000 }, (_, part) => `${n}.${part}.${Math.random()} ${'x'.repeat(450)}`),
  })),
  'evidence in base64: HTML of 180,000 tags': asset(() => '<p>x'.repeat(180_000), HTML),
  'evidence in base64: HTML of 140,000 attributes': asset(() => `<a ${'a=b '.repeat(140_000)}>`, HTML),
  'evidence in base64: 240,000 paragraphs': asset(() => 'x\n\n'.repeat(240_000), 'text/plain'),
  'a create with 200 references of 400 members': post(RECORDS, ({ ours }, n) => ({
    application_key: ours.target.applicationKey,
    question: { text: 'q' },
    answer: { text: `${n}` },
    semantic_refs: Array.from({ length: 200 }, (_, ref) =>
      Object.fromEntries(Array.from({ length: 400 }, (_, member) => [`k${member}`, ref])),
    ),
  })),
  'a create with 200 references of 1,000 lists': post(RECORDS, ({ ours }, n) => ({
    application_key: ours.target.applicationKey,
    question: { text: 'q' },
    answer: { text: `${n}` },
    semantic_refs: Array.from({ length: 200 }, () => ({ a: Array.from({ length: 1_000 }, () => [n]) })),
  })),
  'a batch of 500 creates': post(`${RECORDS}/batch`, ({ ours }) => ({
    records: Array.from({ length: 500 }, () => ({
      application_key: ours.target.applicationKey,
      idempotency_key: crypto.randomUUID(),
      question: { text: 'q' },
      answer: { text: 'a'.repeat(1_500) },
    })),
  })),
  'OTLP of 1,000 answers': otlp(`${RECORDS}/otel`, () =>
    spans(1_000, (n) => [...questionOf(n), textAttribute('output.value', 'a'.repeat(800))]),
  ),
  'OTLP of 8,000 spans that say nothing': otlp(`${RECORDS}/otel`, () =>
    spans(8_000, (n) => [textAttribute('k', `${n}`)]),
  ),
  'OTLP of a span with 40,000 attributes': otlp(`${RECORDS}/otel`, () => attributes(40_000, (n) => `k${n}`)),
  'OTLP of a span with 18,000 messages': otlp(`${RECORDS}/otel`, () => attributes(18_000, message)),
  'OTLP of a text of 330,000 lists': otlp(`${RECORDS}/otel`, () => texts(`[${'[],'.repeat(330_000)}${Math.random()}]`)),
  'OTLP of a text of 120,000 objects': otlp(`${RECORDS}/otel`, () =>
    texts(`[${'{"a":1},'.repeat(120_000)}${Math.random()}]`),
  ),
  'OTLP of a text of 12,000 messages': otlp(`${RECORDS}/otel`, () =>
    texts(
      JSON.stringify(
        Array.from({ length: 12_000 }, () => ({
          role: 'user',
          parts: [{ type: 'text', content: `${Math.random()}` }],
        })),
      ),
    ),
  ),
  'explain of a span with 18,000 messages': otlp(`${RECORDS}/otel/explain`, () => attributes(18_000, message)),
  'explain by rules of a span with 14,000 messages': post(`${RECORDS}/otel/explain/rules`, () => ({
    content_type: 'application/x-protobuf',
    request_base64: Buffer.from(attributes(14_000, message)({})).toString('base64'),
    rules: [],
  })),
};

/** What one request of a megabyte costs of a processor, when it has as many parts as it can. */
export const MANY_PARTS_ATTACKS: readonly Attack[] = Object.entries(PATHS).map(([name, ask]) => ({
  kind: 'large requests',
  name,
  probeMsMax: 1_000,
  async run(scene, probe) {
    const statuses: number[] = [];
    for (let n = 0; n < someOf(scene, WARM); n++) statuses.push(await ask(scene, n));
    const costs: number[] = [];
    for (let n = 0; n < someOf(scene, MEASURED); n++)
      costs.push(await measureProcessor(scene, probe, async () => void statuses.push(await ask(scene, WARM + n))));
    const ms = costs.toSorted((a, b) => a - b)[Math.floor(costs.length / 2)] ?? 0;
    const breaches = ms > PROCESSOR_MS_MAX / scene.share ? [`${Math.round(ms)} ms of a processor`] : [];
    if (statuses.some((status) => status >= 400)) breaches.push('one was refused');
    const seen = `${Math.round(ms)} ms of a processor; ${describeStatuses(statuses)}`;
    return { requests: statuses.length, seen, breaches: [...breaches, ...serverFaults(name, statuses)] };
  },
}));
