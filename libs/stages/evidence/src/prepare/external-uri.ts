import { ServiceError } from '@answer-evidence/contracts';

/** Schemes that mean the same to everybody; others run something, are the content, or lead into one machine. */
const SCHEMES: ReadonlySet<string> = new Set(['https:', 'http:', 's3:', 'gs:', 'ipfs:', 'urn:', 'doi:']);
const WITH_HOST: ReadonlySet<string> = new Set(['https:', 'http:', 's3:', 'gs:', 'ipfs:']);
/** Parameters that carry secrets in signed and tokened URLs, in the query or in the fragment (OAuth). */
const SECRETS =
  /^(x-amz-(signature|security-token|credential)|x-goog-(signature|credential)|sig|signature|((access|auth|id|refresh|sas|session)_)?token|jwt|api[_-]?key|password|((app|client)_)?secret)$/i;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** Refuses what must not be kept as a reference; none is ever fetched. Throws `external_uri_not_accepted`. */
export function assertExternalUri(uri: string): void {
  const fault = findFault(uri);
  if (fault === undefined) return;
  throw new ServiceError('external_uri_not_accepted', fault, {
    errors: [{ pointer: '/external_uri', detail: fault }],
  });
}

function findFault(uri: string): string | undefined {
  if (!VISIBLE_ASCII.test(uri)) return 'must be ASCII without spaces; encode the rest';
  if (!URL.canParse(uri)) return 'must be an absolute URI';
  const url = new URL(uri);
  if (!SCHEMES.has(url.protocol)) return 'must have the scheme https, http, s3, gs, ipfs, urn or doi';
  if (WITH_HOST.has(url.protocol) && !/^[a-z0-9]+:\/\/[^/?#\\]/i.test(uri)) return 'must name a host';
  if (url.username !== '' || url.password !== '' || /^[a-z0-9]+:\/\/[^/?#]*@/i.test(uri))
    return 'must not contain a user name or a password';
  const parameters = [...url.searchParams.keys(), ...new URLSearchParams(url.hash.replace(/^#[/!?]*/, '')).keys()];
  if (parameters.some((name) => SECRETS.test(name))) return 'must not contain a signature, a token or another secret';
  return undefined;
}
