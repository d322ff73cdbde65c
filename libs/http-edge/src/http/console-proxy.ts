import type { IncomingMessage, ServerResponse } from 'node:http';
import { headerOf } from './edge-request.ts';

/** What is looked at of a browser's request before it goes on. */
type BrowserRequest = { readonly method: string | undefined; header(name: string): string | undefined };

/** Who may go through to the API from the pages of the console. */
export type ConsoleProxy = {
  /** The token that a request acts by. Throws `unauthenticated`, `csrf_token_not_valid`, `ledger_unavailable`. */
  readonly admit: (request: BrowserRequest) => Promise<string>;
  /** Where the API is that browsers reach; left out: in this process. */
  readonly upstream?: URL;
};

/** The path of the console. */
export const CONSOLE_PLACE = '/console';
/** What pages reach below it, each at the same path without it. */
const FORWARDED = ['/api/', '/tlog/'];
/** What would hand the browser a token, or end the one of its session behind its back. */
const WITHHELD = '/api/auth/';

/** RFC 9110 section 7.6.1, and what is between the browser and the console alone. */
const KEPT_BACK = ['cookie', 'authorization', 'x-csrf-token', 'proxy-authorization', 'origin'];

/** What every reply says that goes to a browser at the console. */
const HEADERS = Object.entries({
  'Content-Security-Policy': [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self'`,
    `img-src 'self' data:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `worker-src 'self'`,
    `manifest-src 'self'`,
    `frame-ancestors 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
});

/** Whether a request is for the console or goes through it. */
export function isForConsole(url: string | undefined): boolean {
  return url !== undefined && url.startsWith(CONSOLE_PLACE) && /^[/?]?$/.test(url.charAt(CONSOLE_PLACE.length));
}

/** Gives the reply the headers that browsers go by; an error has them too. */
export function guardConsoleReply(res: ServerResponse): void {
  for (const [name, value] of HEADERS) res.setHeader(name, value);
}

/** The target of a request at the API; undefined where it asks for the console itself. */
export function findForwarded(url: string | undefined): string | undefined {
  const target = url?.slice(CONSOLE_PLACE.length) ?? '';
  return FORWARDED.some((below) => target.startsWith(below)) && !target.startsWith(WITHHELD) ? target : undefined;
}

/**
 * Rewrites a browser's request for the API: its path, and the token of the session in place of the browser's
 * credentials. The body is not touched. Throws as `admit` does; the request is then unchanged.
 */
export async function rewriteForApi(proxy: ConsoleProxy, req: IncomingMessage, target: string): Promise<void> {
  const token = await proxy.admit({ method: req.method, header: (name) => headerOf(req, name) });
  for (const name of KEPT_BACK) delete req.headers[name];
  req.headers.authorization = `Bearer ${token}`;
  // A person reads texts by giving a reason, which the log keeps.
  req.headers['service-texts'] = 'withheld';
  req.url = target;
}
