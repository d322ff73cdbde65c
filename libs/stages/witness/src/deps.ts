import type { VerifyEd25519, Vkey } from '@answer-evidence/note';
import type { Clock, WitnessedCheckpoints } from '@answer-evidence/ports';
import type { TrustedLog } from '@answer-evidence/witness';

/** What the stage needs from around it. */
export type WitnessDeps = {
  /** By origin. */
  readonly logs: ReadonlyMap<string, TrustedLog>;
  readonly checkpoints: WitnessedCheckpoints;
  /** The key of this witness, of the type for Ed25519 cosignatures. */
  readonly vkey: Vkey;
  readonly sign: (message: string) => Uint8Array;
  readonly verifyEd25519: VerifyEd25519;
  readonly clock: Clock;
  /** Told of a log that has signed two trees of one size, after the proof was kept. */
  readonly onFork: (origin: string) => void;
};
