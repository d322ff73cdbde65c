import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Hold, hold, HOLDS_MAX } from '@answer-evidence/contracts';
import { formatTimestamp } from '@answer-evidence/encoding';
import { createRouteCaller, DAY_MICROS } from '@answer-evidence/testing';
import type { IngestDeps } from '../deps.ts';
import { appendEvent, createRecord, type IngestTest, interrupted, openIngest, RECORDS } from '../fixtures/ingest.ts';
import { createIngestStage } from '../index.ts';
import { expireTextsTicker } from '../tickers/expire-texts.ts';

const HOLDS = '/api/holds';

async function place(stage: IngestTest, covered: object, matter = 'Case 7'): Promise<Hold> {
  const body = { matter, reason: 'A claim was announced', ...covered };
  const reply = await stage.call('POST', HOLDS, { as: stage.manager, body });
  expect(reply).toMatchObject({ status: 201 });
  return hold.parse(reply.body);
}

function release(stage: IngestTest, { id }: Hold) {
  const body = { reason: 'The claim was withdrawn' };
  return stage.call('POST', `${HOLDS}/${id}/release`, { as: stage.manager, body });
}

function redact(stage: IngestTest, id: string) {
  return stage.call('POST', `${RECORDS}/${id}/events`, { as: stage.manager, body: { event_type: 'redacted' } });
}

/** A record of an environment of its own that is kept for a day. */
async function recordForADay(stage: IngestTest, environment: string): Promise<string> {
  const until = formatTimestamp(stage.clock.nowMicros() + DAY_MICROS);
  return (await createRecord(stage, { environment, retention_until: until })).id;
}

function sweep(deps: IngestDeps): Promise<void> {
  return expireTextsTicker(deps).run(new AbortController().signal);
}

async function isKept({ records, workspace }: IngestTest, recordId: string): Promise<boolean> {
  return (await records.find(workspace.id, recordId))?.sealed !== undefined;
}

