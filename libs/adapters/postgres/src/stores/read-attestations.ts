import type { Attestation, AttestationKind } from '@answer-evidence/audit';
import type { WorkspaceVault } from '@answer-evidence/ports';
import { ANCHORS, ATTEMPTS, COSIGNATURES, PUBLISHED, type Table } from '@answer-evidence/tables';
import type { Query } from '../session.ts';
import { isMacValid } from './row-macs.ts';

const ROWS_A_BATCH = 1_024;

/** Each kind with its table, the columns that order it (its key), and where that order begins. */
const KINDS = [
  { kind: 'checkpoints', table: PUBLISHED, key: ['tree_size'], start: ['-9223372036854775808'] },
  { kind: 'cosignatures', table: COSIGNATURES, key: ['tree_size', 'public_key'], start: ['-9223372036854775808', ''] },
  { kind: 'anchors', table: ANCHORS, key: ['id'], start: ['00000000-0000-0000-0000-000000000000'] },
  {
    kind: 'attempts',
    table: ATTEMPTS,
    key: ['anchor', 'attempt'],
    start: ['00000000-0000-0000-0000-000000000000', -2_147_483_648],
  },
] as const satisfies readonly {
  kind: AttestationKind;
  table: unknown;
  key: readonly string[];
  start: readonly unknown[];
}[];

/** Every row that vouches for a workspace's log, batch by batch, each judged by its MAC. */
export async function* readAttestations(
  query: Query,
  workspaceId: string,
  vault: WorkspaceVault,
): AsyncGenerator<readonly Attestation[]> {
  for (const { kind, table, key, start } of KINDS) {
    // What the tables have in common is all that is asked of their rows.
    const common = table as unknown as Table<Record<string, unknown> & { readonly mac: Uint8Array }>;
    let after: readonly unknown[] = start;
    for (;;) {
      const rows = await query<Record<string, unknown> & { mac: Uint8Array }>(
        `vouchers_${kind}`,
        `select ${common.columns.join(', ')} from answer_evidence.${common.name}
           where workspace_id = $1 and (${key.join(', ')}) > (${key.map((_, n) => `$${n + 2}`).join(', ')})
           order by ${key.join(', ')} limit ${ROWS_A_BATCH}`,
        [workspaceId, ...after],
      );
      yield rows.map((row) => ({
        kind,
        name: `${kind.slice(0, -1)} ${key.map((column) => describe(row[column])).join(' ')}`,
        isMacValid: isMacValid(vault, common, row),
      }));
      const last = rows.at(-1);
      if (rows.length < ROWS_A_BATCH || last === undefined) break;
      after = key.map((column) => last[column]);
    }
  }
}

function describe(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
}
