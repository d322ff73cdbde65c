import type { LedgerCheckReport } from '@answer-evidence/contracts';
import type {
  AdministrationStore,
  LogStore,
  OutsideHeads,
  RecordStore,
  Workspace,
  WorkspaceDirectory,
} from '@answer-evidence/ports';
import type { VerifyEd25519 } from '@answer-evidence/note';

/** What the stage needs from around it. */
export type TrustParts = {
  readonly directory: WorkspaceDirectory;
  readonly records: RecordStore;
  readonly logs: LogStore;
  readonly administration: AdministrationStore;
  readonly outsideHeads: OutsideHeads;
  readonly verifyEd25519: VerifyEd25519;
  /** Re-derives everything that is stored of a workspace, in one snapshot, and names every fault. */
  readonly checkLedger: (workspace: Workspace) => Promise<LedgerCheckReport>;
  /** Runs the action unless another process is keeping this workspace's head now. */
  readonly whileKeepingHead: (workspaceId: string, action: () => Promise<void>) => Promise<boolean>;
  /** Ends the process: a log is not the one that was kept, and nothing more may be signed on it. */
  readonly onFatal: (error: Error) => void;
  /** Identifies the database cluster. */
  readonly systemIdentifier: () => Promise<string>;
};
