import type { EvidenceErasure, Write } from '@answer-evidence/ledger';
import { spanOf } from '../sealed-parts/list-parts.ts';
import type { Statement } from './insert-rows.ts';
import { formatNoteOfErasure } from './note-erasure.ts';

/** The statements that destroy keys. A content goes only where the plan says that nothing refers to it any more. */
export function formatErasures(workspaceId: string, writes: readonly Write[]): readonly Statement[] {
  const objectIds = writes.flatMap((write) => (write.kind === 'erase_sealed' ? [write.objectId] : []));
  const evidence = writes.filter((write) => write.kind === 'erase_evidence');
  if (objectIds.length === 0 && evidence.length === 0) return [];
  const statements: Statement[] = [
    // In the same transaction, so that what was erased is never forgotten before its remains are vacuumed.
    formatNoteOfErasure([...new Set(objectIds.map(spanOf))]),
  ];
  if (objectIds.length > 0)
    statements.push(
      {
        name: 'transact_erase_sealed',
        text: 'delete from answer_evidence.sealed_contents where workspace_id = $1 and object_id = any($2::uuid[])',
        values: [workspaceId, `{${objectIds.join(',')}}`],
      },
      {
        name: 'transact_erase_claims',
        text: 'delete from answer_evidence.answered_claims where workspace_id = $1 and record_id = any($2::uuid[])',
        values: [workspaceId, `{${objectIds.join(',')}}`],
      },
      // After the contents: what adds words holds their rows meanwhile. All texts of a record go together, so all of
      // its words do. As arrays, so that each look-up is by key whatever the planner knows.
      {
        name: 'transact_erase_words',
        text: `delete from answer_evidence.word_tokens where workspace_id = $1 and leaf_index = any(array(
            select r.leaf_index from answer_evidence.answer_records r where r.workspace_id = $1 and r.id = any($2::uuid[])
            union
            select r.leaf_index from answer_evidence.answer_records r where r.workspace_id = $1 and r.id = any(array(
              select e.record_id from answer_evidence.lifecycle_events e
                where e.workspace_id = $1 and e.id = any($2::uuid[])))))`,
        values: [workspaceId, `{${objectIds.join(',')}}`],
      },
    );
  for (const erasure of evidence) for (const one of formatEvidenceErasure(workspaceId, erasure)) statements.push(one);
  return statements;
}

function formatEvidenceErasure(workspaceId: string, erasure: EvidenceErasure): Statement[] {
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
