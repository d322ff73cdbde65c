import { parseSessionSecret, type SessionSecret } from '@answer-evidence/access';
import { readOr } from '@answer-evidence/encoding';

/**
 * A browser keeps a cookie of this name only where it is `Secure`: over HTTPS, or from this machine, which Chromium and
 * Firefox trust without it.
 */
const NAME = '__Secure-answer-evidence';
/** Most cookies of our form that are looked up for one request. */
const TRIED_MAX = 8;

/** Sets the cookie until the session ends. `basePath`: of the public address, without a slash at its end. */
export function formatSessionCookie(value: string, maxAgeSeconds: number, basePath = ''): string {
  return `${NAME}=${value}; Path=${basePath}/console; Max-Age=${maxAgeSeconds}; HttpOnly; Secure; SameSite=Strict`;
}

/** Removes it. */
export function formatEndedCookie(basePath?: string): string {
  return formatSessionCookie('', 0, basePath);
}

/**
 * What the cookies of a request say that have our name and form. A neighbouring host below the same domain can plant
 * some beside the good one, and before it.
 */
export function findSessionSecrets(header: string | undefined): readonly SessionSecret[] {
  const pairs = (header ?? '').split(';').map((part) => part.trim());
  const values = pairs.filter((part) => part.startsWith(`${NAME}=`)).map((part) => part.slice(NAME.length + 1));
  return [...new Set(values)].flatMap((value) => findSecret(value) ?? []).slice(0, TRIED_MAX);
}

function findSecret(value: string): SessionSecret | undefined {
  return readOr(() => parseSessionSecret(value), undefined);
}
