import {
  type EvidenceAssetRow,
  type EvidenceBindingRow,
  type EvidenceContentRow,
  type EvidenceLinkRow,
  type LeafRow,
  OF_AN_ASSET,
  type RowsOf,
} from '@answer-evidence/tables';

/**
 * The rows about evidence that belong to one range of leaves: all rows of assets that were registered in the range,
 * wherever in the log their own leaves are, and the members below.
 */
export type EvidenceRows = RowsOf<typeof OF_AN_ASSET> & {
  /** Whose `entry_id` is the id of an `evidence_registered` leaf of the range. The rest hangs on them. */
  readonly assets: readonly EvidenceAssetRow[];
  /** Leaves of the whole log whose `subject` is the subject of such a leaf. */
  readonly leaves: readonly LeafRow[];
  /** Those that the originals are. */
  readonly contents: readonly EvidenceContentRow[];
  /** Whose `id` is the id of an `evidence_linked` leaf of the range. */
  readonly links: readonly EvidenceLinkRow[];
  /** Whose `record_id` is the id of an `answer_recorded` leaf of the range. */
  readonly bindings: readonly EvidenceBindingRow[];
};

/** No evidence at all. */
export const NO_EVIDENCE: EvidenceRows = {
  ...(Object.fromEntries(Object.keys(OF_AN_ASSET).map((kind) => [kind, []])) as unknown as RowsOf<typeof OF_AN_ASSET>),
  assets: [],
  leaves: [],
  contents: [],
  links: [],
  bindings: [],
};
