import { formatHex } from '@answer-evidence/encoding';
import { parseVkey } from '@answer-evidence/note';
import { assertSame, CheckFailure } from '@answer-evidence/verify/verdict';
import type { WorkspaceStatements } from './check-workspace-entries.ts';
import type { Findings } from './findings.ts';
import type { KeyReader } from './ledger-reader.ts';

/** Every key that the log says was added is stored and is the one that its name says, and no other is stored. */
export async function checkLedgerKeys(
  reader: KeyReader,
  named: WorkspaceStatements['ledgerKeys'],
  findings: Findings,
): Promise<void> {
  const whole = { check: 'ledger_key', object: 'keys of the log', leafIndex: null };
  const rows = (await findings.guard(whole, () => reader.ledgerKeys())) ?? [];
  const stored = new Map(rows.map((row) => [row.vkey, row]));
  for (const [vkey, leafIndex] of named) {
    const row = stored.get(vkey);
    stored.delete(vkey);
    await findings.guard({ check: 'ledger_key', object: `key ${vkey}`, leafIndex }, async () => {
      if (row === undefined) throw new CheckFailure('its row is missing');
      assertSame('its public key', formatHex(parseVkey(vkey).publicKey), formatHex(await reader.publicKeyOf(row)));
    });
  }
  for (const vkey of stored.keys()) {
    findings.add({ check: 'ledger_key', object: `key ${vkey}`, leafIndex: null }, 'no entry added it');
  }
}
