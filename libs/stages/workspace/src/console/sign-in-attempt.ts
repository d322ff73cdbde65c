import { hmacSha256 } from '@answer-evidence/digest';
import { formatBase64Url, parseBase64Url, readOr, utf8 } from '@answer-evidence/encoding';
import type { SignInAttempt } from '@answer-evidence/ports';

/** `__Host-`: no other host below the same domain can plant one, and so have somebody sign in as somebody else. */
const NAME = '__Host-answer-evidence-sign-in';
const SECRET_BYTES = 32;
const LIFE_SECONDS = 600;
const PATH_CHARS_MAX = 1_000;
const START = '/console/';

/** An attempt, and the page to show after it. */
type Attempt = { readonly checks: SignInAttempt; readonly next: string };

/**
 * Begins an attempt. The browser keeps its secret in a cookie, and nothing is stored here. The cookie is `Lax`, because
 * the browser comes back from the site of the provider.
 */
export function beginAttempt(
  secret: Uint8Array,
  next: string | undefined,
): { readonly checks: SignInAttempt; readonly cookie: string } {
  const value = `${formatBase64Url(secret)}.${formatBase64Url(utf8(toPageOfConsole(next)))}`;
  return {
    checks: checksOf(secret),
    cookie: `${NAME}=${value}; Path=/; Max-Age=${LIFE_SECONDS}; HttpOnly; Secure; SameSite=Lax`,
  };
}

/** The attempt that a browser comes back from; undefined where it began none, or another browser did. */
export function findAttempt(header: string | undefined): Attempt | undefined {
  const pair = header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${NAME}=`));
  const [secret = '', next = ''] = pair?.slice(NAME.length + 1).split('.') ?? [];
  const read = readOr(() => ({ bytes: parseBase64Url(secret), page: parseBase64Url(next) }), undefined);
  if (read?.bytes.length !== SECRET_BYTES) return undefined;
  return { checks: checksOf(read.bytes), next: toPageOfConsole(new TextDecoder().decode(read.page)) };
}

/** A path of the console with its query; its start for anything else, such as an address of another host. */
function toPageOfConsole(text: string | undefined): string {
  if (text === undefined || text.length > PATH_CHARS_MAX || !URL.canParse(text, 'http://console.invalid')) return START;
  const { origin, pathname, search } = new URL(text, 'http://console.invalid');
  return origin === 'http://console.invalid' && pathname.startsWith(START) ? pathname + search : START;
}

function checksOf(secret: Uint8Array): SignInAttempt {
  const derive = (label: string) => formatBase64Url(hmacSha256(secret, utf8(`console-sign-in/${label}`)));
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') };
}
