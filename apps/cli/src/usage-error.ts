/** The command cannot run as given. The message says what to change and holds no secret. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
