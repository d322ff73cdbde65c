import { parseJsonText } from '@answer-evidence/encoding';
import { VaultError, type WorkspaceVault } from '@answer-evidence/ports';
import type { LedgerReader } from '@answer-evidence/audit';
import {
  EVIDENCE_ACCESSES,
  EVIDENCE_ASSETS,
  EVIDENCE_BINDINGS,
  EVIDENCE_CONTENTS,
  EVIDENCE_DETAILS,
  EVIDENCE_EXPIRIES,
  EVIDENCE_LINKS,
  EVIDENCE_ORIGINALS,
  EVIDENCE_REDACTIONS,
  EVIDENCE_SEGMENTS,
  EVIDENCE_SEGMENT_CONTENTS,
  type EvidenceAccessRow,
  type EvidenceAssetRow,
  type EvidenceBindingRow,
  type EvidenceContentRow,
  type EvidenceDetailRow,
  type EvidenceExpiryRow,
  type EvidenceLinkRow,
  type EvidenceOriginalRow,
  type EvidenceRedactionRow,
  type EvidenceSegmentContentRow,
  type EvidenceSegmentRow,
  type EvidenceStateRow,
  LEAVES,
  type LeafRow,
  type Table,
} from '@answer-evidence/tables';
import type { Query } from '../session.ts';
import { IN_RUN, RUN } from './read-run.ts';
import { select } from './rows.ts';

const REGISTERED_IN_RUN = `${IN_RUN} and l.type = 'evidence_registered'`;

/** Reads what hangs on the leaves about evidence, for the ledger check; and opens what is sealed of it. */
export function createEvidenceRowReader(
  query: Query,
  workspaceId: string,
  vault: WorkspaceVault,
): Pick<LedgerReader, 'evidenceOf' | 'opensContent' | 'openEvidence'> {
  return {
    async evidenceOf(from, to) {
      const run = [workspaceId, from, to];
      /** Rows of a table that name the asset of a registration of the run. */
      const ofAssets = <Row extends object>(
        table: Table<Row> | { name: string; columns: readonly string[] },
        assetColumn = 'asset_id',
      ) =>
        query<Row & Record<string, unknown>>(
          `run_${table.name}`,
          `select ${select('t', table)} ${RUN}
             join answer_evidence.${table.name} t on t.workspace_id = $1 and t.${assetColumn} = l.subject
             where ${REGISTERED_IN_RUN}`,
          run,
        );
      const [
        assets,
        leaves,
        segments,
        segmentContents,
        details,
        originals,
        contents,
        accesses,
        redactions,
        expiries,
        states,
        links,
        bindings,
      ] = await Promise.all([
        query<EvidenceAssetRow & Record<string, unknown>>(
          'run_evidence_assets',
          `select ${select('t', EVIDENCE_ASSETS)} ${RUN}
             join answer_evidence.evidence_assets t on t.workspace_id = $1 and t.id = l.subject and t.entry_id = l.id
             where ${REGISTERED_IN_RUN}`,
          run,
        ),
        ofAssets<LeafRow>(LEAVES, 'subject'),
        ofAssets<EvidenceSegmentRow>(EVIDENCE_SEGMENTS),
        ofAssets<EvidenceSegmentContentRow>(EVIDENCE_SEGMENT_CONTENTS),
        ofAssets<EvidenceDetailRow>(EVIDENCE_DETAILS),
        ofAssets<EvidenceOriginalRow>(EVIDENCE_ORIGINALS),
        query<EvidenceContentRow & Record<string, unknown>>(
          'run_evidence_contents',
          `select distinct ${select('t', EVIDENCE_CONTENTS)} ${RUN}
             join answer_evidence.evidence_originals o on o.workspace_id = $1 and o.asset_id = l.subject
             join answer_evidence.evidence_contents t on t.workspace_id = $1 and t.id = o.content_id
             where ${REGISTERED_IN_RUN}`,
          run,
        ),
        ofAssets<EvidenceAccessRow>(EVIDENCE_ACCESSES),
        ofAssets<EvidenceRedactionRow>(EVIDENCE_REDACTIONS),
        ofAssets<EvidenceExpiryRow>(EVIDENCE_EXPIRIES),
        ofAssets<EvidenceStateRow>({ name: 'evidence_states', columns: ['asset_id', 'state'] }),
        query<EvidenceLinkRow & Record<string, unknown>>(
          'run_evidence_links',
          `select ${select('t', EVIDENCE_LINKS)} ${RUN}
             join answer_evidence.evidence_links t on t.workspace_id = $1 and t.record_id = l.subject and t.id = l.id
             where ${IN_RUN} and l.type = 'evidence_linked'`,
          run,
        ),
        query<EvidenceBindingRow & Record<string, unknown>>(
          'run_evidence_bindings',
          `select ${select('t', EVIDENCE_BINDINGS)} ${RUN}
             join answer_evidence.evidence_bindings t on t.workspace_id = $1 and t.record_id = l.subject
             where ${IN_RUN} and l.type = 'answer_recorded'`,
          run,
        ),
      ]);
      return {
        assets,
        leaves,
        segments,
        segmentContents,
        details,
        originals,
        contents,
        accesses,
        redactions,
        expiries,
        states,
        links,
        bindings,
      };
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

const HAS_ASSET_LEAF = (id: string) =>
  `exists (select 1 from answer_evidence.ledger_leaves l
     where l.workspace_id = $1 and l.subject = ${id} and l.type = 'evidence_registered')`;

const OF_ASSETS = [
  'evidence_originals',
  'evidence_segments',
  'evidence_segment_contents',
  'evidence_details',
  'evidence_accesses',
  'evidence_redactions',
  'evidence_expiries',
  'evidence_states',
  'evidence_dues',
  'evidence_purges',
];

/** Rows about evidence that hang on no leaf, by the asset, content, link or access that they name; and leaves about assets that there are not. */
export const EVIDENCE_ORPHANS = [
  `select a.id from answer_evidence.evidence_assets a where a.workspace_id = $1 and not exists (
     select 1 from answer_evidence.ledger_leaves l
       where l.workspace_id = $1 and l.subject = a.id and l.id = a.entry_id and l.type = 'evidence_registered')`,
  ...OF_ASSETS.map(
    (name) =>
      `select t.asset_id as id from answer_evidence.${name} t where t.workspace_id = $1 and not ${HAS_ASSET_LEAF('t.asset_id')}`,
  ),
  `select c.id from answer_evidence.evidence_contents c where c.workspace_id = $1 and not exists (
     select 1 from answer_evidence.evidence_originals o where o.workspace_id = $1 and o.content_id = c.id)`,
  `select k.id from answer_evidence.evidence_links k where k.workspace_id = $1 and not exists (
     select 1 from answer_evidence.ledger_leaves l
       where l.workspace_id = $1 and l.subject = k.record_id and l.id = k.id and l.type = 'evidence_linked')`,
  `select b.access_id as id from answer_evidence.evidence_bindings b where b.workspace_id = $1 and not (
     exists (select 1 from answer_evidence.ledger_leaves l where l.workspace_id = $1 and l.subject = b.record_id
       and l.id = b.record_id and l.type = 'answer_recorded')
     and exists (select 1 from answer_evidence.evidence_accesses v where v.workspace_id = $1 and v.id = b.access_id))`,
  `select x.id from answer_evidence.ledger_leaves x where x.workspace_id = $1
     and x.type in ('evidence_accessed', 'evidence_redacted', 'evidence_expired') and not ${HAS_ASSET_LEAF('x.subject')}`,
].join(' union ');
