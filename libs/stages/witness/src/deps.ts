import type { VerifySignature, Vkey } from '@answer-evidence/note';
import type { Clock, WitnessedCheckpoints } from '@answer-evidence/ports';
import type { TrustedLog } from '@answer-evidence/witness';

/** A key of a type for cosignatures, with what signs by it. */
export type WitnessKey = { readonly vkey: Vkey; readonly sign: (message: Uint8Array) => Uint8Array };

/** What the stage needs from around it. */
export type WitnessDeps = {
  /** By origin. */
  readonly logs: ReadonlyMap<string, TrustedLog>;
  readonly checkpoints: WitnessedCheckpoints;
  /** The keys of this witness, under one name; it cosigns by each. */
  readonly keys: readonly WitnessKey[];
  readonly verifySignature: VerifySignature;
  readonly clock: Clock;
  /** Told of a log that has signed two trees of one size, after the proof was kept. */
  readonly onFork: (origin: string) => void;
};
