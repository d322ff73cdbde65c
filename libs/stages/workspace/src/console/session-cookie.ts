import { parseSessionSecret, type SessionSecret } from '@answer-evidence/access';
import { EncodingError } from '@answer-evidence/encoding';

/**
 * A browser keeps a cookie of this name only where it is `Secure`: over HTTPS, or from this machine, which Chromium and
 * Firefox trust without it.
 */
const NAME = '__Secure-answer-evidence';

/** Sets the cookie until the session ends. `basePath`: of the public address, without a slash at its end. */
export function formatSessionCookie(value: string, maxAgeSeconds: number, basePath = ''): string {
  return `${NAME}=${value}; Path=${basePath}/console; Max-Age=${maxAgeSeconds}; HttpOnly; Secure; SameSite=Strict`;
}

/** Removes it. */
export function formatEndedCookie(basePath?: string): string {
  return formatSessionCookie('', 0, basePath);
}

/** What the cookie of a request says; undefined without one of our form. */
export function findSessionSecret(header: string | undefined): SessionSecret | undefined {
  const pair = header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${NAME}=`));
  if (pair === undefined) return undefined;
  try {
    return parseSessionSecret(pair.slice(NAME.length + 1));
  } catch (error) {
    if (error instanceof EncodingError) return undefined;
    throw error;
  }
}
