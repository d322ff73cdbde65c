import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TraceFates, traceFates } from '@answer-evidence/contracts';
import type { OtlpItem } from '@answer-evidence/otlp-mapping';
import { FAULTS } from '../tools/otlp-recordings/faults.ts';
import { listRecordings, readRequests } from '../tools/otlp-recordings/read-recordings.ts';
import { writeRequest } from '../tools/otlp-recordings/write-request.ts';
import { OTEL } from '../tools/scenery/otlp.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';

const MINUTES_MS = 60_000;
const APPLICATION = { key: 'service.name', value: 'support-bot' };

/** Scenarios that are sent: a sample, or with `FATES_ALL=1` all of them, which takes some ten minutes. */
const SCENARIOS = process.env['FATES_ALL'] === '1' ? Number.MAX_SAFE_INTEGER : 80;
const SEED = Number(process.env['PROPERTY_SEED'] ?? 44);
/** Scenarios of one round, whose traces are asked for when they have been quiet. */
const ROUND = 80;
const TRIES_MAX = 240;
const PAUSE_MS = 250;
const REQUESTS_MAX = 4;
/** A line names at most so many spans. */
const NAMED_MAX = 100;

let service: TestService;
let token: string;

beforeAll(async () => {
  service = await openTestService({
    environment: { SERVICE_OTLP_TRACE_WAIT_SECONDS: '2', SERVICE_OTLP_WAIT_SECONDS: '1' },
  });
  const body = { kind: 'application', application_key: 'support-bot', name: 'sends', scopes: ['answer_audit:create'] };
  token = (await service.call('POST', '/api/tokens', { body })).body.token as string;
}, MINUTES_MS);
afterAll(() => service.close());

/** Numbers from 0 up to a bound, the same from the same seed (mulberry32). */
function createDraw(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}
const draw = createDraw(SEED);
const shuffle = <Of>(all: readonly Of[]): readonly Of[] =>
  all
    .map((one) => ({ one, by: draw(0x7fffffff) }))
    .toSorted((a, b) => a.by - b.by)
    .map(({ one }) => one);

type Sent = { readonly scenario: string; readonly items: readonly OtlpItem[] };

/** Sends the items of a recording, one of them with a fault, in any order and in up to four requests. */
async function send(name: string): Promise<Sent> {
  const recorded = readRequests(name).flatMap(({ items }) => items);
  const faults = Object.keys(FAULTS) as (keyof typeof FAULTS)[];
  const fault = faults[draw(faults.length)] ?? 'none';
  const at = draw(recorded.length);
  const faulty = recorded.flatMap((item, n) => (n === at ? FAULTS[fault](item) : [item]));
  const items = shuffle(faulty).map((item) => ({ ...item, resource: ofApplication(item) }));
  const requests = Array.from({ length: 1 + draw(REQUESTS_MAX) }, (): OtlpItem[] => []);
  for (const item of items) requests[draw(requests.length)]?.push(item);
  for (const request of requests) {
    for (const kind of ['span', 'log'] as const) {
      const part = request.filter((item) => item.kind === kind);
      const path = `${OTEL}/v1/${kind === 'span' ? 'traces' : 'logs'}`;
      const { status, text } = await service.call('POST', path, { token, body: writeRequest(part) });
      if (status !== 200) throw new Error(`${name}: ${status} ${text}`);
    }
  }
  return { scenario: `${name}, ${fault} (item ${at})`, items };
}

/** What an item is made by, of the application that the token is for, unless that is the fault. */
function ofApplication({ resource }: OtlpItem): OtlpItem['resource'] {
  const others = resource.attributes.filter(({ key }) => key !== APPLICATION.key);
  return { attributes: resource.attributes.length === 0 ? [] : [APPLICATION, ...others] };
}

async function fatesOf(id: string): Promise<TraceFates> {
  return traceFates.parse((await service.call('GET', `${OTEL}/traces/${id}`)).body);
}

/** What is wrong with what is told of a trace; empty where each of its items has one fate. */
function findFaults(items: readonly OtlpItem[], { lines, others }: TraceFates): readonly string[] {
  const open = lines.filter(({ fate }) => fate === 'held' || fate === 'waiting');
  if (open.length > 0 || others === 'pending') return [`pending: ${open.map(({ fate }) => fate).join()} ${others}`];
  const settled = lines.filter(({ fate }) => fate !== 'warned');
  const isBounded = settled.some(({ item_count: count }) => count !== null && count > NAMED_MAX);
  const bySpan = Map.groupBy(items, ({ spanId }) => spanId ?? '');
  return [...bySpan].flatMap(([id, of]) => {
    const fates = settled.filter((line) => line.span_ids.includes(id)).map(({ fate }) => fate);
    // One span may be sent twice, and log records of a span have its id.
    if (of.length === 1 && fates.length > 1) return [`${id}: ${fates.join()}`];
    const isKnown = fates.length > 0 || others === 'part' || isBounded || id === '';
    return isKnown ? [] : [`${id}: not listed, others ${others}`];
  });
}

describe('the items of recordings, one of them with a fault, in any requests and any order', () => {
  it(
    'have one fate each that the service tells when it is asked for their trace',
    async () => {
      const names = shuffle(listRecordings()).slice(0, SCENARIOS);
      const found: string[] = [];
      const told = new Map<string, number>();
      for (let from = 0; from < names.length; from += ROUND) {
        const sent: Sent[] = [];
        for (const name of names.slice(from, from + ROUND)) sent.push(await send(name));
        for (const { scenario, items } of sent) {
          for (const [id, of] of Map.groupBy(items, ({ traceId }) => traceId)) {
            if (id === null) continue;
            const { faults, fates } = await settle(id, of);
            found.push(...faults.map((fault) => `${scenario}, trace ${id}: ${fault}`));
            for (const { fate } of fates.lines) told.set(fate, (told.get(fate) ?? 0) + 1);
          }
        }
      }
      expect(found).toEqual([]);
      // None of the fates is one that nothing here can have.
      expect([...told.keys()]).toEqual(expect.arrayContaining(['record', 'refused', 'ignored', 'unattached']));
    },
    30 * MINUTES_MS,
  );
});

/** Asks until everything of a trace is decided and listed, for a minute. */
async function settle(id: string, items: readonly OtlpItem[]) {
  for (let tries = 1; ; tries += 1) {
    const fates = await fatesOf(id);
    const faults = findFaults(items, fates);
    if (faults.length === 0 || tries === TRIES_MAX) return { faults, fates };
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