describe('a hold', () => {
  let stage: IngestTest;
  let count = 0;
  let environment: string;
  const newEnvironment = () => (environment = `env-${++count}`);
  beforeAll(async () => {
    stage = await openIngest();
  });

  it('keeps what it covers from a sweep 400 days later, also what is recorded later, and lets it go once released', async () => {
    newEnvironment();
    const early = await recordForADay(stage, environment);
    const other = await recordForADay(stage, `${environment}-other`);
    const placed = await place(stage, { filters: { environment } });
    const late = await recordForADay(stage, environment);
    stage.clock.advance(400 * DAY_MICROS);
    await sweep(stage);
    await sweep(stage);
    expect([await isKept(stage, early), await isKept(stage, late), await isKept(stage, other)]).toEqual([
      true,
      true,
      false,
    ]);
    expect(await release(stage, placed)).toMatchObject({ status: 200 });
    await sweep(stage);
    expect([await isKept(stage, early), await isKept(stage, late)]).toEqual([false, false]);
  });

  it('is out of the way of the next sweeps, and comes back when any hold is released, with what it then covers', async () => {
    newEnvironment();
    const id = await recordForADay(stage, environment);
    const [one, other] = [
      await place(stage, { filters: { environment } }),
      await place(stage, { answer_log_ids: [id] }),
    ];
    stage.clock.advance(2 * DAY_MICROS);
    await sweep(stage);
    const now = stage.clock.nowMicros();
    expect(await stage.retention.findDue(stage.workspace.id, now, undefined, 100)).toEqual([]);
    await release(stage, one);
    await sweep(stage);
    expect(await isKept(stage, id)).toBe(true);
    expect(await stage.retention.findDue(stage.workspace.id, now, undefined, 100)).toEqual([]);
    await release(stage, other);
    await sweep(stage);
    expect(await isKept(stage, id)).toBe(false);
  });

  it('beats a redaction, which names the matter, until it is released', async () => {
    newEnvironment();
    const id = await recordForADay(stage, environment);
    const placed = await place(stage, { answer_log_ids: [id] }, 'Müller ./. Acme');
    const refusal = await redact(stage, id);
    expect(refusal).toMatchObject({
      status: 409,
      code: 'record_on_hold',
      detail: 'The record is on hold for “Müller ./. Acme”; ask a manager to release the hold first.',
    });
    expect(await isKept(stage, id)).toBe(true);
    const limits = { applications: ['support-bot'], environments: null };
    const reply = await stage.call('POST', `${RECORDS}/${id}/events`, {
      as: { ...stage.manager, limits },
      body: { event_type: 'redacted' },
    });
    expect(reply).toMatchObject({ status: 409, code: 'record_on_hold' });
    expect(reply.detail).toBe('The record is on hold; ask a manager to release the hold first.');
    // It erases nothing else, so nothing else is refused.
    await appendEvent(stage, id, { event_type: 'voided' });
    await release(stage, placed);
    expect(await redact(stage, id)).toMatchObject({ status: 200 });
    expect(await isKept(stage, id)).toBe(false);
  });

  it.each(['redaction', 'expiry'] as const)('that is placed while a %s is under way wins', async (what) => {
    newEnvironment();
    const id = await recordForADay(stage, environment);
    stage.clock.advance(2 * DAY_MICROS);
    const ledger = interrupted(stage.ledger, () => place(stage, { filters: { environment } }));
    const racing = { ...stage, ledger };
    if (what === 'expiry') await sweep(racing);
    else {
      const call = createRouteCaller(createIngestStage(racing).routes);
      const body = { event_type: 'redacted' };
      expect(await call('POST', `${RECORDS}/${id}/events`, { as: stage.manager, body })).toMatchObject({
        status: 409,
        code: 'record_on_hold',
      });
    }
    expect(await isKept(stage, id)).toBe(true);
  });

  it('is listed with what it covers, found by a record, and read with its end', async () => {
    newEnvironment();
    const first = await recordForADay(stage, environment);
    const after = formatTimestamp(stage.clock.nowMicros());
    const second = await recordForADay(stage, environment);
    const window = await place(stage, { filters: { environment, created_after: after } }, 'Window');
    const named = await place(stage, { answer_log_ids: [second, first, first] }, 'Named');
    expect([window.records, named.records]).toEqual([
      { count: 1, relation: 'eq' },
      { count: 2, relation: 'eq' },
    ]);
    const get = async (path: string) => (await stage.call('GET', path, { as: stage.manager })).body;
    expect(await get(`${HOLDS}?status=in_force&size=2`)).toMatchObject({
      items: [{ id: named.id }, { id: window.id }],
    });
    expect(await get(`${HOLDS}/of-record/${first}`)).toMatchObject({ items: [{ id: named.id, matter: 'Named' }] });
    expect(await get(`${HOLDS}/of-record/${second}`)).toMatchObject({ items: [{ id: window.id }, { id: named.id }] });
    expect(await get(`${HOLDS}/${named.id}/records`)).toMatchObject({
      items: [{ id: second }, { id: first }],
      total: 2,
    });
    const { next_cursor: cursor } = (await get(`${HOLDS}/${named.id}/records?size=1`)) as { next_cursor: string };
    expect(await get(`${HOLDS}/${named.id}/records?size=1&cursor=${cursor}`)).toMatchObject({ items: [{ id: first }] });
    expect(await get(`${HOLDS}/${window.id}/records`)).toMatchObject({ items: [{ id: second }], total: 1 });
    await release(stage, named);
    expect(await get(`${HOLDS}/${named.id}`)).toMatchObject({
      matter: 'Named',
      release: { reason: 'The claim was withdrawn', released_by: { kind: 'user', id: stage.manager.userId } },
    });
    expect(await get(`${HOLDS}?status=released&size=1`)).toMatchObject({ items: [{ id: named.id }] });
    expect(await get(`${HOLDS}/of-record/${first}`)).toEqual({ items: [] });
  });

  it('is refused in words where it names nothing, too much, or what is not there', async () => {
    const { id } = await createRecord(stage);
    const send = (more: object) =>
      stage.call('POST', HOLDS, { as: stage.manager, body: { matter: 'm', reason: 'r', ...more } });
    const unknown = '01a2f3b4-0000-7000-8000-000000000000';
    for (const [more, code, pointer] of [
      [{}, 'schema_violation', ''],
      [{ filters: {}, answer_log_ids: [id] }, 'schema_violation', ''],
      [{ filters: {}, matter: ' ' }, 'schema_violation', '/matter'],
      [{ filters: {}, reason: '' }, 'schema_violation', '/reason'],
      [{ filters: { status: 'recorded' } }, 'schema_violation', '/filters/status'],
      [{ answer_log_ids: [] }, 'schema_violation', '/answer_log_ids'],
      [{ answer_log_ids: Array.from({ length: 1001 }, () => id) }, 'schema_violation', '/answer_log_ids'],
      [{ answer_log_ids: [id, unknown] }, 'record_not_found', '/answer_log_ids/1'],
      [
        { filters: { created_after: '2027-01-02T00:00:00Z', created_before: '2027-01-01T00:00:00Z' } },
        'schema_violation',
        '/filters/created_before',
      ],
    ] as const) {
      const reply = await send(more);
      expect([more, reply.status, reply.code]).toEqual([more, 422, code]);
      expect(reply.errors).toMatchObject([{ pointer }]);
    }
    const placed = await place(stage, { answer_log_ids: [id] });
    expect(await release(stage, placed)).toMatchObject({ status: 200 });
    expect(await release(stage, placed)).toMatchObject({ status: 409, code: 'hold_released' });
    expect(await release(stage, { ...placed, id: unknown })).toMatchObject({ status: 404, code: 'not_found' });
    const gone = { as: stage.manager };
    expect(await stage.call('GET', `${HOLDS}/${unknown}`, gone)).toMatchObject({ status: 404, code: 'not_found' });
    expect(await stage.call('GET', `${HOLDS}/${unknown}/records`, gone)).toMatchObject({ status: 404 });
    expect(await stage.call('GET', `${HOLDS}/of-record/${unknown}`, gone)).toMatchObject({ status: 404 });
  });

  it('is one entry of the log, and so is its release, of whom two at once make one', async () => {
    newEnvironment();
    const placed = await place(stage, { filters: { environment } });
    const replies = await Promise.all([release(stage, placed), release(stage, placed)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const cores = await stage.logs.workspaceEntries(stage.workspace.id, 'hold_released');
    expect(cores.filter((row) => row.core_json.includes(placed.id))).toHaveLength(1);
    expect(cores.map(({ seq }) => seq)).toEqual(cores.map((_, n) => n + 1));
  });
});

it('is one of at most so many in force', async () => {
  const stage = await openIngest();
  const placed = [];
  for (let n = 0; n < HOLDS_MAX; n++) placed.push(await place(stage, { filters: { mode: `${n}` } }));
  const body = { matter: 'm', reason: 'r', filters: {} };
  const send = () => stage.call('POST', HOLDS, { as: stage.manager, body });
  expect(await send()).toMatchObject({ status: 409, code: 'limit_reached' });
  const [first] = placed;
  if (first !== undefined) await release(stage, first);
  expect(await send()).toMatchObject({ status: 201 });
});
