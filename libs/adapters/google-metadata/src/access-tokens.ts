import { PlatformCredentialsError, type PlatformToken } from '@answer-evidence/ports';

const HOST = 'metadata.google.internal';
const PATH = '/computeMetadata/v1/instance/service-accounts/default/token';
const ANSWER_MS_MAX = 5_000;
const ANSWER_BYTES_MAX = 64_000;
/** From so long before its end, a token is replaced. The metadata server gives new ones from about then. */
const EARLY_MS = 4 * 60_000;

/**
 * Access tokens of the service account of this process, as the metadata server of Compute Engine, GKE (workload
 * identity) and Cloud Run gives them; `GCE_METADATA_HOST` names another server. Each call gives a token that is valid;
 * while the server does not respond, the one before it goes on until its end. Throws `PlatformCredentialsError`.
 */
export function createAccessTokens(): () => Promise<PlatformToken> {
  let last: PlatformToken | undefined;
  let asking: Promise<PlatformToken> | undefined;
  return async () => {
    if (last !== undefined && last.expiresAtMs - Date.now() > EARLY_MS) return last;
    asking ??= ask().finally(() => (asking = undefined));
    try {
      last = await asking;
    } catch (error) {
      if (last === undefined || last.expiresAtMs <= Date.now()) throw error;
    }
    return last;
  };
}

async function ask(): Promise<PlatformToken> {
  const host = process.env['GCE_METADATA_HOST'] || HOST;
  const askedAtMs = Date.now();
  let response: Response;
  try {
    response = await fetch(`http://${host}${PATH}`, {
      headers: { 'metadata-flavor': 'Google' },
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
  } catch (cause) {
    throw new PlatformCredentialsError(
      `the metadata server of Google does not respond at ${host}: run on Google's platform with a service account`,
      { cause },
    );
  }
  // Anything that redirects or pretends is not the server: it always says who it is.
  const text = response.ok && response.headers.get('metadata-flavor') === 'Google' ? await response.text() : '';
  const { access_token: token, expires_in: seconds } = parse(text);
  if (typeof token !== 'string' || !/^[\x21-\x7e]{1,16000}$/.test(token) || typeof seconds !== 'number' || seconds <= 0)
    throw new PlatformCredentialsError(
      `the metadata server of Google at ${host} gives no token (HTTP ${response.status}): give the process a service ` +
        'account',
    );
  return { token, expiresAtMs: askedAtMs + seconds * 1_000, source: 'the service account of Google' };
}

function parse(text: string): { readonly access_token?: unknown; readonly expires_in?: unknown } {
  if (text === '' || text.length > ANSWER_BYTES_MAX) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
