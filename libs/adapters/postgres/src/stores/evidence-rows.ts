import type { EvidenceContentReader, LeafRangeReader } from '@answer-evidence/audit';
import { parseJsonText } from '@answer-evidence/encoding';
import { VaultError, type WorkspaceVault } from '@answer-evidence/ports';
import {
  type AnyTable,
  EVIDENCE_ASSETS,
  EVIDENCE_BINDINGS,
  EVIDENCE_CONTENTS,
  EVIDENCE_LINKS,
  type EvidenceAssetRow,
  type EvidenceBindingRow,
  type EvidenceContentRow,
  type EvidenceLinkRow,
  type LeafRow,
  LEAVES,
  OF_AN_ASSET,
  ownerColumn,
  readTables,
} from '@answer-evidence/tables';
import { FROM_LEAVES, IN_RANGE } from '../rows/read-leaf-range.ts';
import { select } from '../rows/rows.ts';
import type { Query } from '../session.ts';

const REGISTERED_IN_RANGE = `${IN_RANGE} and l.type = 'evidence_registered'`;

/** Reads what hangs on the leaves about evidence, for the ledger check; and opens what is sealed of it. */
export function createEvidenceRowReader(
  query: Query,
  workspaceId: string,
  vault: WorkspaceVault,
): Pick<LeafRangeReader, 'evidenceOf'> & EvidenceContentReader {
  return {
    async evidenceOf(from, to) {
      const range = [workspaceId, from, to];
      /** Rows of a table that name the asset of a registration of the range. */
      const ofAssets = <Row extends Record<string, unknown>>(table: AnyTable, assetColumn: string) =>
        query<Row>(
          `range_${table.name}`,
          `select ${select('t', table)} ${FROM_LEAVES}
             join answer_evidence.${table.name} t on t.workspace_id = $1 and t.${assetColumn} = l.subject
             where ${REGISTERED_IN_RANGE}`,
          range,
        );
      const [rows, assets, leaves, contents, links, bindings] = await Promise.all([
        readTables(OF_AN_ASSET, (table) => ofAssets(table, ownerColumn(table))),
        query<EvidenceAssetRow & Record<string, unknown>>(
          'range_evidence_assets',
          `select ${select('t', EVIDENCE_ASSETS)} ${FROM_LEAVES}
             join answer_evidence.evidence_assets t on t.workspace_id = $1 and t.id = l.subject and t.entry_id = l.id
             where ${REGISTERED_IN_RANGE}`,
          range,
        ),
        ofAssets<LeafRow>(LEAVES, 'subject'),
        query<EvidenceContentRow & Record<string, unknown>>(
          'range_evidence_contents',
          `select distinct ${select('t', EVIDENCE_CONTENTS)} ${FROM_LEAVES}
             join answer_evidence.evidence_originals o on o.workspace_id = $1 and o.asset_id = l.subject
             join answer_evidence.evidence_contents t on t.workspace_id = $1 and t.id = o.content_id
             where ${REGISTERED_IN_RANGE}`,
          range,
        ),
        query<EvidenceLinkRow & Record<string, unknown>>(
          'range_evidence_links',
          `select ${select('t', EVIDENCE_LINKS)} ${FROM_LEAVES}
             join answer_evidence.evidence_links t on t.workspace_id = $1 and t.record_id = l.subject and t.id = l.id
             where ${IN_RANGE} and l.type = 'evidence_linked'`,
          range,
        ),
        query<EvidenceBindingRow & Record<string, unknown>>(
          'range_evidence_bindings',
          `select ${select('t', EVIDENCE_BINDINGS)} ${FROM_LEAVES}
             join answer_evidence.evidence_bindings t on t.workspace_id = $1 and t.record_id = l.subject
             where ${IN_RANGE} and l.type = 'answer_recorded'`,
          range,
        ),
      ]);
      return { ...rows, assets, leaves, contents, links, bindings };
    },
    opensContent({ id, wrapped_key: wrapped }) {
      try {
        vault.openContentKey(id, wrapped);
        return true;
      } catch (error) {
        if (!(error instanceof VaultError)) throw error;
        return false;
      }
    },
    openEvidence: (objectId, wrapped, field, sealed) =>
      // In a promise, so that what does not open rejects.
      Promise.resolve().then(() => parseJsonText(vault.openObjectKey(objectId, wrapped).open(field, sealed))),
  };
}
