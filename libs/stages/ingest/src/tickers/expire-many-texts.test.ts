import { describe, expect, it } from '@jest/globals';
import { formatHex, formatTimestamp } from '@answer-evidence/encoding';
import { createNoteCommand } from '@answer-evidence/ledger';
import { newId, newNonce } from '@answer-evidence/ports';
import { DAY_MICROS } from '@answer-evidence/testing';
import type { IngestDeps } from '../deps.ts';
import { appendEvent, createRecord, type IngestTest, openIngest } from '../fixtures/ingest.ts';
import { expireTextsTicker } from './expire-texts.ts';

function sweep(deps: IngestDeps): Promise<void> {
  return expireTextsTicker(deps).run(new AbortController().signal);
}

function extend(stage: IngestTest, id: string, days: number) {
  const until = formatTimestamp(stage.clock.nowMicros() + days * DAY_MICROS);
  return appendEvent(stage, id, { event_type: 'retention_extended', payload: { retain_until: until } });
}

/** Has contents looked at that need no text of their own; every record has one sealed content. */
async function recordMany(stage: IngestTest, count: number, retentionUntil: string): Promise<void> {
  const one = (n: number) =>
    createRecord(stage, { idempotency_key: `${retentionUntil} ${n}`, retention_until: retentionUntil });
  for (let from = 0; from < count; from += 50)
    await Promise.all(Array.from({ length: Math.min(50, count - from) }, (_, n) => one(from + n)));
}

describe('a sweep that would erase much at once', () => {
  const keptOf = (stage: IngestTest) => stage.retention.countKept(stage.workspace.id);

  it('waits for an operator, whose word is about what is due by then', async () => {
    const stage = await openIngest();
    const tomorrow = formatTimestamp(stage.clock.nowMicros() + DAY_MICROS);
    await recordMany(stage, 101, tomorrow);
    await recordMany(stage, 20, formatTimestamp(stage.clock.nowMicros() + 3 * DAY_MICROS));
    await sweep(stage);
    expect(stage.sweepHolds.size).toBe(0);
    stage.clock.advance(2 * DAY_MICROS);
    await sweep(stage);
    await sweep(stage);
    expect(await keptOf(stage)).toBe(121);
    expect([...stage.sweepHolds.values()]).toEqual([{ due: 101, kept: 121 }]);
    await confirm(stage);
    await sweep(stage);
    expect(await keptOf(stage)).toBe(20);
    expect(stage.sweepHolds.size).toBe(0);
  });

  it('is not held up by what was extended in time', async () => {
    const stage = await openIngest();
    const ids: string[] = [];
    for (let n = 0; n < 101; n++) ids.push((await createRecord(stage, { retention_until: soon(stage) })).id);
    for (const id of ids.slice(1)) await extend(stage, id, 9);
    stage.clock.advance(2 * DAY_MICROS);
    await sweep(stage);
    // The 100 events have nothing sealed.
    expect(await keptOf(stage)).toBe(100);
  });
});

function soon(stage: IngestTest): string {
  return formatTimestamp(stage.clock.nowMicros() + DAY_MICROS);
}

function confirm(stage: IngestTest) {
  const core = {
    id: newId(stage),
    nonce: formatHex(newNonce(stage)),
    due_before: formatTimestamp(stage.clock.nowMicros()),
    texts: { due: 101, kept: 121 },
    evidence: { due: 0, kept: 0 },
    clock: 'plausible',
    actor: { kind: 'service', id: 'operator', token_id: null },
  };
  return stage.ledger.append(stage.workspace.id, () =>
    createNoteCommand(stage.workspace.id, { type: 'sweep_confirmed', seq: 0, core }),
  );
}
