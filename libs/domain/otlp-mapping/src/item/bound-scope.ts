const SCOPE_LENGTH_MAX = 200;

/** A scope's name as far as it is kept. */
export function boundScope(name: string): string {
  return name
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
    .slice(0, SCOPE_LENGTH_MAX)
    .toWellFormed();
}
