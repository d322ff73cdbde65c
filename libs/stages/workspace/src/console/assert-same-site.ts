import { csrfTokenOf } from '@answer-evidence/access';
import { ServiceError } from '@answer-evidence/contracts';
import { equalSecrets } from '@answer-evidence/digest';
import { utf8 } from '@answer-evidence/encoding';

type Headers = { header(name: string): string | undefined };

/** Refuses a change that a page of another site asks for, as far as the browser says so. */
export function assertSameSite(request: Headers): void {
  if (!isOfSameSite(request))
    throw new ServiceError(
      'csrf_token_not_valid',
      'the request comes from a page of another site; use the console itself, and send it from there',
    );
}

/**
 * The browser judges by what it knows of the page, and says so since 2023. An older one says where the page is from,
 * which is another site unless it is the host that is asked. What is no browser says neither.
 */
function isOfSameSite(request: Headers): boolean {
  const site = request.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = request.header('origin');
  if (origin === undefined) return true;
  return URL.parse(origin)?.host === URL.parse(`${protocolOf(origin)}//${request.header('host') ?? ''}`)?.host;
}

/** With it, a port that goes without saying is left out of both. */
function protocolOf(origin: string): string {
  return origin.startsWith('http:') ? 'http:' : 'https:';
}

/** Refuses a change whose page does not belong to this session. */
export function assertCsrfToken(request: Headers, secret: Uint8Array): void {
  assertSameSite(request);
  if (!equalSecrets(utf8(request.header('x-csrf-token') ?? ''), utf8(csrfTokenOf(secret))))
    throw new ServiceError(
      'csrf_token_not_valid',
      'the header X-CSRF-Token must have the csrf_token of this session; read it from GET /console/session',
    );
}
