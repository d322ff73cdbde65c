import type { Write } from '@answer-evidence/ledger';
import {
  EVIDENCE_CONTENTS,
  EVIDENCE_ASSETS,
  EVIDENCE_ORIGINALS,
  EVIDENCE_SEGMENTS,
  EVIDENCE_SEGMENT_CONTENTS,
  EVIDENCE_DETAILS,
  EVIDENCE_ACCESSES,
  EVIDENCE_BINDINGS,
  EVIDENCE_LINKS,
  EVIDENCE_REDACTIONS,
  EVIDENCE_EXPIRIES,
  EVIDENCE_DUES,
  EVIDENCE_PURGES,
  type Table,
} from '@answer-evidence/tables';
import { formatInserts, type Statement } from './insert-rows.ts';

type Erasure = Extract<Write, { readonly kind: 'erase_evidence' }>;

/**
 * The statements about evidence of one transaction. Erasing comes first: what stays is sealed anew under the same ids, and equal bytes
 * may come again as a new content. A content goes only where the plan says that nothing refers to it any more.
 */
export function formatEvidenceWrites(workspaceId: string, writes: readonly Write[]): readonly Statement[] {
  if (!writes.some(isOfEvidence)) return [];
  const statements = writes.flatMap((write) =>
    write.kind === 'erase_evidence' ? formatErasure(workspaceId, write) : [],
  );
  function insert<Kind extends RowKind>(table: Table<RowOf<Kind>>, kind: Kind): void {
    // The compiler cannot follow that a write of this kind has the row of this kind.
    const rows = writes.flatMap((write) => (write.kind === kind ? [write.row as RowOf<Kind>] : []));
    for (const statement of formatInserts(table, workspaceId, rows)) statements.push(statement);
  }
  insert(EVIDENCE_CONTENTS, 'evidence_content');
  insert(EVIDENCE_ASSETS, 'evidence_asset');
  insert(EVIDENCE_ORIGINALS, 'evidence_original');
  insert(EVIDENCE_SEGMENTS, 'evidence_segment');
  insert(EVIDENCE_SEGMENT_CONTENTS, 'evidence_segment_content');
  insert(EVIDENCE_DETAILS, 'evidence_detail');
  insert(EVIDENCE_ACCESSES, 'evidence_access');
  insert(EVIDENCE_BINDINGS, 'evidence_binding');
  insert(EVIDENCE_LINKS, 'evidence_link');
  insert(EVIDENCE_REDACTIONS, 'evidence_redaction');
  insert(EVIDENCE_EXPIRIES, 'evidence_expiry');
  insert(EVIDENCE_DUES, 'evidence_due');
  insert(EVIDENCE_PURGES, 'evidence_purge');
  for (const write of writes) {
    if (write.kind === 'evidence_state')
      statements.push({
        name: 'transact_set_evidence_state',
        text: `insert into answer_evidence.evidence_states (workspace_id, asset_id, state) values ($1, $2, $3)
          on conflict (workspace_id, asset_id) do update set state = excluded.state`,
        values: [workspaceId, write.row.asset_id, write.row.state],
      });
  }
  return statements;
}

type RowKind = Exclude<EvidenceWrite['kind'], 'erase_evidence' | 'evidence_state'>;
type EvidenceWrite = Extract<Write, { readonly kind: `evidence_${string}` | 'erase_evidence' }>;
type RowOf<Kind extends RowKind> = Extract<Write, { readonly kind: Kind }>['row'];

function isOfEvidence({ kind }: Write): boolean {
  return kind === 'erase_evidence' || kind.startsWith('evidence_');
}

function formatErasure(workspaceId: string, erasure: Erasure): Statement[] {
  const statements: Statement[] = [
    {
      name: 'transact_erase_original',
      text: 'delete from answer_evidence.evidence_originals where workspace_id = $1 and asset_id = $2',
      values: [workspaceId, erasure.assetId],
    },
    {
      name: 'transact_erase_segments',
      text: `delete from answer_evidence.evidence_segment_contents
        where workspace_id = $1 and asset_id = $2 and ($3::integer[] is null or segment_index = any($3::integer[]))`,
      values: [workspaceId, erasure.assetId, erasure.segments === null ? null : `{${erasure.segments.join(',')}}`],
    },
  ];
  if (erasure.detailsOf === null)
    statements.push({
      name: 'transact_erase_all_details',
      text: 'delete from answer_evidence.evidence_details where workspace_id = $1 and asset_id = $2',
      values: [workspaceId, erasure.assetId],
    });
  else if (erasure.detailsOf.length > 0)
    statements.push({
      name: 'transact_erase_details',
      text: 'delete from answer_evidence.evidence_details where workspace_id = $1 and object_id = any($2::uuid[])',
      values: [workspaceId, `{${erasure.detailsOf.join(',')}}`],
    });
  if (erasure.contentId !== null)
    statements.push({
      name: 'transact_erase_content',
      text: 'delete from answer_evidence.evidence_contents where workspace_id = $1 and id = $2',
      values: [workspaceId, erasure.contentId],
    });
  return statements;
}
