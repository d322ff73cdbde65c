import type { HoldPlacedCore } from '@answer-evidence/contracts';
import { covers, type HoldableRecord } from '@answer-evidence/lifecycle';
import type { Findings } from './findings.ts';
import type { HoldReader, StoredErasure } from './ledger-reader.ts';

/** A hold as the entries of the log have it: from which leaf on, and up to which one. */
export type CheckedHold = {
  readonly core: Pick<HoldPlacedCore, 'id' | 'filters' | 'answer_log_ids'>;
  readonly from: number;
  until: number;
};

/** Nothing was erased of what a hold of the log covered then, neither of a record nor of evidence it refers to. */
export async function checkHolds(
  reader: HoldReader,
  holds: ReadonlyMap<string, CheckedHold>,
  findings: Findings,
): Promise<void> {
  const all = [...holds.values()];
  if (all.length === 0) return;
  const first = Math.min(...all.map(({ from }) => from));
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
