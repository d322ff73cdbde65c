import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { formatTimestamp } from '@answer-evidence/encoding';
import { DAY_MICROS } from '@answer-evidence/testing';
import { createRecord, type IngestTest, openIngest, RECORDS } from '../fixtures/ingest.ts';
import { expireTextsTicker } from '../tickers/expire-texts.ts';

const ENVIRONMENTS = ['live', 'test'] as const;

/** What happens, in any order. Numbers name the n-th record or hold that there is. */
type Step =
  | { readonly kind: 'record'; readonly environment: string; readonly days: number }
  | { readonly kind: 'hold environment'; readonly environment: string }
  | { readonly kind: 'hold everything' | 'sweep' }
  | { readonly kind: 'hold record' | 'release' | 'redact' | 'correct'; readonly n: number }
  | { readonly kind: 'extend'; readonly n: number; readonly days: number }
  | { readonly kind: 'wait'; readonly days: number };

const environment = fc.constantFrom(...ENVIRONMENTS);
const n = fc.nat({ max: 5 });
const days = fc.integer({ min: 1, max: 9 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('record' as const), environment, days }),
  fc.record({ kind: fc.constant('hold environment' as const), environment }),
  fc.record({ kind: fc.constantFrom('hold everything' as const, 'sweep' as const) }),
  fc.record({
    kind: fc.constantFrom('hold record' as const, 'release' as const, 'redact' as const, 'correct' as const),
    n,
  }),
  fc.record({ kind: fc.constant('extend' as const), n, days }),
  fc.record({ kind: fc.constant('wait' as const), days }),
);

/** A record as the rules say that it is: whether its texts are there, and how long they are kept. */
type Known = { readonly id: string; readonly environment: string; end: number; isThere: boolean; isRedacted: boolean };
type KnownHold = { readonly id: string; covers(record: Known): boolean };

it('erases a text when its time has passed or it is redacted, but never while a hold covers it, in any order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const stage = await openIngest();
      const records: Known[] = [];
      const holds: KnownHold[] = [];
      const isHeld = (record: Known) => holds.some((hold) => hold.covers(record));
      for (const one of steps) {
        await take(stage, one, records, holds, isHeld);
        for (const record of records) expect([one, await isThere(stage, record.id)]).toEqual([one, record.isThere]);
      }
    }),
    { numRuns: 60 },
  );
});

async function isThere({ records, workspace }: IngestTest, id: string): Promise<boolean> {
  const stored = await records.find(workspace.id, id);
  return stored?.sealed !== undefined;
}

async function take(
  stage: IngestTest,
  one: Step,
  records: Known[],
  holds: KnownHold[],
  isHeld: (record: Known) => boolean,
): Promise<void> {
  const now = () => stage.clock.nowMicros();
  const record = 'n' in one ? records[one.n] : undefined;
  switch (one.kind) {
    case 'record': {
      const end = now() + one.days * DAY_MICROS;
      const { id } = await createRecord(stage, {
        environment: one.environment,
        idempotency_key: `r${records.length}`,
        retention_until: formatTimestamp(end),
      });
      records.push({ id, environment: one.environment, end, isThere: true, isRedacted: false });
      return;
    }
    case 'wait':
      stage.clock.advance(one.days * DAY_MICROS);
      return;
    case 'sweep':
      await expireTextsTicker(stage).run(new AbortController().signal);
      for (const known of records) if (known.end < now() && !isHeld(known)) known.isThere = false;
      return;
    case 'hold everything':
      return put(stage, holds, { filters: {} }, () => true);
    case 'hold environment':
      return put(stage, holds, { filters: { environment: one.environment } }, (known) => {
        return known.environment === one.environment;
      });
    case 'hold record':
      if (record !== undefined) await put(stage, holds, { answer_log_ids: [record.id] }, ({ id }) => id === record.id);
      return;
    case 'release': {
      const [hold] = holds.splice(one.n, 1);
      if (hold === undefined) return;
      const body = { reason: 'over' };
      const reply = await stage.call('POST', `/api/holds/${hold.id}/release`, { as: stage.manager, body });
      expect(reply).toMatchObject({ status: 200 });
      return;
    }
    case 'redact': {
      if (record === undefined) return;
      const reply = await append(stage, record, { event_type: 'redacted' });
      if (isHeld(record)) expect(reply).toMatchObject({ status: 409, code: 'record_on_hold' });
      else {
        expect(reply).toMatchObject({ status: 200 });
        Object.assign(record, { isThere: false, isRedacted: true });
      }
      return;
    }
    case 'correct':
      if (record !== undefined && !record.isRedacted)
        await append(stage, record, { event_type: 'correction_appended', payload: { corrected_answer_text: 'No.' } });
      return;
    case 'extend': {
      if (record === undefined || record.isRedacted) return;
      const end = now() + one.days * DAY_MICROS;
      const payload = { retain_until: formatTimestamp(end) };
      await append(stage, record, { event_type: 'retention_extended', payload });
      record.end = Math.max(record.end, end);
    }
  }
}

function append(stage: IngestTest, { id }: Known, body: object) {
  return stage.call('POST', `${RECORDS}/${id}/events`, { as: stage.manager, body });
}

async function put(stage: IngestTest, holds: KnownHold[], covered: object, covers: KnownHold['covers']): Promise<void> {
  const body = { matter: `m${holds.length}`, reason: 'a claim', ...covered };
  const reply = await stage.call('POST', '/api/holds', { as: stage.manager, body });
  expect(reply).toMatchObject({ status: 201 });
  holds.push({ id: (reply.body as { id: string }).id, covers });
}
