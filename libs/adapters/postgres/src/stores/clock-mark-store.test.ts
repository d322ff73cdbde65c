import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { openTestLog, type TestLog } from '../../fixtures/open-log.ts';
import { fillTrust } from '../../fixtures/trust.ts';
import { createClockMarkStore, createTrustStore, openPool } from '../index.ts';

let log: TestLog;
let relayPool: pg.Pool;
beforeAll(async () => {
  log = await openTestLog();
  relayPool = openPool({
    url: log.logins.answer_evidence_relay,
    role: 'answer_evidence_relay',
    connectionsMax: 1,
    onError: () => undefined,
  });
});
afterAll(async () => {
  await relayPool.end();
  await log.close();
});

describe('the mark of the installation', () => {
  it('is not there at first, moves on, and goes back by the word of an operator alone', async () => {
    const marks = createClockMarkStore(log.pool, relayPool);
    expect(await marks.find()).toBeUndefined();
    await marks.advance(2_000);
    await marks.advance(1_000);
    expect(await marks.find()).toEqual({ passedAt: 2_000, confirmations: 0 });
    await marks.confirm(500);
    expect(await marks.find()).toEqual({ passedAt: 500, confirmations: 1 });
    await marks.advance(3_000);
    expect(await marks.find()).toEqual({ passedAt: 3_000, confirmations: 1 });
  });

  it('is beside what the log says of the time, and what others have told', async () => {
    const marks = createClockMarkStore(log.pool, relayPool);
    expect(await marks.lastEntryAt()).toBeGreaterThanOrEqual(log.clock.nowMicros());
    expect(await marks.lastAttestedAt(log.workspace.id)).toBeUndefined();
    const trust = createTrustStore(log.pool, log.directory);
    await fillTrust(log, trust, 3);
    // What an unknown time and a file in this machine's own time say counts for nothing.
    expect(await marks.lastAttestedAt(log.workspace.id)).toBe(0);
    const cosign = async (treeSize: number, toldSeconds: number, receivedAt: number) => {
      const signature = new Uint8Array(72);
      new DataView(signature.buffer).setBigUint64(0, BigInt(toldSeconds));
      await trust.publish(log.workspace.id, {
        tree_size: treeSize,
        root: new Uint8Array(32),
        policy_version: 1,
        published_at: 1,
      });
      await trust.addCosignature(log.workspace.id, {
        tree_size: treeSize,
        public_key: new Uint8Array(32),
        vkey: 'witness',
        signature,
        received_at: receivedAt,
      });
    };
    await cosign(4, 5, 9_000_000);
    expect(await marks.lastAttestedAt(log.workspace.id)).toBe(5_000_000);
    // A witness that tells a time far ahead is believed no further than the clock of this installation went.
    await cosign(5, 4_000_000_000, 9_000_000);
    expect(await marks.lastAttestedAt(log.workspace.id)).toBe(9_000_000);
  });
});
