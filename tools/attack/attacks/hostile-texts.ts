import { hostileTexts } from '../../../libs/domain/otlp-mapping/fixtures/hostile-texts.ts';
import { textAttribute, tracesBody } from '../../../libs/formats/otlp/fixtures/bodies.ts';
import { type Attack, describeStatuses, serverFaults } from '../attack.ts';
import { callGrpc } from '../call-grpc.ts';
import { measureProcessor, PROCESSOR_MS_MAX } from '../measure-processor.ts';
import { partOf, type Scene, someOf } from '../scene.ts';

const KIB = 1024;
/** What the id of a reference may not hold, and more. */
const NO_ID = /[^!-~]/g;
/** A body of this path is of about this size; 1 MB wherever the path takes one. */
const WHOLE = 1_000_000;
/** What the service does by itself, and a collection of garbage, are not in all of so many. */
const TIMES = 3;
/** Each path gets one in so many of the texts, and each text some of the paths. */
const SHARE = 8;
const RECORDS = '/api/answer-audit-logs';

/** A request made of a text; `bytes` is how long a text this path takes. */
type Path = {
  readonly name: string;
  readonly bytes: number;
  send(scene: Scene, text: string): Promise<number>;
};

function postJson(path: string, make: (text: string, scene: Scene) => object, manager = false) {
  return async (scene: Scene, text: string): Promise<number> => {
    const body = JSON.stringify(make(text, scene));
    const token = manager ? scene.ours.manager : scene.ours.first;
    const reply = await scene.call(path.startsWith('PUT') ? 'PUT' : 'POST', path.replace(/^PUT /, ''), { token, body });
    await reply.arrayBuffer();
    return reply.status;
  };
}

const spanOf = (text: string, key: string) => ({
  attributes: [textAttribute('openinference.span.kind', 'LLM'), textAttribute(key, text)],
});
const KEYS = [
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'llm.input_messages.0.message.content',
  'gen_ai.completion.0.content',
  'input.value',
  'output.value',
  'traceloop.entity.output',
];
let turn = 0;
const nextKey = () => KEYS[turn++ % KEYS.length] ?? '';

function postOtlp(path: string, encoding: 'json' | 'protobuf') {
  return async ({ call, ours }: Scene, text: string): Promise<number> => {
    const reply = await call('POST', path, {
      token: ours.first,
      headers: { 'Content-Type': encoding === 'json' ? 'application/json' : 'application/x-protobuf' },
      body: tracesBody(encoding, [spanOf(text, nextKey())]),
    });
    await reply.arrayBuffer();
    return reply.status;
  };
}

const chunks = (text: string, count: number) =>
  Array.from({ length: count }, (_, n) => text.slice((n * text.length) / count, ((n + 1) * text.length) / count));
const record = ({ ours }: Scene, more: object) => ({
  application_key: ours.target.applicationKey,
  question: { text: 'q' },
  answer: { text: 'a' },
  ...more,
});

async function uploadHtml({ call, ours }: Scene, text: string): Promise<number> {
  const form = new FormData();
  form.set('metadata', JSON.stringify({ application_key: ours.target.applicationKey, content_type: 'text/html' }));
  form.set('file', new File([text], 'a.html', { type: 'text/html' }));
  const request = new Request('http://a', { method: 'POST', body: form });
  const reply = await call('POST', '/api/evidence-assets', {
    token: ours.first,
    headers: { 'Content-Type': request.headers.get('content-type') ?? '' },
    body: new Uint8Array(await request.arrayBuffer()),
  });
  await reply.arrayBuffer();
  return reply.status;
}

/** The last size that is read in the thread that answers requests. */
const SMALL = 60 * KIB;

