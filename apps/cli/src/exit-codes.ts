/** What the process says to its caller. The meanings are fixed: scripts rely on them. */
export const EXIT = {
  /** Done; no check is FAIL, and every demand of `--require` and `--strict` is met. */
  ok: 0,
  /** A check is FAIL, a demand is not met, or the service responded with an error. */
  failed: 1,
  /** The command cannot be run as it was given: an unknown option, a missing file, a configuration that is refused. */
  usage: 2,
  /** The host could not be reached. */
  unreachable: 3,
} as const;
/** One of the exit codes. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
