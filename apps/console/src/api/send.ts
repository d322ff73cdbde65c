import { createTransport } from '@answer-evidence/client';
import { CONSOLE_PATH, SERVICE_URL } from './place.ts';

/** Large bundles take longer than other replies. */
const TIMEOUT_MS = 600_000;

/** Sends once, and with the cookie of the session as all that proves it. */
const ONCE = { authenticate: () => ({}), retry: { attemptsMax: 1 }, timeoutMs: TIMEOUT_MS };

/** Sends operations of the console. */
export const { send: sendOwn } = createTransport({ registry: SERVICE_URL, ...ONCE });

/** Sends operations of the API that no method of the client is for. */
export const { send } = createTransport({ registry: `${location.origin}${CONSOLE_PATH}`, ...ONCE });

/** What a request with a session has, without which it changes nothing. */
export function withToken(csrfToken: string): { readonly headers: Readonly<Record<string, string>> } {
  return { headers: { 'x-csrf-token': csrfToken } };
}
