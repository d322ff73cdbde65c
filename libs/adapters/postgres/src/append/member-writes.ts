import type { Write } from '@answer-evidence/ledger';
import { CREDENTIALS, MEMBERS, type Table } from '@answer-evidence/tables';
import { formatInserts, type Statement } from './insert-rows.ts';

/** The statements of a write about a member, one row each; none for any other write. */
export function formatMemberWrite(workspaceId: string, write: Write): readonly Statement[] {
  switch (write.kind) {
    case 'member':
      return replace(MEMBERS, workspaceId, write.row, 'id', ['role', 'disabled_at', 'removed_at', 'version']);
    case 'credential': {
      const [key, ...rest] = CREDENTIALS.columns;
      if (key === undefined) throw new Error('a credential has columns');
      return replace(CREDENTIALS, workspaceId, write.row, key, rest);
    }
    case 'drop_credential':
      return [
        {
          name: 'transact_drop_credential',
          text: 'delete from answer_evidence.member_credentials where workspace_id = $1 and member_id = $2',
          values: [workspaceId, write.memberId],
        },
      ];
    default:
      return [];
  }
}

/** The insert of one row, or the update of these columns where its key is there. */
function replace<Row>(
  table: Table<Row>,
  workspaceId: string,
  row: Row,
  key: string,
  updated: readonly string[],
): readonly Statement[] {
  const set = updated.map((column) => `${column} = excluded.${column}`).join(', ');
  return formatInserts(table, workspaceId, [row]).map(({ name, text, values }) => ({
    name: name.replace('_insert_', '_replace_'),
    text: `${text} on conflict (workspace_id, ${key}) do update set ${set}`,
    values,
  }));
}
