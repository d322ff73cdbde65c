import { textAttribute, tracesBody } from '../../../libs/formats/otlp/fixtures/bodies.ts';
import { type Attack, describeStatuses, type Outcome, serverFaults } from '../attack.ts';
import { type Scene, someOf } from '../scene.ts';

const RECORDS = '/api/answer-audit-logs';
const MEGABYTE = 1_000_000;
/** So many, and what another workspace's create may take beside them. */
const AT_ONCE = 20;
const PROBE_MS_MAX = 250;

type Ask = (scene: Scene, n: number) => Promise<Response>;

const post =
  (path: string, make: (scene: Scene, n: number) => object): Ask =>
  (scene, n) =>
    scene.call('POST', path, { token: scene.ours.first, body: JSON.stringify(make(scene, n)) });

/** Requests of a megabyte, each of the kind that costs the most by its path. */
const WORST: Readonly<Record<string, Ask>> = {
  'bodies of OTLP': ({ call, ours }) =>
    call('POST', `${RECORDS}/otel`, {
      token: ours.first,
      headers: { 'Content-Type': 'application/json' },
      body: tracesBody('json', [
        {
          attributes: [
            textAttribute('openinference.span.kind', 'LLM'),
            textAttribute('llm.input_messages.0.message.content', `["${'<a object at 0x'.repeat(MEGABYTE / 16)}`),
          ],
        },
      ]),
    }),
  'evidence in 2,000 segments': post('/api/evidence-assets', ({ ours }, n) => ({
    application_key: ours.target.applicationKey,
    segments: Array.from({ length: 2_000 }, (_, part) => `${n}.${part} ${'x'.repeat(480)}`),
  })),
  'evidence in HTML that is hardly more than tags': post('/api/evidence-assets', ({ ours }, n) => ({
    application_key: ours.target.applicationKey,
    content_type: 'text/html',
    content_base64: Buffer.from(`${n}${'<p>x'.repeat(180_000)}`).toString('base64'),
  })),
  'reconciliations of 5,000 references': post('/api/reconciliations/runs', ({ ours }, n) => ({
    application_key: ours.target.applicationKey,
    window_start: new Date(Date.now() - 1_800_000).toISOString(),
    window_end: new Date(Date.now() - 60_000).toISOString(),
    match_on: 'idempotency_key',
    references: Array.from({ length: 5_000 }, (_, at) => ({
      reference_id: `${n}.${at}.${'x'.repeat(100)}`,
      occurred_at: new Date(Date.now() - 900_000 + at).toISOString(),
    })),
  })),
};

async function ask(scene: Scene, count: number, one: Ask): Promise<Outcome> {
  const replies = await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const reply = await one(scene, n);
      await reply.arrayBuffer();
      return reply.status;
    }),
  );
  // Some may be told to come back: each workspace has a share of what there is.
  const breaches = [
    ...serverFaults('', replies),
    ...(replies.every((status) => status >= 400) ? ['none was taken'] : []),
  ];
  return { requests: count, seen: describeStatuses(replies), breaches };
}

/** Ids of as many of our own records, made for it. */
async function makeRecords({ call, ours }: Scene, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const body = {
      application_key: ours.target.applicationKey,
      question: { text: `question ${n}` },
      answer: { text: 'words '.repeat(100) },
    };
    const reply = await call('POST', RECORDS, { token: ours.first, body: JSON.stringify(body) });
    ids.push(((await reply.json()) as { readonly id: string }).id);
  }
  return ids;
}

/** Large requests that are as they should be, many at once. */
export const LARGE_REQUEST_ATTACKS: readonly Attack[] = [
  ...Object.entries(WORST).map(([name, one]): Attack => ({
    kind: 'large requests',
    name: `${AT_ONCE} ${name} at once`,
    probeMsMax: PROBE_MS_MAX,
    run: (scene) => ask(scene, someOf(scene, AT_ONCE), one),
  })),
  {
    kind: 'large requests',
    name: '5 packs of 200 records at once',
    probeMsMax: PROBE_MS_MAX,
    async run(scene) {
      const body = JSON.stringify({ answer_log_ids: await makeRecords(scene, someOf(scene, 200)) });
      return ask(scene, 5, ({ call, ours }) => call('POST', '/api/trust/packs', { token: ours.manager, body }));
    },
  },
  {
    kind: 'large requests',
    name: '20 lists of 200 records at once, searched by a text that none has',
    probeMsMax: PROBE_MS_MAX,
    run: (scene) =>
      ask(scene, someOf(scene, AT_ONCE), ({ call, ours }, n) =>
        call('GET', `${RECORDS}?size=200&session_id_hash=${n}`, { token: ours.manager }),
      ),
  },
];
