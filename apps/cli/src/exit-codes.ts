import type { FindingKind } from '@answer-evidence/contracts';

/** What the process says to its caller. The meanings are fixed: scripts rely on them. */
export const EXIT = {
  /** Done; no check is FAIL, and every demand of `--require` and `--strict` is met. */
  ok: 0,
  /** A check is FAIL, a demand is not met, or the service responded with an error. */
  failed: 1,
  /** The command cannot be run as it was given: an unknown option, a missing file, a configuration that is refused. */
  usage: 2,
  unreachable: 3,
} as const;

/** What `monitor` says of the worst that it has found. */
export const FINDING_EXIT = {
  fork: 4,
  rollback: 5,
  unknown_key: 6,
  missing_entry: 7,
  missing_cosignature: 8,
  stall: 9,
  invalid_log: 10,
  invalid_receipt: 11,
} as const satisfies Record<FindingKind, number>;

/** One of the exit codes. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT] | (typeof FINDING_EXIT)[FindingKind];
