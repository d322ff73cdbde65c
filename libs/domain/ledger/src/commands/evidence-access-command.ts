import { hashCoreText } from '@answer-evidence/commitments';
import { ServiceError } from '@answer-evidence/contracts';
import { canonicalize } from '@answer-evidence/encoding';
import { EVIDENCE_ACCESSES, type EvidenceAccessRow, type EvidenceDetailRow } from '@answer-evidence/tables';
import type { AppendCommand, Write } from '../append-command.ts';
import { coreOf } from '../stored-cores.ts';

/** An access before it has a place in the log. */
type PreparedAccess = {
  readonly row: Omit<EvidenceAccessRow, 'leaf_index'>;
  readonly details: EvidenceDetailRow | null;
  /** Whether it is of no use without the original. */
  readonly needsOriginal: boolean;
};

/** Notes an access before anything leaves. `gone_redacted` when it needs an original that is gone. */
export function createEvidenceAccessCommand({ row, details, needsOriginal }: PreparedAccess): AppendCommand {
  const hash = hashCoreText('evidence_accessed', canonicalize(coreOf(EVIDENCE_ACCESSES, row)));
  return {
    subject: row.asset_id,
    entryIds: [row.id],
    settingsVersion: null,
    reads: { assetIds: [row.asset_id] },
    sizeBytes: 1_500,
    decide(view) {
      const asset = view.findAsset(row.asset_id);
      if (asset === undefined)
        return {
          kind: 'refuse',
          error: new ServiceError('not_found', 'no such asset exists in this workspace; check its id'),
        };
      if (needsOriginal && asset.contentId === null)
        return { kind: 'refuse', error: new ServiceError('gone_redacted', 'the original was erased; do not retry') };
      const writes: Write[] = [
        { kind: 'insert', table: 'evidence_accesses', row: { ...row, leaf_index: view.leafIndex } },
      ];
      if (details !== null) writes.push({ kind: 'insert', table: 'evidence_details', row: details });
      return {
        kind: 'append',
        entries: [{ type: 'evidence_accessed', id: row.id, subject: row.asset_id, seq: 0, hash }],
        writes,
      };
    },
  };
}
