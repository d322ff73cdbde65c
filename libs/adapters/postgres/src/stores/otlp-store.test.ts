import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OtlpStore } from '@answer-evidence/ports';
import type { OtlpUnattachedRow, OtlpWaitingRow } from '@answer-evidence/tables';
import { openPostgresWorkspace, type PostgresWorkspace } from '@answer-evidence/testing';
import { createOtlpStore } from '../index.ts';

const MIB = 1024 * 1024;
const ROUTED = { waiting: [], unattached: [], settled: [] };

let test: PostgresWorkspace;
let store: OtlpStore;
beforeAll(async () => {
  test = await openPostgresWorkspace();
  store = createOtlpStore({ ...test, onJobs: () => undefined });
});
afterAll(() => test.close());

const idOf = (n: number): string => `0199f3c2-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;

function waitingRow(n: number, sizeBytes: number, dueAt: number): OtlpWaitingRow {
  return {
    id: idOf(n),
    application_key: 'support-bot',
    idempotency_key: `key ${n}`,
    trace_id: 'a',
    span_id: '',
    received_at: 1,
    due_at: dueAt,
    wrapped_key: new Uint8Array(1),
    item: new Uint8Array(sizeBytes),
  };
}

describe('what waits', () => {
  it('is found in pieces that fit into memory, however many and large its items are, and all of it', async () => {
    const { id } = test.workspace;
    const sizes = [...Array.from({ length: 11 }, () => MIB), 20 * MIB, 1, 1];
    const waiting = sizes.map((size, n) => waitingRow(n, size, 10));
    for (const row of waiting) await store.finishBatch(id, idOf(0), { ...ROUTED, waiting: [row] });
    await store.finishBatch(id, idOf(0), { ...ROUTED, waiting: [waitingRow(99, 1, 11)] });
    const found: string[] = [];
    for (let rows = await store.findRipe(id, 10, 512); rows.length > 0; rows = await store.findRipe(id, 10, 512)) {
      const largest = Math.max(...rows.map(({ item }) => item.length));
      expect(rows.reduce((sum, { item }) => sum + item.length, -largest)).toBeLessThanOrEqual(8 * MIB);
      const ids = rows.map((row) => row.id);
      found.push(...ids);
      await store.finishWaiting(id, ids, ROUTED);
    }
    expect(found.toSorted()).toEqual(waiting.map((row) => row.id));
    expect((await store.findRipe(id, 11, 512)).map((row) => row.id)).toEqual([idOf(99)]);
  });
});

describe('the list of what is unattached', () => {
  it('says of an item what was found last, and changes nothing where that is the same', async () => {
    const { id } = test.workspace;
    const unattachedRow = (n: number, recordId: string | null): OtlpUnattachedRow => ({
      id: idOf(n),
      application_key: 'support-bot',
      environment: 'production',
      idempotency_key: 'a',
      signal: 'span',
      trace_id: 'a',
      span_id: '',
      reason: recordId === null ? 'record_not_found' : 'commitment_mismatch',
      record_id: recordId,
      received_at: n,
      unattached_at: n,
    });
    const list = async () => (await store.listUnattached(id, {}, { offset: 0, limit: 10 })).items;
    for (const [n, recordId, shown] of [
      [1, null, 1],
      [2, null, 1],
      [3, idOf(7), 3],
      [4, idOf(7), 3],
      [5, idOf(8), 5],
      [6, null, 6],
    ] as const) {
      await store.finishBatch(id, idOf(0), { ...ROUTED, unattached: [unattachedRow(n, recordId)] });
      expect(await list()).toEqual([unattachedRow(shown, recordId)]);
    }
  });
});
