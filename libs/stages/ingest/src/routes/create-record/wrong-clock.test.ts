import { describe, expect, it } from '@jest/globals';
import { DAY_MICROS } from '@answer-evidence/testing';
import { answer, openIngest, RECORDS } from '../../fixtures/ingest.ts';

type Created = { readonly id: string; readonly created_at: string; readonly retention_until: string };

describe('a create with a clock that is wrong', () => {
  it('is refused while the clock is behind, replays all the same, and is taken when it is right again', async () => {
    const stage = await openIngest();
    const create = (key: string) =>
      stage.call('POST', RECORDS, { as: stage.application, body: answer({ idempotency_key: key }) });
    const first = await create('before');
    expect(first.status).toBe(201);
    stage.clock.advance(-400 * DAY_MICROS);
    stage.clockGuard.judgement = { state: 'behind', byMicros: 400 * DAY_MICROS };
    const refused = await create('during');
    expect(refused).toMatchObject({ status: 503, code: 'clock_behind', headers: { 'Retry-After': '60' } });
    const replayed = await create('before');
    expect([replayed.status, (replayed.body as Created).id]).toEqual([201, (first.body as Created).id]);
    const conflict = { ...answer({ idempotency_key: 'before' }), answer: { text: 'Another.' } };
    expect(await stage.call('POST', RECORDS, { as: stage.application, body: conflict })).toMatchObject({
      status: 409,
      code: 'idempotency_payload_mismatch',
    });
    stage.clock.advance(400 * DAY_MICROS);
    stage.clockGuard.judgement = { state: 'plausible' };
    expect((await create('during')).status).toBe(201);
  });

  it.each([-400, 400])('is kept for as long as ever when the clock is %d days off', async (days) => {
    const stage = await openIngest();
    const create = async () =>
      (await stage.call('POST', RECORDS, { as: stage.application, body: answer() })).body as Created;
    const ahead = { state: 'ahead', byMicros: 400 * DAY_MICROS } as const;
    await create();
    stage.clock.advance(days * DAY_MICROS);
    if (days > 0) stage.clockGuard.judgement = ahead;
    const during = await create();
    stage.clock.advance(-days * DAY_MICROS);
    stage.clockGuard.judgement = { state: 'plausible' };
    for (const record of [during, await create()])
      expect(Date.parse(record.retention_until) - Date.parse(record.created_at)).toBe(365 * 86_400_000);
  });
});
