import { CLAIM_MAC_BYTES, idempotencyId, parseKeyClaim, recordScope } from '@answer-evidence/ledger';
import { assertSame, CheckFailure } from '@answer-evidence/verify/verdict';
import type { EvidenceRows } from './evidence-rows.ts';
import type { Findings } from './findings.ts';
import type { LeafRangeReader, LedgerRows } from './ledger-reader.ts';

/** Of a MAC that is stored whole. */
const MAC_BYTES = 32;

/**
 * One idempotency row for each record, event and asset that has a key, naming it, with its MAC; and no other. What a
 * record keeps of its key stands for such a row.
 */
export async function checkIdempotency(
  rows: LedgerRows,
  evidence: EvidenceRows,
  reader: LeafRangeReader,
  findings: Findings,
): Promise<void> {
  const keyed = [
    ...rows.records.map((row) => ({ ...row, scope: recordScope(row.application_key) })),
    ...rows.events.map((row) => ({ ...row, scope: `event:${row.record_id}` })),
    ...evidence.assets.map((row) => ({ ...row, scope: `evidence:${row.application_key}` })),
  ];
  const claimed = new Set(rows.records.flatMap((row) => parseKeyClaim(row) ?? []));
  const stored = Map.groupBy([...rows.idempotency, ...claimed], (row) => idempotencyId(row.scope, row.idempotency_key));
  const used = new Set<string>();
  for (const { id, scope, idempotency_key: key } of keyed) {
    if (key === null) continue;
    const name = idempotencyId(scope, key);
    const [row, ...more] = stored.get(name) ?? [];
    used.add(name);
    await findings.guard(placeOf(id), async () => {
      if (row === undefined) throw new CheckFailure('the row of its idempotency key is missing');
      if (more.length > 0) throw new CheckFailure('its idempotency key has more than one row');
      assertSame('the object of its idempotency key', id, row.object_id);
      const macBytes = claimed.has(row) ? CLAIM_MAC_BYTES : MAC_BYTES;
      if (!(await reader.isIdempotencyMacValid(row, macBytes)))
        throw new CheckFailure('the MAC of its idempotency key is invalid');
    });
  }
  for (const [name, [row]] of stored) {
    if (!used.has(name))
      findings.add(placeOf(row?.object_id ?? ''), 'a key is stored that belongs to no record, event or asset');
  }
}

function placeOf(objectId: string) {
  return { check: 'idempotency', object: `idempotency key of ${objectId}`, leafIndex: null };
}
