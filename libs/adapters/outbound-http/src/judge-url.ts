import { isIP } from 'node:net';
import { OutboundError } from '@answer-evidence/ports';
import type { AllowList } from './allow-list.ts';
import { isPublicAddress } from './is-public-address.ts';

/** Who may be called. */
export type OutboundRules = {
  readonly allowList: AllowList;
};

/** A URL whose form is allowed; what its name resolves to is still to be judged. */
export type JudgedUrl = {
  readonly url: URL;
  /** The host without brackets: a name, or an address. */
  readonly host: string;
  /** Whether the operator listed it, so that any address will do. */
  readonly isListed: boolean;
};

/** Below, ports belong to services that read other protocols than HTTP. */
const PORT_MIN = 1024;

/**
 * Judges scheme, host and port of a URL, and the address when it is one. Throws `OutboundError` `address_refused`. What
 * each rule keeps out: decision 0036.
 */
export function judgeUrl(text: string, rules: OutboundRules): JudgedUrl {
  const url = parseTarget(text);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = portOf(url);
  const isListed = rules.allowList.has(`${url.hostname}:${port}`) || rules.allowList.has(`${url.hostname}:*`);
  const judged = { url, host, isListed };
  if (isListed) return judged;

  if (isLocalName(host)) throw notPublic();
  if (url.protocol !== 'https:') throw refused("the URL is not https and is not on the operator's list");
  if (port !== 443 && port < PORT_MIN)
    throw refused("the port is neither 443 nor above 1023, and is not on the operator's list");
  if (isIP(host) !== 0) assertAddresses(judged, [host]);
  return judged;
}

/** Judges the addresses that a host resolved to: one forbidden address refuses all. Throws `OutboundError`. */
export function assertAddresses({ isListed }: JudgedUrl, addresses: readonly string[]): void {
  if (addresses.length === 0) throw new OutboundError('unreachable', 'the host has no address');
  if (!isListed && !addresses.every(isPublicAddress)) throw notPublic();
}

/** The parsed URL, when its text is in the parser's form: other spellings of a host are read differently elsewhere. */
function parseTarget(text: string): URL {
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0020\u007f\\]/.test(text) || !URL.canParse(text)) throw refused('the address is not a URL');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refused('the URL is neither https nor http');
  const authority = /^https?:\/\/([^/?#]*)/.exec(text)?.[1] ?? '';
  if (authority.includes('@')) throw refused('the URL holds a user name or password');
  if (text.includes('#')) throw refused('the URL has a fragment');
  const defaultPort = url.protocol === 'https:' ? ':443' : ':80';
  const written = authority.endsWith(defaultPort) ? authority.slice(0, -defaultPort.length) : authority;
  if (written !== url.host || url.hostname.endsWith('.'))
    throw refused('the host of the URL is not in its canonical form');
  return url;
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

function notPublic(): OutboundError {
  return refused("the address is not public and is not on the operator's list");
}

function refused(message: string): OutboundError {
  return new OutboundError('address_refused', message);
}
