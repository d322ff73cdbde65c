import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { formatTimestamp } from '@answer-evidence/encoding';
import { createIngestStage } from '@answer-evidence/stage-ingest';
import { appendEvent, createRecord, DAY_MICROS } from '@answer-evidence/testing';
import { openTriageTest, readFinding, takeStep, type TriageTest } from '../fixtures/triage.ts';
import { expireTriageTicker } from './expire-triage.ts';

const RETENTION_DAYS = 365;
const running = new AbortController().signal;

/** Two findings about records, one about none; each has a comment. */
let test: TriageTest;
const recordIds: string[] = [];

beforeAll(async () => {
  test = await openTriageTest(['lost'], async (before) => {
    const retention = formatTimestamp(before.clock.nowMicros() + 2 * DAY_MICROS);
    for (const more of [{ idempotency_key: 'redacted' }, { idempotency_key: 'expired', retention_until: retention }])
      recordIds.push((await createRecord(before, more)).id);
  });
  for (const position of [0, 1, 2]) await takeStep(test, position, { action: 'comment', text: `about ${position}` });
});

afterAll(() => test.close());

const texts = async () =>
  Promise.all([0, 1, 2].map(async (n) => (await readFinding(test, n)).steps.map((step) => step.text_state).join()));
const storedTexts = () => test.owner('select position from answer_evidence.triage_texts order by position');
const erasures = () => test.owner('select from answer_evidence.erasures');

describe('the text of a step', () => {
  it('goes with a redaction of the record that the finding is about, in the same transaction', async () => {
    expect(await texts()).toEqual(['stored', 'stored', 'stored']);
    await appendEvent(test, recordIds[0] ?? '', { event_type: 'redacted', reason: 'asked to' });
    expect(await texts()).toEqual(['stored', 'erased', 'stored']);
    expect(await storedTexts()).toEqual([{ position: 0 }, { position: 2 }]);
  });

  it('goes with the next redaction when it was written after one', async () => {
    await takeStep(test, 1, { action: 'comment', text: 'afterwards' });
    expect((await texts())[1]).toBe('erased,stored');
    const before = (await erasures()).length;
    await appendEvent(test, recordIds[0] ?? '', { event_type: 'redacted' });
    expect((await texts())[1]).toBe('erased,erased');
    expect((await erasures()).length).toBe(before + 1);
  });

  it('goes with the expiry of that record', async () => {
    test.clock.advance(3 * DAY_MICROS);
    for (const ticker of createIngestStage(test).tickers) await ticker.run(running);
    expect(await texts()).toEqual(['stored', 'erased,erased', 'erased']);
    expect(await storedTexts()).toEqual([{ position: 0 }]);
  });

  it('is not shown once its own retention has passed, and the sweep erases it', async () => {
    const sweep = () => expireTriageTicker(test.deps).run(running);
    const checked = await test.checkLedger();
    test.clock.advance((RETENTION_DAYS - 4) * DAY_MICROS);
    await sweep();
    expect((await texts())[0]).toBe('stored');
    test.clock.advance(2 * DAY_MICROS);
    const steps = await readFinding(test, 0).then((finding) => finding.steps);
    expect(steps).toMatchObject([{ text: null, text_state: 'expired' }]);
    expect(await storedTexts()).toHaveLength(1);
    await sweep();
    await sweep();
    expect(await storedTexts()).toEqual([]);
    expect((await readFinding(test, 0)).steps).toEqual(steps);
    expect(await test.checkLedger()).toEqual(checked);
  });
});
