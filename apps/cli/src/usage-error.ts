/** The command cannot be run as it was given; the message says what to change and holds no secret. Ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
