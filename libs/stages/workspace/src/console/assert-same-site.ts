import { csrfTokenOf } from '@answer-evidence/access';
import { ServiceError } from '@answer-evidence/contracts';
import { equalSecrets } from '@answer-evidence/digest';
import { utf8 } from '@answer-evidence/encoding';

type Headers = { header(name: string): string | undefined };

/** Refuses a change that a page of another site asks for, as far as the browser says so. */
export function assertSameSite(request: Headers): void {
  const site = request.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw new ServiceError(
      'csrf_token_not_valid',
      'the request comes from a page of another site; use the console itself, and send it from there',
    );
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
