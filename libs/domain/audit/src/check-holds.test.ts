import { expect, it } from '@jest/globals';
import type { HoldPlacedCore } from '@answer-evidence/contracts';
import { HELD_FROM } from '@answer-evidence/lifecycle';
import { START } from '../../verify/fixtures/constants.ts';
import { MemoryLedger } from '../../verify/fixtures/memory-ledger.ts';
import { createTablesReader, noWait } from '../fixtures/tables-reader.ts';
import { checkLedger } from './index.ts';

/** A record whose texts expire after a hold was placed, by a process that looks at no hold. */
async function findingsUnder(cover: (recordId: string) => Pick<HoldPlacedCore, 'filters' | 'answer_log_ids'>) {
  const ledger = await MemoryLedger.open();
  const id = await ledger.record({ retentionUntil: START });
  const holdId = await ledger.hold(cover(id));
  const expiry = await ledger.expire(id, START);
  const { findings } = await checkLedger(createTablesReader(ledger.names, ledger.tables), noWait);
  const leafOf = (entry: string) => ledger.tables.ledger_leaves.find((leaf) => leaf.id === entry)?.leaf_index;
  return { findings, expected: { object: `expiry ${expiry}`, leaf_index: leafOf(expiry), detail: holdId } };
}

it('names what was erased of a record that a hold of the log covered', async () => {
  for (const cover of [
    () => ({ filters: {} }),
    () => ({ filters: { environment: 'production' } }),
    (id: string) => ({ answer_log_ids: [id] }),
  ]) {
    const { findings, expected } = await findingsUnder(cover);
    expect(findings).toEqual([
      { check: 'hold', ...expected, detail: `it erased what hold ${expected.detail} covered` },
    ]);
  }
});

it('has no finding where the hold covers other records', async () => {
  expect((await findingsUnder(() => ({ filters: { environment: 'test' } }))).findings).toEqual([]);
});

it('has no finding for what a hold keeps past its time, and names what is kept under none', async () => {
  const ledger = await MemoryLedger.open();
  const id = await ledger.record({ retentionUntil: START });
  await ledger.event(id, { type: 'correction_appended', corrected: { text: 'No.' } });
  for (const sealed of ledger.tables.sealed_contents) Object.assign(sealed, { due_at: HELD_FROM });
  const find = async () =>
    (await checkLedger(createTablesReader(ledger.names, ledger.tables), noWait)).findings.map(({ check }) => check);
  expect(await find()).toEqual(['hold', 'hold']);
  await ledger.hold({ filters: { environment: 'test' } });
  expect(await find()).toEqual(['hold', 'hold']);
  await ledger.hold({ filters: { environment: 'production' } });
  expect(await find()).toEqual([]);
  // As if more holds had been released than were.
  for (const sealed of ledger.tables.sealed_contents) Object.assign(sealed, { due_at: HELD_FROM + 1 });
  expect(await find()).toEqual(['hold', 'hold']);
});
