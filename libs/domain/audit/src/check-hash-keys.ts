import { assertSame, CheckFailure } from '@answer-evidence/verify/verdict';
import type { WorkspaceStatements } from './check-workspace-entries.ts';
import type { Findings } from './findings.ts';
import type { KeyReader } from './ledger-reader.ts';

/** Every hash key that the log names is stored and is the one that was made, and no other is stored. */
export async function checkHashKeys(
  reader: KeyReader,
  named: WorkspaceStatements['hashKeys'],
  findings: Findings,
): Promise<void> {
  const whole = { check: 'hash_key', object: 'hash keys', leafIndex: null };
  const rows = (await findings.guard(whole, () => reader.hashKeys())) ?? [];
  const stored = new Map(rows.map((row) => [row.id, row]));
  for (const [id, { fingerprint, leafIndex }] of named) {
    const row = stored.get(id);
    stored.delete(id);
    await findings.guard({ check: 'hash_key', object: `hash key ${id}`, leafIndex }, async () => {
      if (row === undefined) throw new CheckFailure('its row is missing');
      assertSame('its fingerprint', fingerprint, await reader.fingerprintOf(row));
    });
  }
  for (const id of stored.keys()) {
    findings.add({ check: 'hash_key', object: `hash key ${id}`, leafIndex: null }, 'no entry created it');
  }
}
