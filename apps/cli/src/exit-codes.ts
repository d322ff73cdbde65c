/** What the process says to its caller. The meanings are fixed: scripts rely on them. */
export const EXIT = {
  /** Done; every check that was made came to PASS, NA or SKIP. */
  ok: 0,
  /** At least one check came to FAIL, or the service answered the request with an error. */
  failed: 1,
  /** The command cannot be run as it was given: an unknown option, a missing file, a configuration that is refused. */
  usage: 2,
  /** The host could not be reached. */
  unreachable: 3,
} as const;
/** One of the exit codes. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
