import type { VersionedSettings } from '@answer-evidence/ledger';
import type {
  Clock,
  ContentSniffer,
  EvidenceErasureStore,
  EvidenceStore,
  HtmlReader,
  Ledger,
  ObjectStore,
  RandomSource,
  RecordStore,
  WorkspaceDirectory,
} from '@answer-evidence/ports';

/** What the stage needs from around it. */
export type EvidenceDeps = {
  readonly ledger: Ledger;
  readonly directory: WorkspaceDirectory;
  readonly records: RecordStore;
  readonly evidence: EvidenceStore;
  readonly evidenceErasures: EvidenceErasureStore;
  readonly objects: ObjectStore;
  readonly sniffer: ContentSniffer;
  readonly htmlReader: HtmlReader;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** The settings in force as the database has it now. */
  readonly readFreshSettings: (workspaceId: string) => Promise<VersionedSettings>;
  readonly backupDays: number;
};
