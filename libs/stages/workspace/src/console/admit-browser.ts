import { formatUserToken, sessionTokenSecretOf } from '@answer-evidence/access';
import { MICROS_PER_SECOND } from '@answer-evidence/encoding';
import { assertCsrfToken } from './assert-same-site.ts';
import type { ConsoleSessionDeps } from './deps.ts';
import { getOpenSession } from './find-session.ts';

/** Uses are noted once in this time: idle time is counted in minutes. */
const NOTED_EVERY_MICROS = 30 * MICROS_PER_SECOND;

/** What is looked at of a request for the API by a browser. */
export type BrowserRequest = {
  readonly method: string | undefined;
  header(name: string): string | undefined;
};

/**
 * The token that a browser's request acts by, and that never leaves this process for the browser. Throws
 * `unauthenticated` without an open session, and `csrf_token_not_valid` for a change that no page of it asks for.
 */
export async function admitBrowser(deps: ConsoleSessionDeps, request: BrowserRequest): Promise<string> {
  const { workspace, session, secret } = await getOpenSession(deps, request);
  if (request.method !== 'GET' && request.method !== 'HEAD') assertCsrfToken(request, secret);
  const now = deps.clock.nowMicros();
  if (now - session.usedAt > NOTED_EVERY_MICROS) await deps.consoleSessions.noteUse(workspace.id, session.key, now);
  return formatUserToken(session.tokenId, sessionTokenSecretOf(secret, session.salt));
}
