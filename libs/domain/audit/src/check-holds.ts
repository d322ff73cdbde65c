import type { HoldPlacedCore } from '@answer-evidence/contracts';
import { covers, heldUntil, type HoldableRecord } from '@answer-evidence/lifecycle';
import type { Findings } from './findings.ts';
import type { HoldReader, StoredErasure } from './ledger-reader.ts';

/** A hold as the entries of the log have it: from which leaf on, and up to which one. */
export type CheckedHold = {
  readonly core: Pick<HoldPlacedCore, 'id' | 'filters' | 'answer_log_ids'>;
  readonly from: number;
  until: number;
};

/**
 * Nothing was erased of what a hold of the log covered then, neither of a record nor of evidence it refers to, and
 * nothing is kept as if one covered it. What was erased before the leaf `since` is not looked at.
 */
export async function checkHolds(
  reader: HoldReader,
  holds: ReadonlyMap<string, CheckedHold>,
  since: number,
  findings: Findings,
): Promise<void> {
  const all = [...holds.values()];
  await checkKept(reader, all, findings);
  if (all.length === 0) return;
  const first = Math.max(since - 1, Math.min(...all.map(({ from }) => from)));
  const place = { check: 'hold', object: 'what was erased since the first hold', leafIndex: null };
  await findings.guard(place, async () => {
    for await (const erasures of reader.erasuresAfter(first))
      for (const erasure of erasures) {
        await findings.turn();
        const inForce = all.filter(({ from, until }) => from < erasure.leafIndex && erasure.leafIndex < until);
        if (inForce.length > 0) await checkErasure(reader, inForce, erasure, findings);
      }
  });
}

/**
 * Whatever is out of the way of sweeps is there because of a hold. What was put there before the last release comes
 * back with the next sweep, and may be covered by none.
 */
async function checkKept(reader: HoldReader, holds: readonly CheckedHold[], findings: Findings): Promise<void> {
  const inForce = holds.filter(({ until }) => until === Infinity);
  const now = heldUntil(holds.length - inForce.length);
  const place = { check: 'hold', object: 'what is on hold', leafIndex: null };
  await findings.guard(place, async () => {
    for await (const contents of reader.contentsOnHold())
      for (const { objectId, dueAt, record } of contents) {
        await findings.turn();
        if (dueAt < now || (dueAt === now && inForce.some(({ core }) => covers(core, record)))) continue;
        const object = `contents of ${objectId}`;
        findings.add({ ...place, object }, 'no hold keeps it, and it would be stored longer than its retention');
      }
  });
}

async function checkErasure(
  reader: HoldReader,
  inForce: readonly CheckedHold[],
  { object, leafIndex, of }: StoredErasure,
  findings: Findings,
): Promise<void> {
  const judge = (records: readonly HoldableRecord[]): boolean => {
    const broken = inForce.find(({ core }) => records.some((record) => covers(core, record)));
    if (broken !== undefined)
      findings.add({ check: 'hold', object, leafIndex }, `it erased what hold ${broken.core.id} covered`);
    return broken !== undefined;
  };
  if ('record' in of) {
    judge([of.record]);
    return;
  }
  for await (const records of reader.recordsReferringTo(of.assetId, leafIndex)) if (judge(records)) return;
}
