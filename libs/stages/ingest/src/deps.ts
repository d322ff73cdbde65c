import type { VersionedSettings } from '@answer-evidence/ledger';
import type { ReadAttestations, StageDeps } from '@answer-evidence/ports';

/** What the stage needs from around it. */
export type IngestDeps = StageDeps & {
  /** How far others vouch for the log. */
  readonly readAttestations: ReadAttestations;
  readonly backupDays: number;
};

/** The settings that a request is prepared under. */
export type Settings = VersionedSettings;
