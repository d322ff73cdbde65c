/**
 * The database is not set up as the service needs it, which a person can change. The message goes on after the name of
 * the server and says what to do.
 */
export class DatabaseSetupError extends Error {
  override readonly name = 'DatabaseSetupError';
}