/** Every path that takes texts of callers. */
const PATHS: readonly Path[] = [
  { name: 'OTLP, protobuf', bytes: SMALL, send: postOtlp(`${RECORDS}/otel`, 'protobuf') },
  {
    name: 'OTLP, gRPC',
    bytes: SMALL,
    send: (scene, text) => callGrpc(scene, tracesBody('protobuf', [spanOf(text, nextKey())])),
  },
  { name: 'OTLP, protobuf', bytes: WHOLE, send: postOtlp(`${RECORDS}/otel`, 'protobuf') },
  { name: 'OTLP, JSON', bytes: WHOLE, send: postOtlp(`${RECORDS}/otel`, 'json') },
  {
    name: 'OTLP, gRPC',
    bytes: WHOLE,
    send: (scene, text) => callGrpc(scene, tracesBody('protobuf', [spanOf(text, nextKey())])),
  },
  { name: 'explain', bytes: WHOLE, send: postOtlp(`${RECORDS}/otel/explain`, 'json') },
  {
    name: 'explain by rules',
    bytes: 700 * KIB,
    send: postJson(`${RECORDS}/otel/explain/rules`, (text) => ({
      content_type: 'application/json',
      request_base64: Buffer.from(tracesBody('json', [spanOf(text, nextKey())])).toString('base64'),
      rules: [],
    })),
  },
  {
    name: 'create',
    bytes: 500 * KIB,
    send: postJson(RECORDS, (text, scene) =>
      record(scene, { question: { text: text.slice(0, 250_000) }, answer: { text: text.slice(250_000) } }),
    ),
  },
  {
    name: 'create with 60 references',
    bytes: 800 * KIB,
    send: postJson(RECORDS, (text, scene) => record(scene, { semantic_refs: chunks(text, 60).map((a) => ({ a })) })),
  },
  {
    name: 'batch of 4 creates (what an import sends)',
    bytes: 900 * KIB,
    send: postJson(`${RECORDS}/batch`, (text, scene) => ({
      records: chunks(text, 4).map((answer) =>
        record(scene, { idempotency_key: crypto.randomUUID(), answer: { text: answer } }),
      ),
    })),
  },
  {
    name: 'evidence in segments',
    bytes: WHOLE,
    send: postJson('/api/evidence-assets', (text, { ours }) => ({
      application_key: ours.target.applicationKey,
      segments: chunks(text, 500),
    })),
  },
  {
    name: 'evidence in base64',
    bytes: 700 * KIB,
    send: postJson('/api/evidence-assets', (text, { ours }) => ({
      application_key: ours.target.applicationKey,
      content_type: 'text/html',
      content_base64: Buffer.from(text).toString('base64'),
    })),
  },
  { name: 'evidence as a file of HTML', bytes: WHOLE, send: uploadHtml },
  {
    name: 'reconciliation of 5,000 references',
    bytes: 700 * KIB,
    send: postJson('/api/reconciliations/runs', (text, { ours }) => ({
      application_key: ours.target.applicationKey,
      window_start: new Date(Date.now() - 1_800_000).toISOString(),
      window_end: new Date().toISOString(),
      match_on: 'idempotency_key',
      references: chunks(text, 5_000).map((words, n) => ({
        reference_id: `${n} ${words.replaceAll(NO_ID, '.')}`,
        occurred_at: new Date(Date.now() - 900_000 + n).toISOString(),
      })),
    })),
  },
  {
    name: 'policy of witnesses',
    bytes: 60 * KIB,
    send: postJson('PUT /api/trust/policy', (text) => ({ anchors: [], witness_policy: text }), true),
  },
  {
    name: 'pack',
    bytes: 60 * KIB,
    send: postJson('/api/trust/packs', (text) => ({ answer_log_ids: chunks(text, 200) }), true),
  },
  {
    name: 'query of a list',
    bytes: 8_000,
    async send({ call, ours }, text) {
      const path = `${RECORDS}?cursor=${encodeURIComponent(text.toWellFormed()).slice(0, 8_000)}`;
      const reply = await call('GET', path, { token: ours.first });
      await reply.arrayBuffer();
      return reply.status;
    },
  },
];

/** Hostile texts by every path: what each costs the service of a processor. */
export const HOSTILE_TEXT_ATTACKS: readonly Attack[] = PATHS.map((path) => ({
  kind: 'hostile texts',
  name: `${path.name}, ${Math.round(path.bytes / 1_000)} KB`,
  probeMsMax: 1_000,
  async run(scene, probe) {
    const statuses: number[] = [];
    const breaches: string[] = [];
    let worst = 0;
    // The first requests of a kind compile its code.
    for (let warm = 0; warm < someOf(scene, 5); warm++) await path.send(scene, 'a'.repeat(path.bytes));
    const tries = someOf(scene, TIMES);
    const most = PROCESSOR_MS_MAX / scene.share;
    const cheapest = async (text: string): Promise<number> =>
      Math.min(...(await times(tries, () => measureProcessor(scene, probe, () => path.send(scene, text)))));
    const plain = await cheapest('a'.repeat(path.bytes));
    const n = PATHS.indexOf(path);
    const texts = hostileTexts(path.bytes).filter((_, at) => at % SHARE === n % SHARE);
    for (const whole of partOf(scene, texts)) {
      const text = fit(whole, path.bytes);
      // Beside creates of another workspace first, and then alone, since they cost something as well.
      statuses.push(await path.send(scene, text));
      const first = await measureProcessor(scene, probe, () => path.send(scene, text));
      const ms = first < most ? first : await cheapest(text);
      worst = Math.max(worst, ms);
      if (ms > most) breaches.push(`${Math.round(ms)} ms for ${JSON.stringify(text.slice(0, 24))}`);
    }
    const seen = `at most ${Math.round(worst)} ms of a processor (plain text ${Math.round(plain)} ms); ${describeStatuses(statuses)}`;
    return { requests: statuses.length, seen, breaches: [...breaches, ...serverFaults(path.name, statuses)] };
  },
}));

/** The beginning of the text that takes so many bytes as JSON. */
function fit(text: string, bytes: number): string {
  const size = Buffer.byteLength(JSON.stringify(text));
  return size <= bytes ? text : text.slice(0, Math.floor((text.length * bytes) / size));
}

async function times<T>(count: number, action: () => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  for (let n = 0; n < count; n++) results.push(await action());
  return results;
}
