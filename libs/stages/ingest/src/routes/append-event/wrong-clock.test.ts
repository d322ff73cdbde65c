import { describe, expect, it } from '@jest/globals';
import { formatTimestamp } from '@answer-evidence/encoding';
import { DAY_MICROS } from '@answer-evidence/testing';
import { appendEvent, createRecord, openIngest, readRecord } from '../../fixtures/ingest.ts';
import { expireTextsTicker } from '../../tickers/expire-texts.ts';

describe('an extension of the retention with a clock that is wrong', () => {
  it.each([-400, 400])('counts as the stated time, and shortens nothing, %d days off', async (days) => {
    const stage = await openIngest();
    const { id } = await createRecord(stage, {});
    const rightNow = stage.clock.nowMicros();
    const stated = formatTimestamp(rightNow + 1_000 * DAY_MICROS);
    stage.clock.advance(days * DAY_MICROS);
    stage.clockGuard.judgement = { state: days < 0 ? 'behind' : 'ahead', byMicros: 400 * DAY_MICROS };
    const payload = { retain_until: stated };
    await appendEvent(stage, id, { event_type: 'retention_extended', payload });
    stage.clock.advance(-days * DAY_MICROS);
    stage.clockGuard.judgement = { state: 'plausible' };
    // The log goes on in ascending order of time, whatever the clock said in between.
    await appendEvent(stage, id, { event_type: 'voided', reason: 'later' });
    const times = ((await readRecord(stage, id)).events ?? []).map(({ created_at: at }) => at);
    expect(times).toEqual([...times].sort());
    expect(new Set(times).size).toBe(2);
    const sweep = expireTextsTicker(stage);
    for (const [after, state] of [
      [999, 'stored'],
      [1_001, 'expired'],
    ] as const) {
      stage.clock.advance(rightNow + after * DAY_MICROS - stage.clock.nowMicros());
      await sweep.run(new AbortController().signal);
      expect([after, (await readRecord(stage, id)).answer.text_state]).toEqual([after, state]);
    }
  });
});
