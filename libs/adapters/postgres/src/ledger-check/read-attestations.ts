import { type Attestation, ATTESTATION_KINDS } from '@answer-evidence/audit';
import type { WorkspaceVault } from '@answer-evidence/ports';
import { ANCHORS, ATTEMPTS, COSIGNATURES, PUBLISHED, type Table } from '@answer-evidence/tables';
import { readTable } from '../rows/read-table.ts';
import { isMacValid } from '../rows/row-macs.ts';
import type { Query } from '../session.ts';

const TABLES = { checkpoints: PUBLISHED, cosignatures: COSIGNATURES, anchors: ANCHORS, attempts: ATTEMPTS } as const;

/** Every row that vouches for a workspace's log, batch by batch, each judged by its MAC. */
export async function* readAttestations(
  query: Query,
  workspaceId: string,
  vault: WorkspaceVault,
  turn: () => Promise<void>,
): AsyncGenerator<readonly Attestation[]> {
  for (const kind of ATTESTATION_KINDS) {
    // What the tables have in common is all that is asked of their rows.
    const table = TABLES[kind] as unknown as Table<Record<string, unknown> & { readonly mac: Uint8Array }>;
    for await (const rows of readTable(query, workspaceId, table))
      for (const row of rows) {
        await turn();
        const name = `${kind.slice(0, -1)} ${table.key.map((column) => describe(row[column])).join(' ')}`;
        yield [{ kind, name, isMacValid: isMacValid(vault, table, row) }];
      }
  }
}

function describe(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
}
