import type {
  EvidenceAccessRow,
  EvidenceAssetRow,
  EvidenceBindingRow,
  EvidenceContentRow,
  EvidenceDetailRow,
  EvidenceExpiryRow,
  EvidenceLinkRow,
  EvidenceOriginalRow,
  EvidenceRedactionRow,
  EvidenceSegmentContentRow,
  EvidenceSegmentRow,
  EvidenceStateRow,
  LeafRow,
} from '@answer-evidence/tables';

/** The rows about evidence that belong to the leaves of one run, wherever in the log their own leaves are. */
export type EvidenceRows = {
  /** Whose `entry_id` is the id of an `evidence_registered` leaf of the run. The rest hangs on them. */
  readonly assets: readonly EvidenceAssetRow[];
  /** Leaves of the whole log whose `subject` is the subject of such a leaf. */
  readonly leaves: readonly LeafRow[];
  readonly segments: readonly EvidenceSegmentRow[];
  readonly segmentContents: readonly EvidenceSegmentContentRow[];
  /** Of the assets and of accesses to them. */
  readonly details: readonly EvidenceDetailRow[];
  readonly originals: readonly EvidenceOriginalRow[];
  /** Those that the originals are. */
  readonly contents: readonly EvidenceContentRow[];
  readonly accesses: readonly EvidenceAccessRow[];
  readonly redactions: readonly EvidenceRedactionRow[];
  readonly expiries: readonly EvidenceExpiryRow[];
  readonly states: readonly EvidenceStateRow[];
  /** Whose `id` is the id of an `evidence_linked` leaf of the run. */
  readonly links: readonly EvidenceLinkRow[];
  /** Whose `record_id` is the id of an `answer_recorded` leaf of the run. */
  readonly bindings: readonly EvidenceBindingRow[];
};

/** No evidence at all. */
export const NO_EVIDENCE: EvidenceRows = {
  assets: [],
  leaves: [],
  segments: [],
  segmentContents: [],
  details: [],
  originals: [],
  contents: [],
  accesses: [],
  redactions: [],
  expiries: [],
  states: [],
  links: [],
  bindings: [],
};
