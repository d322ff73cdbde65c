import { createTransport } from '@answer-evidence/client';
import { CONSOLE_PATH } from './place.ts';

/** Large bundles take longer than other replies. */
const TIMEOUT_MS = 600_000;

/** Sends what no method of the client is for; once, and with the cookie of the session as all that proves it. */
const { send } = createTransport({
  registry: `${location.origin}${CONSOLE_PATH}`,
  authenticate: () => ({}),
  retry: { attemptsMax: 1 },
  timeoutMs: TIMEOUT_MS,
});
export { send };

/** The header without which a request with a session changes nothing. */
export function withToken(csrfToken: string): Readonly<Record<string, string>> {
  return { 'x-csrf-token': csrfToken };
}
