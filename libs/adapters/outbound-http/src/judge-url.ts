import { isIP } from 'node:net';
import { OutboundError } from '@answer-evidence/ports';
import type { AllowList } from './allow-list.ts';
import { classifyAddress } from './classify-address.ts';

/** Who may be called. */
export type OutboundRules = {
  readonly allowList: AllowList;
  /** Whether this machine may be called: only where nobody but its own users reaches the service. */
  readonly allowLoopback: boolean;
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

/** Judges scheme, host and port of a URL, and the address when it is one. Throws `OutboundError` `address_refused`. */
export function judgeUrl(text: string, rules: OutboundRules): JudgedUrl {
  const url = parseTarget(text);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = portOf(url);
  const isListed = rules.allowList.has(`${url.hostname}:${port}`);
  const judged = { url, host, isListed };
  if (isListed) return judged;

  const isAddress = isIP(host) !== 0;
  const isLocal = isAddress ? classifyAddress(host) === 'loopback' : isLocalName(host);
  if (isLocal) {
    if (!rules.allowLoopback) throw refused("the address belongs to this machine and is not on the operator's list");
    return judged;
  }
  // A name might be one of this machine all the same; then its scheme is judged with its addresses.
  if (url.protocol !== 'https:' && (isAddress || !rules.allowLoopback)) throw notHttps();
  if (port !== 443 && port < PORT_MIN)
    throw refused("the port is neither 443 nor above 1023, and is not on the operator's list");
  if (isAddress) assertAddresses(judged, [host], rules);
  return judged;
}

/** Judges the addresses that a host resolved to: one forbidden address refuses all. Throws `OutboundError`. */
export function assertAddresses(judged: JudgedUrl, addresses: readonly string[], rules: OutboundRules): void {
  if (addresses.length === 0) throw new OutboundError('unreachable', 'the host has no address');
  if (judged.isListed) return;
  const classes = new Set(addresses.map(classifyAddress));
  const [only] = classes;
  if (classes.size > 1 || only === 'refused' || only === undefined) throw refused('the address is not public');
  if (only === 'loopback' && !rules.allowLoopback) {
    throw refused("the address belongs to this machine and is not on the operator's list");
  }
  if (only === 'public' && judged.url.protocol !== 'https:') throw notHttps();
}

/** The parsed URL, when its text is in the parser's form: other spellings of a host are read differently elsewhere. */
function parseTarget(text: string): URL {
  // eslint-disable-next-line no-control-regex
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

function notHttps(): OutboundError {
  return refused("the URL is not https and is not on the operator's list");
}

function refused(message: string): OutboundError {
  return new OutboundError('address_refused', message);
}
